import { useEffect, useRef } from "react";
import { useFetcher, type FetcherWithComponents } from "react-router";
import { notify, notifyError } from "../../../ui/feedback/toast.ts";
import type { AccountAnswer, Intent } from "../answer.ts";

export const SETTINGS = "/account?tab=settings";

/** The forms of one section: posted in place, answered by a toast, by messages under fields, and what else `answer` holds. */
export function useAnswer(page: AccountAnswer | undefined, ...intents: Intent[]) {
  const { Form, data, state, formData } = useFetcher() as FetcherWithComponents<AccountAnswer | undefined>;
  const answer = data ?? (page && intents.includes(page.intent) ? page : undefined);
  const form = useRef<HTMLFormElement>(null);
  const pending = state === "idle" ? undefined : formData?.get("intent");

  useEffect(() => {
    if (!data) return;
    if (data.errors) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
    else if (!data.ok) notifyError(data.message ?? "");
    else if (data.title) notify(data.title, data.message);
    // What was typed once is not left standing; a profile is what it now says.
    if (data.ok && data.intent !== "profile") form.current?.reset();
  }, [data]);

  return { Form, form, answer, pending };
}

/** The answer where no script can show a toast. */
export function Told({ answer }: { answer: AccountAnswer | undefined }) {
  if (!answer?.message) return null;
  return (
    <noscript>
      <p
        className={`mb-6 rounded-[10px] px-4 py-3 font-medium ${answer.ok ? "bg-leaf-light" : "bg-saving-soft text-saving"}`}
      >
        {answer.title && <strong>{answer.title}. </strong>}
        {answer.message}
      </p>
    </noscript>
  );
}

type SubmitProps = {
  intent: Intent;
  pending: FormDataEntryValue | null | undefined;
  children: string;
  busy: string;
  className?: string;
};

/** A form's button, which says what it wants, and that it is at it. */
export function Submit({ intent, pending, children, busy, className = "button-primary" }: SubmitProps) {
  return (
    <button
      type="submit"
      name="intent"
      value={intent}
      aria-disabled={pending ? true : undefined}
      onClick={(event) => {
        if (pending) event.preventDefault();
      }}
      className={`button ${className}`}
    >
      {pending === intent ? busy : children}
    </button>
  );
}
