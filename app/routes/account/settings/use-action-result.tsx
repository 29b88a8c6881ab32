import { useEffect, useRef } from "react";
import { useFetcher, type FetcherWithComponents } from "react-router";
import { notify, notifyError } from "../../../ui/feedback/toast.ts";
import type { AccountActionResult, Intent } from "../action-result.ts";

export const SETTINGS = "/account?tab=settings";

/** The forms of one section: posted in place, answered by a toast, by messages under fields, and what else `actionResult` holds. */
export function useActionResult(page: AccountActionResult | undefined, ...intents: Intent[]) {
  const { Form, data, state, formData } = useFetcher() as FetcherWithComponents<AccountActionResult | undefined>;
  const actionResult = data ?? (page && intents.includes(page.intent) ? page : undefined);
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

  return { Form, form, actionResult, pending };
}

/** The action result where no script can show a toast. */
export function ResultMessage({ actionResult }: { actionResult: AccountActionResult | undefined }) {
  if (!actionResult?.message) return null;
  return (
    <noscript>
      <p
        className={`mb-6 rounded-[10px] px-4 py-3 font-medium ${actionResult.ok ? "bg-leaf-light" : "bg-saving-soft text-saving"}`}
      >
        {actionResult.title && <strong>{actionResult.title}. </strong>}
        {actionResult.message}
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
