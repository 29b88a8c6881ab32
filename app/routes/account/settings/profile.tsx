import { TextField } from "../../../ui/form/field.tsx";
import type { AccountActionResult } from "../action-result.ts";
import type { Person } from "../load.server.ts";
import { Section } from "./section.tsx";
import { SETTINGS, Submit, ResultMessage, useActionResult } from "./use-action-result.tsx";

export function ProfileForm({ person, page }: { person: Person; page: AccountActionResult | undefined }) {
  const { Form, form, actionResult, pending } = useActionResult(page, "profile");
  const field = (name: "firstName" | "lastName" | "phone") => ({
    id: `profile-${name}`,
    name,
    defaultValue: actionResult?.typed?.[name] ?? person[name],
    error: actionResult?.errors?.[name],
    errorId: `profile-${name}-error`,
    required: false,
  });
  return (
    <Section id="profile" title="Profile" intro="Fills in your checkout, and says how we address you.">
      <ResultMessage actionResult={actionResult} />
      <Form ref={form} method="post" action={`${SETTINGS}#profile`} noValidate className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField {...field("firstName")} label="First name" autoComplete="given-name" maxLength={100} />
          <TextField {...field("lastName")} label="Last name" autoComplete="family-name" maxLength={100} />
          <TextField
            id="profile-email"
            label="Email"
            type="email"
            value={person.email}
            readOnly
            required={false}
            errorId=""
            hint="Your email is how you sign in. It cannot be changed."
          />
          <TextField {...field("phone")} label="Phone" type="tel" autoComplete="tel" maxLength={50} />
        </div>
        <div>
          <Submit intent="profile" pending={pending} busy="Saving...">
            Save profile
          </Submit>
        </div>
      </Form>
    </Section>
  );
}
