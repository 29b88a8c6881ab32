/** An email as the shop takes it: cleaned, with the person to answer, and whether a program wrote it. */
import { linesIn, seenIn } from "#shop/text.ts";
import { z } from "#shop/zod.ts";
import type { Field, Mailbox, ParsedMail } from "./parse-mail.server.ts";
import type { Reading } from "./read-mail.server.ts";

/** Addresses of the shop itself, the one of the inbox first. */
export type OwnAddresses = { addresses: string[]; host: string };

export type Mail = Pick<ParsedMail, "mailId" | "to" | "answers" | "attachments" | "subject" | "text"> & {
  /** False: of a mail that is damaged or too costly, of which the headers are known at most. */
  isReadable: boolean;
  /** Whom answers go to: its Reply-To, else its sender; no email if neither can be written to. */
  from: Mailbox;
  /** The sender, where answers go to another address. */
  sentFrom: string | null;
  /** Written by a program, such as an answer of somebody who is away, the report of a mail that bounced, or a list. */
  isAutomatic: boolean;
  /** Sent by the shop itself. */
  isOwn: boolean;
};

const MAX = { text: 50_000, subject: 200, name: 100, email: 254, mailId: 500 };

const line = (text: string, max: number) => Array.from(seenIn(text).trim()).slice(0, max).join("");

export const isSameEmail = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** The address if an email can be sent to it: programs read others, such as one with a comma, as several. */
const usable = (address: string): string => {
  const email = address.toLowerCase();
  return email.length <= MAX.email && z.regexes.email.test(email) ? email : "";
};

const PROGRAM = /^(?:mailer-daemon|postmaster)@/;
const NOBODY = /^(?:do-?not-?reply|no-?reply)\b/;

/** A list that is the address of the shop, as a group that its team shares. */
const isOwnList = (field: (name: Field) => string, { addresses }: OwnAddresses) =>
  addresses.some(
    (own) =>
      field("list-id")
        .toLowerCase()
        .includes(`<${own.toLowerCase().replace("@", ".")}>`) ||
      field("list-post").toLowerCase().includes(`<mailto:${own.toLowerCase()}>`),
  );

/** RFC 3834, and what programs that do not keep to it write. */
function isOfProgram(field: (name: Field) => string, isList: boolean): boolean {
  const submitted = field("auto-submitted").toLowerCase();
  return (
    (submitted !== "" && !submitted.startsWith("no")) ||
    /^\s*(?:bulk|junk|auto_reply)\b/i.test(field("precedence")) ||
    (isList && (field("list-id") !== "" || /^\s*list\b/i.test(field("precedence")))) ||
    (["x-autoreply", "x-autorespond", "x-autoresponder"] as const).some((name) => field(name) !== "") ||
    field("return-path").trim() === "<>" ||
    /^\s*multipart\/report\b/i.test(field("content-type"))
  );
}

const OWN_ID = /^<(?:receipt|reply|message)\.[0-9a-f-]{36}@(.+)>$/;

const UNREADABLE = "This email could not be read.";

const NOTHING: ParsedMail = {
  mailId: "",
  from: { name: "", email: "" },
  replyTo: [],
  to: [],
  answers: [],
  subject: "",
  text: "",
  attachments: [],
  fields: {},
};

/** Cleans an email and decides from whom it is. No string of it holds a character that the database refuses. */
export function mailOf({ unnamed, head, whole }: Reading, own: OwnAddresses): Mail {
  const parsed = whole ?? head ?? NOTHING;
  const field = (name: Field) => parsed.fields[name] ?? "";
  const [inboxName = "", inboxHost = ""] = (own.addresses[0] ?? "").toLowerCase().split("@");
  const isShop = (email: string) =>
    own.addresses.some((one) => isSameEmail(one, email)) ||
    (email.startsWith(`${inboxName}+`) && email.endsWith(`@${inboxHost}`));
  const sender = usable(parsed.from.email);
  // A group that sends in its own name keeps the first sender here.
  const original = isShop(sender)
    ? [{ name: "", email: /[^<>\s]+@[^<>\s]+/.exec(field("x-original-from"))?.[0] ?? "" }]
    : [];
  const asked = [...parsed.replyTo, ...original].find(({ email }) => usable(email) && !isShop(usable(email)));
  const email = asked ? usable(asked.email) : sender;
  const isElsewhere = email !== sender;
  const name = isElsewhere ? (asked?.name ?? "") : parsed.from.name;
  const mailId = line(parsed.mailId, MAX.mailId) || unnamed;
  return {
    isReadable: whole !== null,
    mailId,
    from: { name: line(name, MAX.name) || email || "Unknown sender", email },
    sentFrom: isElsewhere ? sender || line(parsed.from.email || parsed.from.name, MAX.email) : null,
    to: parsed.to.map((address) => line(address, MAX.email)),
    answers: parsed.answers.map((id) => line(id, MAX.mailId)),
    subject: line(parsed.subject, MAX.subject),
    text: whole ? linesIn(whole.text).slice(0, MAX.text) : UNREADABLE,
    attachments: parsed.attachments.map((one) => ({
      ...one,
      name: line(one.name, MAX.name) || line(one.type, MAX.name) || "file",
    })),
    isAutomatic:
      isOfProgram(field, !isOwnList(field, own)) || PROGRAM.test(sender) || NOBODY.test(email) || isShop(email),
    isOwn: isShop(sender) && (/^\s*auto-/i.test(field("auto-submitted")) || OWN_ID.exec(mailId)?.[1] === own.host),
  };
}
