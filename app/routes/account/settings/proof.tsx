import { Form } from "react-router";
import type { Proof } from "../../../../shop/accounts/identity.server.ts";
import { DOUBTS } from "../../../doubts.ts";
import { TextField } from "../../../ui/field.tsx";

/** Where a customer proves that it is them: the password, or nothing for one who has just signed in. */
export function ProofField({ id, proof, error }: { id: string; proof: Proof; error?: string }) {
  if (proof !== "password") return null;
  return (
    <TextField
      id={`${id}-password`}
      name="password"
      type="password"
      label="Your password"
      autoComplete="current-password"
      error={error}
      errorId={`${id}-password-error`}
      className="max-w-sm"
    />
  );
}

/** In place of a form, for a customer without a password whose sign-in is not of now. */
export function SignInAgain() {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <p className="max-w-[46ch]">{DOUBTS.stale}</p>
      <Form method="post" action="/auth/sign-out">
        <button type="submit" className="button button-quiet">
          Sign out
        </button>
      </Form>
    </div>
  );
}
