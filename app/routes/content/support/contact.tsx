import { useEffect, useRef } from "react";
import { z } from "#shop/zod.ts";
import { type ContactForm, contactSchema } from "#shop/support/contact-form.ts";
import { TextArea, TextField } from "#app/ui/form/field.tsx";
import { Honeypot } from "#app/ui/form/honeypot.tsx";
import { Form, Submit, useActionResult } from "#app/ui/form/form.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";

const FAILURE = { message: "We couldn’t send your message. Your text is still here. Please try again." };

type ContactProps = {
  message: string;
  /** Set by the link of an email: the name and the email are those of its order. */
  writer: { key: string | null; path: string; email: string } | null;
};

const registrationSchema = contactSchema.extend({ name: z.string().default(""), email: z.string().default("") });

export function Contact({ message, writer }: ContactProps) {
  if (useActionResult("contact-form")?.ok) return <Sent />;
  return (
    <Form<ContactForm>
      id="contact-form"
      action={`${writer?.path ?? "/support"}#contact`}
      validate={(form) => parseForm(form, writer ? registrationSchema : contactSchema)}
      defaultValue={{ message }}
      failure={FAILURE}
      className="grid gap-5"
    >
      {({ fields }) => (
        <>
          {writer ? (
            <p>
              <input type="hidden" name="k" value={writer.key ?? ""} />
              From the name and email of your order, <span className="font-medium">{writer.email}</span>.
            </p>
          ) : (
            <div className="grid gap-5 sm:grid-cols-2">
              <TextField field={fields.name} label="Name" autoComplete="name" maxLength={100} />
              <TextField field={fields.email} label="Email" type="email" autoComplete="email" />
            </div>
          )}
          <TextArea field={fields.message} label="Message" maxLength={5000} />
          <Honeypot />
          <Submit busy="Sending..." className="button button-primary justify-self-start">
            Send Message
          </Submit>
        </>
      )}
    </Form>
  );
}

function Sent() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} role="status" tabIndex={-1} className="rounded-card bg-leaf-light p-7 outline-none lg:p-10">
      <h3 className="text-2xl font-semibold">Message sent</h3>
      <p className="mt-3 text-lg">
        Thanks. We’ve got your message, and a confirmation is on its way to your inbox. A real person will answer by
        email.
      </p>
    </div>
  );
}
