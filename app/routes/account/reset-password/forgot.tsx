import { getFormProps } from "@conform-to/react";
import { useEffect, useRef } from "react";
import { Form, Link, useNavigation } from "react-router";
import { forgotSchema } from "../../../../shop/accounts/account-forms.ts";
import { Alert } from "../../../ui/feedback/alert.tsx";
import { control } from "../../../ui/form/control.ts";
import { TextField } from "../../../ui/form/field.tsx";
import { useShopForm } from "../../../ui/form/use-shop-form.ts";
import type { ResetActionResult } from "./action-result.ts";

/** Asks for the mail with the link. */
export function Forgot({ actionResult, expired }: { actionResult: ResetActionResult | undefined; expired: boolean }) {
  const isPending = useNavigation().state === "submitting";
  const box = useRef<HTMLDivElement>(null);
  const [form, fields] = useShopForm({ id: "forgot", schema: forgotSchema, lastResult: actionResult?.result });
  useEffect(() => {
    if (actionResult?.sentTo) box.current?.focus();
  }, [actionResult]);

  if (actionResult?.sentTo) {
    return (
      <div ref={box} role="status" tabIndex={-1} className="outline-none">
        <h1 className="heading">Check your inbox</h1>
        <p className="mt-4 text-lg text-ink-soft">
          If there is an account for <strong className="font-semibold text-ink">{actionResult.sentTo}</strong>, a link
          to set a new password is on its way. It works for one hour.
        </p>
        <Link to="/auth" className="button button-quiet mt-8">
          Back to Sign In
        </Link>
      </div>
    );
  }
  return (
    <>
      <h1 className="heading">{expired ? "This link has expired" : "Reset your password"}</h1>
      <p className="mt-4 text-lg text-ink-soft">
        {expired
          ? "Links work for one hour, and once. Enter your email for a new one."
          : "Enter your email, and we send you a link to set a new one."}
      </p>
      <Form method="post" action="/reset-password" {...getFormProps(form)} className="mt-9 grid gap-5">
        {actionResult?.formMessage && (
          <Alert focusFor={actionResult} className="p-5">
            {actionResult.formMessage}
          </Alert>
        )}
        <TextField {...control(fields.email)} label="Email" type="email" autoComplete="username" />
        <button type="submit" aria-disabled={isPending || undefined} className="button button-primary w-full">
          {isPending ? "Sending..." : "Send Link"}
        </button>
      </Form>
      <Link to="/auth" className="text-link mt-4 inline-flex min-h-11 items-center">
        Back to Sign In
      </Link>
    </>
  );
}
