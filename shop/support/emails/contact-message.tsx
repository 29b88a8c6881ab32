/** The email that brings a message from the contact form to support, to be answered by a plain reply. */
import { EmailHeading, emailHtml, EmailLayout, EmailLines, EmailText } from "../../mail/email-layout.tsx";
import type { Email, EmailShop } from "../../mail/email.ts";
import type { ContactForm } from "../contact-form.ts";

export function contactMessage({ name, email, message }: ContactForm, shop: EmailShop): Email {
  const subject = `Message from ${name}`;
  return {
    to: shop.supportEmail,
    replyTo: email,
    subject,
    text: `${name} <${email}> wrote:\n\n${message}`,
    html: emailHtml(
      <EmailLayout subject={subject} preview={message.slice(0, 120)} shop={shop}>
        <EmailHeading>{subject}</EmailHeading>
        <EmailText look="soft">{email}</EmailText>
        <div style={{ paddingTop: "24px" }}>
          <EmailLines lines={message.split("\n")} />
        </div>
      </EmailLayout>,
    ),
  };
}
