/** Emails of a conversation: to support, the receipt to the sender, and replies. */
import { and, asc, eq, isNotNull, lt, sql } from "drizzle-orm";
import { brand } from "#shop/brand.ts";
import { supportEmail } from "#shop/contact-addresses.server.ts";
import {
  EmailButton,
  EmailHeading,
  emailHtml,
  EmailLayout,
  EmailLines,
  EmailText,
  SOFT_INK,
} from "#shop/mail/email-layout.tsx";
import { type Email, type EmailShop, emailTemplate } from "#shop/mail/email.ts";
import { replyAddress } from "#shop/mail/reply-address.server.ts";
import { policyWords } from "#shop/settings/settings.server.ts";
import { type ContactMessage, getMessage } from "./contact.server.ts";
import { contactMessages, contactReplies } from "./contact.tables.ts";
import { incomingEmails } from "./inbox/inbox.tables.ts";
import { splitQuoted } from "./inbox/quoted.ts";

declare module "#shop/mail/email.ts" {
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
      const { email, message, subject } = contactMessages;
      const [found] = await db
        .select({ id, messageId, body, createdAt, email, message, subject })
        .from(contactReplies)
        .innerJoin(contactMessages, eq(contactMessages.id, messageId))
        .where(eq(id, replyId));
      if (!found) return null;
      const [replies, received] = await Promise.all([
        db
          .select({ mailId: contactReplies.mailId, createdAt })
          .from(contactReplies)
          .where(and(eq(messageId, found.messageId), lt(createdAt, found.createdAt), isNotNull(contactReplies.mailId))),
        db
          .select({ mailId: incomingEmails.mailId, createdAt: incomingEmails.createdAt, text: incomingEmails.text })
          .from(incomingEmails)
          .where(and(eq(incomingEmails.messageId, found.messageId), lt(incomingEmails.createdAt, found.createdAt)))
          .orderBy(asc(incomingEmails.createdAt)),
      ]);
      const earlier = [...replies, ...received].toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
      const latest = received.at(-1);
      return {
        ...found,
        message: latest ? splitQuoted(latest.text).written : found.message,
        matter: matterOf(found),
        before: earlier.map(({ mailId }) => mailId!),
      };
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
        subject: null,
        matter: "Does it fit a melon?",
        before: ["<reply.6f1f7a52-3f0e-4d8f-9a55-2c1f3f1f9a02@localhost>"],
      },
    },
  }),
};

function contactMessage({ id, name, email, message }: ContactMessage, shop: EmailShop): Email {
  const subject = `Message from ${name}`;
  const link = `${shop.baseUrl}/admin/messages/${id}`;
  return {
    to: supportEmail(),
    replyTo: email,
    subject,
    thread: { id: messageMailId(id, shop), after: [] },
    text: `${name} <${email}> wrote:\n\n${message}\n\nAnswer in the back office: ${link}`,
    html: emailHtml(
      <EmailLayout subject={subject} preview={message.slice(0, 120)} shop={shop}>
        <EmailHeading>{subject}</EmailHeading>
        <EmailText look="soft">{email}</EmailText>
        <div style={{ paddingTop: "24px" }}>
          <EmailLines lines={message.split("\n")} />
        </div>
        <EmailButton href={link}>Answer in the back office</EmailButton>
      </EmailLayout>,
    ),
  };
}

const NOT_YOU = "Didn’t write to us? Someone typed your address by mistake, and you can ignore this email.";

/** Repeats nothing typed: anybody can enter somebody else's address. */
function contactReceipt({ id, email }: Pick<ContactMessage, "id" | "email">, shop: EmailShop): Email {
  const subject = "We have your message";
  const text = `Thanks for writing to ${brand.name}. We’ve got your message, and a person will answer you at this address. We’re here ${policyWords().supportHours}.`;
  return {
    to: email,
    subject,
    ...answersTo(id, shop),
    thread: { id: receiptMailId(id, shop), after: [] },
    text: `${text}\n\n${shop.baseUrl}/support\n\n${NOT_YOU}`,
    html: emailHtml(
      <EmailLayout subject={subject} preview={text} shop={shop}>
        <EmailHeading>{subject}</EmailHeading>
        <EmailText>{text}</EmailText>
        <EmailButton href={`${shop.baseUrl}/support`}>Back to Support</EmailButton>
        <EmailText look="small">{NOT_YOU}</EmailText>
      </EmailLayout>,
    ),
  };
}

type ReplyMail = {
  id: string;
  messageId: string;
  email: string;
  body: string;
  /** The customer's last message. */
  message: string;
  /** Subject of the customer's email; null after the contact form. */
  subject: string | null;
  matter: string;
  /** Message-IDs of earlier replies and emails, oldest first. */
  before: string[];
};

const MAX_MATTER = 70;

/** The customer's subject, or how the first message begins: the same for all answers of a conversation. */
function matterOf({ subject, message }: Pick<ReplyMail, "subject" | "message">): string {
  if (subject !== null) return subject.replace(/^(?:re: ?)+/i, "");
  const [line = ""] = message.trim().split("\n");
  return line.length <= MAX_MATTER ? line.trim() : `${line.slice(0, MAX_MATTER).replace(/\s+\S*$/, "")}…`;
}

/** The address for answers to an email of a conversation. */
function answersTo(id: string, shop: EmailShop): Pick<Email, "replyTo"> {
  const address = replyAddress({ kind: "message", id }, shop);
  return address ? { replyTo: address } : {};
}

function contactReply(reply: ReplyMail, shop: EmailShop): Email {
  const { id, messageId, email, body, message, subject, matter, before } = reply;
  const answered = `Re: ${matter}`;
  return {
    to: email,
    from: supportEmail(),
    replyTo: supportEmail(),
    ...answersTo(messageId, shop),
    subject: answered,
    headers: { "Auto-Submitted": "no" },
    thread: {
      id: replyMailId(id, shop),
      after: subject === null ? [receiptMailId(messageId, shop), ...before] : before,
    },
    text: `${body}\n\nYou wrote:\n${message.replaceAll(/^/gm, "> ")}`,
    html: emailHtml(
      <EmailLayout subject={answered} preview={body.slice(0, 120)} shop={shop}>
        <EmailHeading>Our answer</EmailHeading>
        <EmailLines lines={body.split("\n")} />
        <EmailText look="small">You wrote:</EmailText>
        <div style={{ paddingLeft: "12px", borderLeft: "2px solid #e2e0da", fontSize: "14px", color: SOFT_INK }}>
          <EmailLines lines={message.split("\n")} />
        </div>
      </EmailLayout>,
    ),
  };
}

const idOf =
  (kind: string) =>
  (id: string, { baseUrl }: Pick<EmailShop, "baseUrl">) =>
    `<${kind}.${id}@${new URL(baseUrl).hostname}>`;

/** Message-ID of the receipt, which starts the thread in the sender's inbox. */
const receiptMailId = idOf("receipt");
/** Message-ID of the message to support. */
const messageMailId = idOf("message");
const replyMailId = idOf("reply");
