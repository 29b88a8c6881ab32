import { Outlet } from "react-router";
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { inviteStaff, listInvitations, revokeInvitation } from "#shop/staff/invitations.server.ts";
import { emailField } from "#shop/email-field.ts";
import { ROLE_WORDS } from "#shop/roles.ts";
import { listStaff, type Member } from "#shop/staff/staff.server.ts";
import { config } from "#platform/config.server.ts";
import { consumeMailFor } from "#app/session/rate-limits.server.ts";
import { staffOf } from "#app/session/staff.server.ts";
import { done, refused } from "#app/http/form.server.ts";
import { Submit } from "#app/ui/form/form.tsx";
import { AdminForm, AdminText } from "#app/ui/admin/field.tsx";
import { PageHead, Status } from "#app/ui/admin/page-head.tsx";
import { AdminTable, EmptyState, type Column } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { actions, handle, TOO_MANY_EMAILS, type Action } from "../action.server.ts";
import type { Route } from "./+types/route.ts";
import { RoleChoice, roleField } from "./role-choice.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const { staffId } = staffOf(context);
  const [found, invitations] = await Promise.all([listStaff(db), listInvitations(db)]);
  const members = found.map((member) => ({ ...member, isMe: member.id === staffId }));
  const invited = invitations.map(({ id, email, role, expiresAt }) => ({ id, email, role, expiresAt }));
  return { members, invited };
}

const inviteSchema = z.object({ email: emailField().toLowerCase(), role: roleField });
const isSensitive = { isSensitive: true };

async function invite(action: Action<z.output<typeof inviteSchema>>) {
  const { email } = action.value;
  const { permit } = await consumeMailFor(action.context, email);
  if (!permit) return refused(action, TOO_MANY_EMAILS, { status: 429 });
  const invited = await inviteStaff(db, action.by, action.value, config().secret, permit);
  if (!invited.ok) return refused(action, "", { errors: { email: "This person is already on the team" } });
  return done(action, `Invitation sent to ${email}.`, { clears: true });
}

export const action = actions({
  invite: handle(inviteSchema, invite, isSensitive),
  uninvite: handle(
    z.object({ key: z.uuid() }),
    async (action) => {
      await revokeInvitation(db, action.by, action.value.key);
      return done(action, "Invitation revoked.");
    },
    isSensitive,
  ),
});
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

function Invite() {
  return (
    <AdminForm intent="invite" className="grid max-w-xl justify-items-start gap-3">
      <h2>Invite staff</h2>
      <AdminText name="email" type="email" label="Email" autoComplete="off" className="w-full" />
      <RoleChoice chosen="packer" />
      <Submit className="btn btn-primary">Send invitation</Submit>
    </AdminForm>
  );
}

type Row = Member & { isMe: boolean };

function MemberStatus({ disabledAt, hasFactor, sessions }: Member) {
  if (disabledAt) return <Status tone="quiet">Disabled</Status>;
  if (!hasFactor) return <Status tone="soon">Needs two-step sign-in</Status>;
  return sessions > 0 ? <Status tone="done">Signed in</Status> : <Status tone="open">Active</Status>;
}

const COLUMNS: Column<Row>[] = [
  { header: "Name", cell: ({ name, isMe }) => (isMe ? `${name} (you)` : name), href: ({ id }) => `/admin/staff/${id}` },
  { header: "Email", cell: ({ email }) => email, className: "max-w-72 truncate text-ink-soft" },
  { header: "Role", cell: ({ role }) => ROLE_WORDS[role].name },
  { header: "Status", cell: (member) => <MemberStatus {...member} /> },
  {
    header: "Last active",
    cell: ({ lastSeenAt }) => (lastSeenAt ? <When at={lastSeenAt} /> : "Never"),
    phone: "label",
  },
];

export default function StaffScreen({ loaderData: { members, invited } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Staff" note={members.length} />
      <Outlet />
      <AdminTable label="Staff" columns={COLUMNS} rows={members} rowKey={({ id }) => id} />
      <section className="mt-10 grid gap-8">
        <Invite />
        <div>
          <h2>Pending invitations</h2>
          {invited.length === 0 && <EmptyState>No pending invitations.</EmptyState>}
          <ul className="mt-2 max-w-3xl">
            {invited.map(({ id, email, role, expiresAt }) => (
              <li
                key={id}
                className="flex min-h-11 flex-wrap items-center justify-between gap-3 border-t border-line py-2"
              >
                <span>
                  <span className="font-medium">{email ?? "First owner"}</span>
                  <span>{`, ${ROLE_WORDS[role].name.toLowerCase()}, expires `}</span>
                  <When at={expiresAt} />
                </span>
                <AdminForm intent="uninvite" of={id}>
                  <input type="hidden" name="key" value={id} />
                  <Submit className="btn">Revoke</Submit>
                </AdminForm>
              </li>
            ))}
          </ul>
        </div>
      </section>
    </>
  );
}
