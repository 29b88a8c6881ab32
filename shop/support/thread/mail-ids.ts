/** The Message-IDs of a conversation, by which a mail program puts its mails together. */
import type { EmailShop } from "../../mail/email.ts";

const idOf =
  (kind: string) =>
  (id: string, { baseUrl }: Pick<EmailShop, "baseUrl">) =>
    `<${kind}.${id}@${new URL(baseUrl).hostname}>`;

/** Of the receipt, with which the conversation begins in the sender's inbox. */
export const receiptMailId = idOf("receipt");
/** Of the message, as it reaches support. */
export const messageMailId = idOf("message");
/** Of a reply. */
export const replyMailId = idOf("reply");
