/** The two emails about a message from the contact form. */
import { emailTemplate } from "../mail/email.ts";
import type { ContactForm } from "./contact-form.ts";
import { getMessage } from "./contact.server.ts";
import { contactMessage } from "./emails/contact-message.tsx";
import { contactReceipt } from "./emails/contact-receipt.tsx";

declare module "../mail/email.ts" {
  interface EmailJobs {
    "contact-message": { messageId: string };
    "contact-receipt": { messageId: string };
  }
}

type Job = { messageId: string };

const sample: ContactForm = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  message: "Does it fit a <melon>?\nThank you.",
};

export const contactEmails = {
  "contact-message": emailTemplate({
    load: (db, { messageId }: Job) => getMessage(db, messageId),
    render: contactMessage,
    samples: { "to support": sample },
  }),
  "contact-receipt": emailTemplate({
    load: (db, { messageId }: Job) => getMessage(db, messageId),
    render: contactReceipt,
    samples: { "to the sender": sample },
  }),
};
