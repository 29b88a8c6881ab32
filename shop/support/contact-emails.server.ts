/** The emails about a message from the contact form: to support, the receipt to its sender, and what staff answer. */
import { and, asc, eq, isNotNull, lt, sql } from "drizzle-orm";
import { emailTemplate } from "../mail/email.ts";
import { getMessage, type ContactMessage } from "./contact.server.ts";
import { contactMessages, contactReplies } from "./contact.tables.ts";
import { contactMessage } from "./emails/contact-message.tsx";
import { contactReceipt } from "./emails/contact-receipt.tsx";
import { contactReply, type ReplyMail } from "./emails/contact-reply.tsx";

declare module "../mail/email.ts" {
  interface EmailJobs {
    "contact-message": { messageId: string };
    "contact-receipt": { messageId: string };
    "contact-reply": { replyId: string };
  }
}

type Job = { messageId: string };
type ReplyJob = { replyId: string };

const sample: ContactMessage = {
  id: "6f1f7a52-3f0e-4d8f-9a55-2c1f3f1f9a01",
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
  "contact-reply": emailTemplate({
    async load(db, { replyId }: ReplyJob): Promise<ReplyMail | null> {
      const { id, messageId, body, createdAt } = contactReplies;
      const { email, message } = contactMessages;
      const [found] = await db
        .select({ id, messageId, body, createdAt, email, message })
        .from(contactReplies)
        .innerJoin(contactMessages, eq(contactMessages.id, messageId))
        .where(eq(id, replyId));
      if (!found) return null;
      const before = await db
        .select({ mailId: contactReplies.mailId })
        .from(contactReplies)
        .where(and(eq(messageId, found.messageId), lt(createdAt, found.createdAt), isNotNull(contactReplies.mailId)))
        .orderBy(asc(createdAt));
      return { ...found, before: before.map(({ mailId }) => mailId!) };
    },
    render: contactReply,
    async sent(db, { replyId }, { thread }) {
      await db
        .update(contactReplies)
        .set({ sentAt: sql`coalesce(${contactReplies.sentAt}, now())`, mailId: thread!.id })
        .where(eq(contactReplies.id, replyId));
    },
    samples: {
      "of a second reply": {
        id: "6f1f7a52-3f0e-4d8f-9a55-2c1f3f1f9a03",
        messageId: sample.id,
        email: sample.email,
        body: "Hello Ada,\n\nit does, if the melon is a small one.\n\nGrace",
        message: sample.message,
        before: ["<reply.6f1f7a52-3f0e-4d8f-9a55-2c1f3f1f9a02@localhost>"],
      },
    },
  }),
};
