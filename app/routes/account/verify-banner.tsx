import { useEffect } from "react";
import { useFetcher, useSearchParams } from "react-router";
import { notify, notifyError } from "../../ui/feedback/toast.ts";
import type { ResendActionResult } from "./auth/resend.ts";

/** Where no script can show a toast. */
const RESENT: Record<string, string> = {
  sent: "Email sent! Please check your inbox for the verification link.",
  failed: "Failed to resend verification email",
};

/** Says that the email is not verified yet, and sends the link again. */
export function VerifyBanner({ email }: { email: string }) {
  const { Form, state, data } = useFetcher<ResendActionResult>({ key: "resend" });
  const isPending = state !== "idle";
  const message = RESENT[useSearchParams()[0].get("resend") ?? ""];
  useEffect(() => {
    if (!data) return;
    if (data.ok) notify(data.title, data.description);
    else notifyError(data.description, data.title);
  }, [data]);

  return (
    <div
      role="status"
      className="mb-9 flex flex-wrap items-center justify-between gap-x-8 gap-y-4 rounded-card bg-saving-soft px-5 py-5 sm:px-7"
    >
      <div>
        <p className="font-semibold text-saving">Please verify your email address to access your account.</p>
        <p className="mt-1 text-[15px] break-words">The link is in your inbox at {email}.</p>
        {message && (
          <noscript>
            <p className="mt-2 font-semibold">{message}</p>
          </noscript>
        )}
      </div>
      <Form method="post" action="/auth/resend" className="max-sm:w-full">
        <button
          type="submit"
          aria-disabled={isPending || undefined}
          onClick={(event) => {
            if (isPending) event.preventDefault();
          }}
          className="button button-quiet min-h-11 max-sm:w-full"
        >
          {isPending ? "Sending..." : "Resend verification email"}
        </button>
      </Form>
    </div>
  );
}
