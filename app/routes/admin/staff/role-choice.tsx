/** The role of a member, with what it may do. */
import { z } from "#shop/zod.ts";
import { ROLE_WORDS, ROLES, type Role } from "#shop/roles.ts";
import { FieldError, useAdminField } from "#app/ui/admin/field.tsx";

export const roleField = z.enum(ROLES, { error: "Choose a role" });

export function RoleChoice({ chosen }: { chosen: Role }) {
  const { error, value } = useAdminField("role", chosen);
  return (
    <fieldset className="w-full" aria-describedby={error && "role-error"}>
      <legend className="font-medium">Role</legend>
      {ROLES.map((role) => (
        <label key={role} className="flex min-h-9 items-baseline gap-2.5 py-2 pointer-coarse:min-h-11">
          <input
            type="radio"
            name="role"
            value={role}
            defaultChecked={role === value}
            className="size-4.5 shrink-0 self-center accent-leaf"
          />
          <span className="w-20 shrink-0 font-medium">{ROLE_WORDS[role].name}</span>
          <span className="text-ink-soft">{ROLE_WORDS[role].does}</span>
        </label>
      ))}
      <FieldError id="role-error">{error}</FieldError>
    </fieldset>
  );
}
