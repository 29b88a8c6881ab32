import { PASSWORD_MIN } from "#shop/accounts/account-forms.ts";
import { TextField, type FormField } from "./field.tsx";

/** Tells password managers whose password a form is about: they need a text field, though nobody sees it. */
export const Username = ({ email }: { email: string }) => (
  <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
);

type Field = { field: FormField; label: string };

export function PasswordFields({ password, confirmPassword }: { password: Field; confirmPassword: Field }) {
  return (
    <>
      <TextField
        {...password}
        type="password"
        autoComplete="new-password"
        hint={`At least ${PASSWORD_MIN} characters`}
      />
      <TextField {...confirmPassword} type="password" autoComplete="new-password" />
    </>
  );
}
