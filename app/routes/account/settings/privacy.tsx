import { Link, useSearchParams } from "react-router";
import { DELETE_WORD } from "../../../../shop/accounts/delete-word.ts";
import { readVerificationErrors } from "../../../session/verification/recent-verification.ts";
import { TextField } from "../../../ui/form/field.tsx";
import type { AccountActionResult } from "../action-result.ts";
import { ProofFields, SignInAgain, type Asked } from "./proof.tsx";
import { Section } from "./section.tsx";
import { SETTINGS, Submit, ResultMessage, useActionResult } from "./use-action-result.tsx";

/** Everything the shop holds, as a file. A plain form: a file is a document's answer. */
export function DownloadData(asked: Asked) {
  const [query] = useSearchParams();
  const errors = readVerificationErrors(query.get("download"));
  return (
    <Section
      id="data"
      title="Your data"
      intro="Everything we hold about you in one file: profile, orders, wishlist, cart, messages."
    >
      {asked.proof === "stale" ? (
        <SignInAgain />
      ) : (
        <form method="post" action="/account/download" noValidate className="grid gap-5">
          <ProofFields id="data" {...asked} errors={errors} />
          <div>
            <button type="submit" className="button button-quiet">
              Download my data
            </button>
          </div>
        </form>
      )}
    </Section>
  );
}

type DeleteAccountProps = Asked & { unshipped: number; page: AccountActionResult | undefined };

export function DeleteAccount({ unshipped, page, ...asked }: DeleteAccountProps) {
  const { Form, form, actionResult, pending } = useActionResult(page, "delete");
  return (
    <Section
      id="delete"
      title="Delete account"
      intro={
        <>
          Your profile, wishlist, cart and sign-in go at once and for good. Past orders stay in our books without your
          name and address, as our{" "}
          <Link to="/privacy#retention" className="text-link">
            privacy policy
          </Link>{" "}
          says.
        </>
      }
    >
      <ResultMessage actionResult={actionResult} />
      {unshipped > 0 && (
        <p className="mb-6 rounded-[10px] bg-saving-soft px-4 py-3 font-medium text-saving">
          {unshipped === 1
            ? "One order has not shipped yet. Deleting your account cancels it."
            : `${unshipped} orders have not shipped yet. Deleting your account cancels them.`}
        </p>
      )}
      {asked.proof === "stale" ? (
        <SignInAgain />
      ) : (
        <Form ref={form} method="post" action={`${SETTINGS}#delete`} noValidate className="grid gap-5">
          <TextField
            id="delete-confirmation"
            name="confirmation"
            label={`Type ${DELETE_WORD} to confirm`}
            autoComplete="off"
            autoCapitalize="none"
            defaultValue={actionResult?.typed?.confirmation}
            error={actionResult?.errors?.confirmation}
            errorId="delete-confirmation-error"
            className="max-w-sm"
          />
          <ProofFields id="delete" {...asked} errors={actionResult?.errors} />
          <div>
            <Submit intent="delete" pending={pending} busy="Deleting..." className="bg-error text-white">
              Delete my account
            </Submit>
          </div>
        </Form>
      )}
    </Section>
  );
}
