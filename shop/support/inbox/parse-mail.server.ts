/** Reading of raw mail (RFC 5322 and MIME). */
import { createHash } from "node:crypto";
import type { Address, Email } from "postal-mime";
import { linesIn, seenIn } from "#shop/text.ts";

export type Attachment = { name: string; type: string; bytes: Uint8Array };

export type Mail = {
  /** Message-ID with its brackets. */
  mailId: string;
  from: { name: string; email: string };
  /** Every address that it was sent to. */
  to: string[];
  /** Message-IDs that it answers, with their brackets. */
  answers: string[];
  subject: string;
  text: string;
  attachments: Attachment[];
  /** Written by a program, such as an answer of somebody who is away, or the report of a mail that bounced. */
  isAutomatic: boolean;
};

const MAX_CHARACTERS = { html: 500_000, text: 50_000, subject: 200, name: 100, email: 254, mailId: 500 };
const MAX_DEPTH = 20;

/** Headers that name recipients; mail servers add the address of delivery as one of the last four. */
const RECIPIENTS = ["to", "cc", "delivered-to", "x-original-to", "envelope-to", "x-forwarded-to"];

type Headers = (name: string) => string;

/** RFC 3834, and what programs that do not keep to it write. */
function isAutomatic(header: Headers, from: string): boolean {
  const submitted = header("auto-submitted").toLowerCase();
  return (
    (submitted !== "" && !submitted.startsWith("no")) ||
    /^\s*(?:bulk|junk|list|auto_reply)\b/i.test(header("precedence")) ||
    ["x-autoreply", "x-autorespond", "x-autoresponder", "list-id"].some((name) => header(name) !== "") ||
    header("return-path").trim() === "<>" ||
    /^\s*multipart\/report\b/i.test(header("content-type")) ||
    /^(?:mailer-daemon|postmaster|no-?reply)@/i.test(from)
  );
}

const addressesOf = (address: Address): string[] =>
  (address.group ?? [address]).flatMap(({ address: email }) => (email ? [email] : []));

/** Only some mail programs write HTML alone. */
const wordsOf = async (html: string): Promise<string> =>
  html && (await import("react-email")).toPlainText(html.slice(0, MAX_CHARACTERS.html));

const line = (text: string, max: number) => Array.from(seenIn(text).trim()).slice(0, max).join("");

/** Reads a mail; null without one sender. Its text is the plain one, or the words of its HTML. */
export async function parseMail(raw: Uint8Array): Promise<Mail | null> {
  const { default: PostalMime, addressParser } = await import("postal-mime");
  const mail: Email | null = await PostalMime.parse(raw, { maxNestingDepth: MAX_DEPTH }).catch(() => null);
  if (!mail) return null;
  const header: Headers = (name) => mail.headers.find(({ key }) => key === name)?.value ?? "";
  const email = mail.from?.address?.toLowerCase() ?? "";
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > MAX_CHARACTERS.email) return null;
  const recipients = mail.headers.filter(({ key }) => RECIPIENTS.includes(key));
  const known = mail.messageId?.slice(0, MAX_CHARACTERS.mailId);
  return {
    mailId: known || `<${createHash("sha256").update(raw).digest("hex")}@unnamed>`,
    from: { name: line(mail.from?.name ?? "", MAX_CHARACTERS.name) || email, email },
    to: recipients.flatMap(({ value }) => addressParser(value).flatMap(addressesOf)),
    answers: `${mail.inReplyTo ?? ""} ${mail.references ?? ""}`.match(/<[^<>\s]+>/g) ?? [],
    subject: line(mail.subject ?? "", MAX_CHARACTERS.subject),
    text: linesIn(mail.text ?? (await wordsOf(mail.html ?? ""))).slice(0, MAX_CHARACTERS.text),
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      name: line(filename ?? "", MAX_CHARACTERS.name) || mimeType,
      type: mimeType,
      bytes: typeof content === "string" ? Buffer.from(content) : new Uint8Array(content),
    })),
    isAutomatic: isAutomatic(header, email),
  };
}
