import { useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import { Alert } from "../../../ui/feedback/alert.tsx";
import { TextArea, TextField } from "../../../ui/form/field.tsx";
import type { ContactActionResult } from "./action-result.ts";

export function Contact({
  actionResult,
  honeypot,
  message: begun,
}: {
  actionResult: ContactActionResult | undefined;
  honeypot: string;
  /** What the message begins with. */
  message: string;
}) {
  const isSending = useNavigation().formAction === "/support";
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!actionResult) return;
    const invalid = document.querySelector<HTMLElement>("#contact-form [aria-invalid]");
    (invalid ?? result.current)?.focus();
  }, [actionResult]);

  if (actionResult?.sent) {
    return (
      <div ref={result} role="status" tabIndex={-1} className="rounded-card bg-leaf-light p-7 outline-none lg:p-10">
        <h3 className="text-2xl font-semibold">Message sent</h3>
        <p className="mt-3 text-lg">
          Thank you. We have your message, and a confirmation is on its way to your inbox. A person will answer by
          email.
        </p>
      </div>
    );
  }

  const { errors = {}, typed = {}, message } = actionResult ?? {};
  const field = (name: "name" | "email" | "message") => ({
    id: `contact-${name}`,
    name,
    error: errors[name],
    errorId: `contact-${name}-error`,
    defaultValue: typed[name],
  });
  return (
    <Form
      id="contact-form"
      method="post"
      action="/support#contact"
      noValidate
      preventScrollReset
      className="grid gap-5"
    >
      {message && (
        <Alert focusFor={Object.keys(errors).length === 0 && actionResult} className="px-5 py-4 outline-none">
          {message}
        </Alert>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField {...field("name")} label="Name" autoComplete="name" maxLength={100} />
        <TextField {...field("email")} label="Email" type="email" autoComplete="email" />
      </div>
      <TextArea {...field("message")} defaultValue={typed.message ?? begun} label="Message" maxLength={5000} />
      <div className="hidden" aria-hidden="true">
        <label>
          Leave this empty
          <input name={honeypot} tabIndex={-1} autoComplete="off" defaultValue="" />
        </label>
      </div>
      <button type="submit" aria-disabled={isSending || undefined} className="button button-primary justify-self-start">
        {isSending ? "Sending..." : "Send Message"}
      </button>
    </Form>
  );
}
