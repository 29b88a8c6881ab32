/** The email that tells whoever wrote to the shop that their message is there. */
import { brand } from "../../brand.ts";
import { EmailButton, EmailHeading, emailHtml, EmailLayout, EmailText } from "../../mail/email-layout.tsx";
import type { Email, EmailShop } from "../../mail/email.ts";
import { policy } from "../../policies.ts";
import type { ContactMessage } from "../contact.server.ts";
import { receiptMailId } from "../thread/mail-ids.ts";

export const RECEIPT_SUBJECT = "We have your message";

const NOT_YOU = "You did not write to us? Then somebody typed your address by mistake, and you can ignore this mail.";

/**
 * Nothing of what was typed stands in it: anyone can type anyone's address, and the shop carries no stranger's words to
 * them.
 */
export function contactReceipt({ id, email }: Pick<ContactMessage, "id" | "email">, shop: EmailShop): Email {
  const subject = RECEIPT_SUBJECT;
  const text = `Thank you for writing to ${brand.name}. Your message is with us, and a person will answer to this address. We are here ${policy.supportHours}.`;
  return {
    to: email,
    subject,
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
