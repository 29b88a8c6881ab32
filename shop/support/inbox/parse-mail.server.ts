/**
 * Reading of raw mail (RFC 5322 and MIME). It runs in a thread with limits of time and memory (read-mail.server.ts), so it
 * imports little; what it returns is bounded in size and not yet cleaned.
 */
import PostalMime, { addressParser, type Address, type Email } from "postal-mime";
import { excessOf } from "./mail-limits.ts";

export type Mailbox = { name: string; email: string };
export type Attachment = {
  name: string;
  type: string;
  /** Bytes of what may be a picture that is kept; null of other attachments. */
  bytes: Uint8Array | null;
};

/** Headers by which programs and lists tell themselves. */
const FIELDS = [
  "auto-submitted",
  "precedence",
  "x-autoreply",
  "x-autorespond",
  "x-autoresponder",
  "list-id",
  "list-post",
  "return-path",
  "content-type",
  "x-original-from",
] as const;
export type Field = (typeof FIELDS)[number];

export type ParsedMail = {
  /** Message-ID with its brackets; empty without one. */
  mailId: string;
  from: Mailbox;
  replyTo: Mailbox[];
  /** Every address that it was sent to. */
  to: string[];
  /** Message-IDs that it answers, with their brackets. */
  answers: string[];
  subject: string;
  text: string;
  attachments: Attachment[];
  fields: Partial<Record<Field, string>>;
};

const MAX_CHARACTERS = { html: 500_000, text: 60_000, line: 2_000 };
const MAX = { depth: 20, forwarded: 3, headerBytes: 256 * 1024, addresses: 200, answers: 100, attachments: 100 };
const MAX_PICTURES = 20;
const MAX_PICTURE_BYTES = 10 * 1024 * 1024;

/** Headers that name recipients; mail servers add the address of delivery as one of the last four. */
const RECIPIENTS = ["delivered-to", "x-original-to", "envelope-to", "x-forwarded-to", "to", "cc"];

const cut = (text: string | undefined) => (text ?? "").slice(0, MAX_CHARACTERS.line);

const mailboxesOf = (address: Address): Mailbox[] =>
  (address.group ?? [address]).map(({ name, address: email }) => ({ name: cut(name), email: cut(email) }));

const HTML_OPTIONS = {
  wordwrap: false,
  // Without a limit of depth it recurses for each open element.
  limits: { maxInputLength: MAX_CHARACTERS.html, maxDepth: 100, ellipsis: "" },
  selectors: [
    { selector: "img", format: "skip" },
    { selector: "a", options: { linkBrackets: false, hideLinkHrefIfSameAsText: true } },
    ...["td", "th"].map((selector) => ({
      selector,
      format: "block",
      options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
    })),
  ],
};

/** The plain text if there is something in it, else the words of the HTML: some programs write HTML alone. */
async function textOf({ text = "", html = "" }: Email): Promise<string> {
  if (text.trim() || !html) return text;
  const { convert } = await import("html-to-text");
  return convert(html.slice(0, MAX_CHARACTERS.html), HTML_OPTIONS);
}

function attachmentsOf({ attachments }: Email): Attachment[] {
  let pictures = 0;
  return attachments.slice(0, MAX.attachments).map(({ filename, mimeType, content }) => {
    const bytes = typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
    const isPicture = mimeType.startsWith("image/") && bytes.length <= MAX_PICTURE_BYTES && pictures < MAX_PICTURES;
    if (isPicture) pictures++;
    return { name: cut(filename ?? mimeType), type: cut(mimeType), bytes: isPicture ? bytes : null };
  });
}

/** Reads an email; throws if it is damaged or has too much of something. */
export async function parseMail(raw: Uint8Array): Promise<ParsedMail> {
  const excess = excessOf(raw);
  if (excess) throw new Error(`an email has too much: ${excess}`);
  const { depth: maxNestingDepth, forwarded: maxRfc822NestingDepth, headerBytes: maxHeadersSize } = MAX;
  const mail = await PostalMime.parse(raw, { maxNestingDepth, maxRfc822NestingDepth, maxHeadersSize });
  const valuesOf = (name: string) => mail.headers.filter(({ key }) => key === name).map(({ value }) => value);
  const recipients = RECIPIENTS.flatMap(valuesOf).flatMap((value) => addressParser(value).flatMap(mailboxesOf));
  const [from = { name: "", email: "" }] = mail.from ? mailboxesOf(mail.from) : [];
  return {
    mailId: cut(mail.messageId),
    from: { ...from, name: from.name || cut(valuesOf("from")[0]) },
    replyTo: (mail.replyTo ?? []).flatMap(mailboxesOf).slice(0, MAX.addresses),
    to: recipients.map(({ email }) => email).slice(0, MAX.addresses),
    answers: (`${mail.references ?? ""} ${mail.inReplyTo ?? ""}`.match(/<[^<>\s]{1,500}>/g) ?? []).slice(-MAX.answers),
    subject: cut(mail.subject),
    text: (await textOf(mail)).slice(0, MAX_CHARACTERS.text),
    attachments: attachmentsOf(mail),
    fields: Object.fromEntries(FIELDS.map((name) => [name, cut(valuesOf(name)[0])])),
  };
}
