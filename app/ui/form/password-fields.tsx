import { PASSWORD_MIN } from "#shop/accounts/account-forms.ts";
import { TextField, type FormField } from "./field.tsx";

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
