import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { TextField } from "#app/ui/form/field.tsx";
import { Form, Submit, useActionResult } from "#app/ui/form/form.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { Dialog } from "#app/ui/overlay/dialog.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import { useClock } from "#app/ui/time/countdown.tsx";
import { COUNTDOWN_SECONDS, PHONE_MAX, phoneCharacters, waitlistSchema } from "#shop/waitlist/waitlist-form.ts";
import type { WaitlistData } from "./join.ts";

export function WaitlistPopup({ onClose }: { onClose: (as: "closed" | "joined") => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const answer = useActionResult<WaitlistData>("waitlist")?.data;
  const joinedAs = answer?.isRegistered === false ? answer : null;
  const close = () => dialog.current?.close();

  useEffect(() => {
    if (answer?.isRegistered) dialog.current?.close();
  }, [answer]);
  // Focusing the first field would open the keyboard on a phone.
  useEffect(() => title.current?.focus(), [joinedAs]);

  return (
    <Dialog
      ref={dialog}
      opensOnMount
      aria-labelledby="waitlist-title"
      onClose={() => onClose(joinedAs ? "joined" : "closed")}
      className="m-auto w-full max-w-none overscroll-contain bg-paper text-ink opacity-100 transition-opacity duration-250 ease-out backdrop:bg-ink/50 max-sm:mb-0 max-sm:max-h-[calc(100dvh-24px)] max-sm:rounded-t-[20px] sm:max-h-[min(92dvh,900px)] sm:w-[min(100vw-64px,500px)] sm:rounded-[20px] lg:w-[920px] starting:open:opacity-0"
    >
      <div className="grid lg:grid-cols-[1fr_1.1fr]">
        <Picture
          name="pro-earth-green-open"
          alt=""
          sizes="440px"
          className="hidden lg:block"
          imgClassName="h-full w-full object-cover object-[14%_50%]"
        />
        <div className="relative px-6 pt-7 pb-7 sm:p-11">
          <button
            type="button"
            aria-label="Close"
            onClick={close}
            className="icon-button absolute top-3 right-3 sm:top-4 sm:right-4"
          >
            <X size={24} strokeWidth={1.75} aria-hidden />
          </button>
          <h2 ref={title} id="waitlist-title" tabIndex={-1} className="heading pr-10 outline-none">
            {joinedAs ? "You're in!" : "Join the waitlist"}
          </h2>
          {joinedAs ? (
            <>
              <p className="mt-4 text-lg text-ink-soft">
                {joinedAs.isConfirmed ? "You have verified " : "We sent a link to "}
                <span className="font-medium text-ink">{joinedAs.email}</span>
                {joinedAs.isConfirmed
                  ? ", so your place is confirmed."
                  : ". Open it within 24 hours to verify your email, and your place is confirmed."}
              </p>
              <button type="button" onClick={close} className="button button-primary mt-8 w-full">
                Got it
              </button>
            </>
          ) : (
            <WaitlistForm />
          )}
        </div>
      </div>
    </Dialog>
  );
}

const FAILURE = { title: "Something went wrong", message: "Please try again later." };

function WaitlistForm() {
  const [query] = useSearchParams();
  return (
    <>
      <p className="mt-3 text-lg text-ink-soft">
        Be the first to hear of new bowls and early-bird prices. We write about nothing else.
      </p>
      <TakeYourTime />
      <Form
        id="waitlist"
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
        Joining makes an account for this email, so that your place can be verified. It has no password: the link we
        send is the way in, and you can delete the account whenever you like.{" "}
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

/** The popup's countdown, which has no effect at zero. */
function TakeYourTime() {
  const [end] = useState(() => Date.now() + COUNTDOWN_SECONDS * 1000);
  const left = useClock((now) => Math.max(0, Math.ceil((end - now) / 1000)), COUNTDOWN_SECONDS);
  const two = (value: number) => String(value).padStart(2, "0");
  return (
    <p className="mt-5 flex items-baseline justify-between gap-4 border-y border-line py-3">
      <span>{left > 0 ? "Take your time" : "You can still join"}</span>
      <span role="timer" aria-live="off" className="text-lg font-semibold tabular-nums">
        {`${Math.floor(left / 3600)}:${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`}
      </span>
    </p>
  );
}
