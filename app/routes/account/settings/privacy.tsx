import { counted } from "#shop/units.ts";
import { Link, useSearchParams } from "react-router";
import { readVerificationErrors } from "#app/session/verification-messages.ts";
import { SelectField, TextArea, TextField } from "#app/ui/form/field.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { DELETE_WORD } from "#shop/accounts/account-forms.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { dayText, policyText } from "#shop/policy-text.ts";
import { KIND_WORDS, WRITTEN_KINDS, writtenRequestSchema } from "#shop/privacy/request.ts";
import type { TabData } from "../load.server.ts";
import {
  ProofFields,
  type ProofValues,
  Section,
  SettingsForm,
  SignInAgain,
  type Verification,
  VerifiedForm,
} from "./section.tsx";

type VerificationProps = { verification: Verification };

/** A plain form, because only a document can be a download. */
export function DownloadData({ verification }: VerificationProps) {
  const [query] = useSearchParams();
  const errors = readVerificationErrors(query.get("download"));
  const field = (name: keyof ProofValues) => {
    const error = errors?.[name];
    const id = `data-${name}`;
    return { id, name, errorId: `${id}-error`, errors: error ? [error] : undefined, initialValue: undefined };
  };
  return (
    <Section
      id="data"
      title="Your data"
      intro="Everything we have about you in one file: profile, orders, wishlist, cart, and messages."
    >
      {verification.proof === "stale" ? (
        <SignInAgain />
      ) : (
        <form method="post" action="/account/download" noValidate className="grid gap-5">
          <ProofFields verification={verification} fields={{ password: field("password"), code: field("code") }} />
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

const ASKS: Record<(typeof WRITTEN_KINDS)[number], string> = {
  correction: "Correct something about me",
  objection: "Limit or stop a use of my information",
};

export function RequestForm({ requests }: Pick<TabData<"settings">, "requests">) {
  return (
    <Section
      id="requests"
      title="Correct or object"
      intro={`Ask us to correct what you can’t change here, or to limit or stop a use of your information. We’ll answer by email within ${policyText.gdprResponseDays}.`}
    >
      {requests.length > 0 && (
        <ul className="mb-6 grid gap-1">
          {requests.map(({ id, kind, dueAt }) => (
            <li key={id}>
              <strong className="font-semibold">{`${KIND_WORDS[kind]}:`}</strong>
              <span>{` received. We’ll answer by ${dayText(newYorkDay(dueAt))}.`}</span>
            </li>
          ))}
        </ul>
      )}
      <SettingsForm id="request-form" section="requests" validate={(form) => parseForm(form, writtenRequestSchema)}>
        {({ fields }) => (
          <>
            <SelectField field={fields.kind} label="Request" placeholder="Choose a request" className="max-w-sm">
              {WRITTEN_KINDS.map((kind) => (
                <option key={kind} value={kind}>
                  {ASKS[kind]}
                </option>
              ))}
            </SelectField>
            <TextArea field={fields.details} label="Details" rows={3} maxLength={1000} />
            <div>
              <Submit intent="privacy-request" busy="Sending..." className="button button-quiet">
                Send request
              </Submit>
            </div>
          </>
        )}
      </SettingsForm>
    </Section>
  );
}

export function DeleteAccount({ verification, unshipped }: VerificationProps & { unshipped: number }) {
  return (
    <Section
      id="delete"
      title="Delete account"
      intro={
        <>
          This deletes your profile, wishlist, cart, and sign-in right away, for good. We keep past orders for our
          records, without your name and address: see our{" "}
          <Link to="/privacy#retention" className="text-link">
            privacy policy
          </Link>
          .
        </>
      }
    >
      {unshipped > 0 && (
        <p className="mb-6 rounded-[10px] bg-saving-soft px-4 py-3 font-medium text-saving">
          {`${counted(unshipped, "order has items", "orders have items")} that haven’t shipped yet. Deleting your account cancels them.`}
        </p>
      )}
      <VerifiedForm<{ confirmation: string }>
        id="delete-form"
        section="delete"
        verification={verification}
        above={({ confirmation }) => (
          <TextField
            field={confirmation}
            label={`Type ${DELETE_WORD} to confirm`}
            autoComplete="off"
            autoCapitalize="none"
            className="max-w-sm"
          />
        )}
      >
        <Submit intent="delete" busy="Deleting..." className="button bg-error text-white">
          Delete my account
        </Submit>
      </VerifiedForm>
    </Section>
  );
}
