/** The email that brings a message from the contact form to support, to be answered by a plain reply. */
import { EmailButton, EmailHeading, emailHtml, EmailLayout, EmailLines, EmailText } from "../../mail/email-layout.tsx";
import type { Email, EmailShop } from "../../mail/email.ts";
import type { ContactMessage } from "../contact.server.ts";
import { messageMailId } from "../thread/mail-ids.ts";

export function contactMessage({ id, name, email, message }: ContactMessage, shop: EmailShop): Email {
  const subject = `Message from ${name}`;
  const link = `${shop.baseUrl}/admin/messages/${id}`;
  return {
    to: shop.supportEmail,
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
