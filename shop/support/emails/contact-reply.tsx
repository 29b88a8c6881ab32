/** The email with what staff answered to a message, which a mail program puts below the receipt and the replies before. */
import { EmailHeading, emailHtml, EmailLayout, EmailLines, EmailText, SOFT_INK } from "../../mail/email-layout.tsx";
import type { Email, EmailShop } from "../../mail/email.ts";
import { receiptMailId, replyMailId } from "../thread/mail-ids.ts";
import { RECEIPT_SUBJECT } from "./contact-receipt.tsx";

export type ReplyMail = {
  id: string;
  messageId: string;
  email: string;
  body: string;
  /** What it answers. */
  message: string;
  /** The Message-IDs of the replies before it, as they were sent, the oldest first. */
  before: string[];
};

export function contactReply({ id, messageId, email, body, message, before }: ReplyMail, shop: EmailShop): Email {
  return {
    to: email,
    from: shop.supportEmail,
    replyTo: shop.supportEmail,
    // The words of the receipt: some programs go by them as well.
    subject: `Re: ${RECEIPT_SUBJECT}`,
    thread: { id: replyMailId(id, shop), after: [receiptMailId(messageId, shop), ...before] },
    text: `${body}\n\nYou wrote:\n${message.replaceAll(/^/gm, "> ")}`,
    html: emailHtml(
      <EmailLayout subject={`Re: ${RECEIPT_SUBJECT}`} preview={body.slice(0, 120)} shop={shop}>
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
