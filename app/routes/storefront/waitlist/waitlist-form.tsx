import { useSearchParams } from "react-router";
import { TextField } from "#app/ui/form/field.tsx";
import { Form, Submit, useActionResult } from "#app/ui/form/form.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { PHONE_MAX, phoneCharacters, waitlistSchema } from "#shop/waitlist/waitlist-form.ts";

/** `isConfirmed` if no email was sent, because the address was verified before. */
type JoinedData = { email: string; isConfirmed: boolean };
export type WaitlistData = { isRegistered: true } | ({ isRegistered: false } & JoinedData);

const WAITLIST_FORM = "waitlist";

export const INTRO =
  "Be first in line: we’ll invite you to order new bowls before everyone else. That’s all we’ll send.";

export const useWaitlistResult = () => useActionResult<WaitlistData>(WAITLIST_FORM)?.data;

export function Joined({ email, isConfirmed }: JoinedData) {
  return (
    <p className="mt-4 text-lg text-ink-soft">
      <span>{isConfirmed ? "You’ve already verified " : "We sent a link to "}</span>
      <span className="font-medium text-ink">{email}</span>
      <span>{isConfirmed ? ", so your spot is confirmed." : ". Open it within 24 hours to confirm your spot."}</span>
    </p>
  );
}

const FAILURE = { title: "Something went wrong", message: "Please try again later." };

/** The form of the popup and of its page, which works without JavaScript. */
export function WaitlistForm() {
  const [query] = useSearchParams();
  return (
    <>
      <Form
        id={WAITLIST_FORM}
        action="/waitlist/join"
        validate={(form) => parseForm(form, waitlistSchema)}
        failure={FAILURE}
        className="mt-6 grid gap-4"
      >
        {({ fields }) => (
          <>
            {["utm_source", "utm_campaign"].map((name) => (
              <input key={name} type="hidden" name={name} value={query.get(name) ?? ""} />
            ))}
            <TextField field={fields.email} type="email" autoComplete="email" label="Email" />
            <TextField
              field={fields.phone}
              type="tel"
              autoComplete="tel"
              label="Phone"
              optional
              maxLength={PHONE_MAX}
              onInput={({ currentTarget }) => keepPhoneCharacters(currentTarget)}
            />
            <Submit busy="Joining..." className="button button-primary mt-1">
              Join the Waitlist
            </Submit>
          </>
        )}
      </Form>
      <p className="mt-5 text-sm text-ink-soft">
        We’ll create an account to hold your spot. Sign in with the link we email you, or delete it anytime.{" "}
        <a href="/privacy" target="_blank" className="text-link">
          Privacy Policy<span className="sr-only"> (opens in a new tab)</span>
        </a>
      </p>
    </>
  );
}

/** Strips characters that a phone number cannot have and preserves the caret. */
function keepPhoneCharacters(input: HTMLInputElement) {
  const typed = input.value;
  const kept = phoneCharacters(typed);
  if (kept === typed) return;
  const caret = phoneCharacters(typed.slice(0, input.selectionStart ?? typed.length)).length;
  input.value = kept;
  input.setSelectionRange(caret, caret);
}
