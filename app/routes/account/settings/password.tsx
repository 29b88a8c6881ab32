import { TextField } from "../../../ui/form/field.tsx";
import { PasswordFields } from "../../../ui/form/password-fields.tsx";
import type { AccountActionResult } from "../action-result.ts";
import { CodeField, type Asked } from "./proof.tsx";
import { Section } from "./section.tsx";
import { SETTINGS, Submit, ResultMessage, useActionResult } from "./use-action-result.tsx";

type PasswordProps = Asked & { email: string; page: AccountActionResult | undefined };

export function Password({ proof, hasSecondFactor, email, page }: PasswordProps) {
  const { Form, form, actionResult, pending } = useActionResult(page, "password", "set-password");
  const field = (name: "currentPassword" | "password" | "confirmPassword") => ({
    id: `password-${name}`,
    name,
    error: actionResult?.errors?.[name],
    errorId: `password-${name}-error`,
  });
  const hasPassword = proof === "password";
  return (
    <Section
      id="password"
      title="Password"
      intro={
        hasPassword
          ? "A new one signs you out everywhere but here."
          : "You sign in without one. With one of your own you can also sign in by email."
      }
    >
      <ResultMessage actionResult={actionResult} />
      <Form ref={form} method="post" action={`${SETTINGS}#password`} noValidate className="grid gap-5">
        {hasPassword ? (
          <>
            <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
            <TextField
              {...field("currentPassword")}
              label="Current password"
              type="password"
              autoComplete="current-password"
            />
            {hasSecondFactor && <CodeField id="password" error={actionResult?.errors?.code} />}
            <div className="grid gap-5 sm:grid-cols-2">
              <PasswordFields
                password={{ ...field("password"), label: "New password" }}
                confirmPassword={{ ...field("confirmPassword"), label: "Confirm new password" }}
              />
            </div>
            <div>
              <Submit intent="password" pending={pending} busy="Changing...">
                Change password
              </Submit>
            </div>
          </>
        ) : (
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
            <p className="max-w-[46ch]">We send a link to {email}. It opens the page where you set one.</p>
            <Submit intent="set-password" pending={pending} busy="Sending...">
              Set a password
            </Submit>
          </div>
        )}
      </Form>
    </Section>
  );
}
