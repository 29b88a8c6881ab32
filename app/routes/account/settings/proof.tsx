import { Form } from "react-router";
import { MAX_CODE_CHARACTERS } from "../../../../shop/accounts/second-factor/code-length.ts";
import type { Proof } from "../../../../shop/accounts/sessions/recent-verification.server.ts";
import { VERIFICATION_MESSAGES } from "../../../session/verification/recent-verification.ts";
import { TextField } from "../../../ui/form/field.tsx";

/** What a customer is asked for where they must prove that it is them. */
export type Asked = { proof: Proof; hasSecondFactor: boolean };
type Errors = Partial<Record<string, string>> | undefined;
type ProofFieldsProps = Asked & { id: string; errors: Errors };

/** Where a customer proves that it is them: password and code, or nothing for one who has just signed in. */
export function ProofFields({ id, proof, hasSecondFactor, errors }: ProofFieldsProps) {
  if (proof !== "password") return null;
  return (
    <>
      <TextField
        id={`${id}-password`}
        name="password"
        type="password"
        label="Your password"
        autoComplete="current-password"
        error={errors?.password}
        errorId={`${id}-password-error`}
        className="max-w-sm"
      />
      {hasSecondFactor && <CodeField id={id} error={errors?.code} />}
    </>
  );
}

/** The second factor, beside the password. */
export function CodeField({ id, error }: { id: string; error: string | undefined }) {
  return (
    <TextField
      id={`${id}-code`}
      name="code"
      label="Code from your app"
      hint="One of your backup codes does it too."
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={MAX_CODE_CHARACTERS}
      error={error}
      errorId={`${id}-code-error`}
      className="max-w-sm"
    />
  );
}

/** In place of a form, for a customer without a password whose sign-in is not of now. */
export function SignInAgain() {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <p className="max-w-[46ch]">{VERIFICATION_MESSAGES.stale}</p>
      <Form method="post" action="/auth/sign-out" reloadDocument>
        <button type="submit" className="button button-quiet">
          Sign out
        </button>
      </Form>
    </div>
  );
}
