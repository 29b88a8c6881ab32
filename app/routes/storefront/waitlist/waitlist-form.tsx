import { useRef, useState, type FormEvent } from "react";
import { COUNTDOWN_SECONDS, PHONE_MAX, phoneCharacters } from "../../../../shop/waitlist/waitlist-form.ts";
import { emailProblem } from "../../../../shop/email-address.ts";
import { isResult } from "../../../http/browser-write.ts";
import { useClock } from "../../../ui/time/clock.ts";
import { TextField } from "../../../ui/form/field.tsx";
import { notify, notifyError } from "../../../ui/feedback/toast.ts";
import type { WaitlistActionResult } from "./action-result.ts";

type Errors = { email?: string; phone?: string };

async function join(typed: FormData): Promise<WaitlistActionResult> {
  const form = new URLSearchParams();
  for (const [name, value] of typed) if (typeof value === "string") form.set(name, value);
  const query = new URLSearchParams(location.search);
  const body = new URLSearchParams([...form] as [string, string][]);
  for (const name of ["utm_source", "utm_campaign"]) body.set(name, query.get(name) ?? "");
  try {
    const response = await fetch("/waitlist/join", { method: "POST", body });
    const result: unknown = await response.json();
    if (isResult<WaitlistActionResult>(result, "outcome")) return result;
  } catch {
    // No connection, or an answer that nobody here wrote.
  }
  return { outcome: "failed" };
}

export type Joined = { email: string; isConfirmed: boolean };
type WaitlistFormProps = { onJoined: (as: Joined) => void; onClose: () => void };

export function WaitlistForm({ onJoined, onClose }: WaitlistFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Errors>({});
  const [isJoining, setJoining] = useState(false);

  function refuse(found: Errors) {
    setErrors(found);
    form.current?.querySelector<HTMLElement>(`[name=${found.email ? "email" : "phone"}]`)?.focus();
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isJoining) return;
    const filled = new FormData(event.currentTarget);
    const email = filled.get("email") as string;
    const problem = emailProblem(email);
    if (problem) return refuse({ email: problem });
    setErrors({});
    setJoining(true);
    const actionResult = await join(filled);
    setJoining(false);
    if (actionResult.outcome === "joined")
      return onJoined({ email: email.trim(), isConfirmed: actionResult.isConfirmed });
    if (actionResult.outcome === "invalid") return refuse(actionResult.errors);
    if (actionResult.outcome === "already-registered") {
      onClose();
      return notify(
        "Already registered!",
        "This email is already on our waitlist. Check your inbox for the verification link.",
      );
    }
    const message = "message" in actionResult ? actionResult.message : undefined;
    notifyError(message || "Please try again later.", "Something went wrong");
  }

  return (
    <>
      <p className="mt-3 text-lg text-ink-soft">
        Be the first to hear of new bowls and early-bird prices. We write about nothing else.
      </p>
      <TakeYourTime />
      <form
        ref={form}
        method="post"
        action="/waitlist/join"
        noValidate
        onSubmit={(event) => void submit(event)}
        className="mt-6 grid gap-4"
      >
        <TextField
          id="waitlist-email"
          errorId="waitlist-email-error"
          name="email"
          type="email"
          autoComplete="email"
          label="Email"
          error={errors.email}
          onInput={() => setErrors({})}
        />
        <TextField
          id="waitlist-phone"
          errorId="waitlist-phone-error"
          name="phone"
          type="tel"
          autoComplete="tel"
          label="Phone"
          optional
          maxLength={PHONE_MAX}
          error={errors.phone}
          onInput={({ currentTarget }) => keepPhoneCharacters(currentTarget)}
        />
        <button type="submit" aria-disabled={isJoining || undefined} className="button button-primary mt-1">
          {isJoining ? "Joining..." : "Join the Waitlist"}
        </button>
      </form>
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

/** Takes out what is no part of a phone number, and leaves the caret where it was. */
function keepPhoneCharacters(input: HTMLInputElement) {
  const typed = input.value;
  const kept = phoneCharacters(typed);
  if (kept === typed) return;
  const caret = phoneCharacters(typed.slice(0, input.selectionStart ?? typed.length)).length;
  input.value = kept;
  input.setSelectionRange(caret, caret);
}

/** The popup's countdown. It stops at zero, and takes nothing away. */
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
