import { PASSWORD_MIN } from "../../../shop/accounts/passwords/password-length.ts";
import { TextField } from "./field.tsx";

type Field = { id: string; name: string; label: string; error?: string; errorId: string };
type PasswordFieldsProps = { password: Field; confirmPassword: Field };

/** A password that is chosen, and typed once more. */
export function PasswordFields({ password, confirmPassword }: PasswordFieldsProps) {
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
