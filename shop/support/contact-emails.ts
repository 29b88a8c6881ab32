/** The two letters about a message from the contact form. */
import { brand } from "../brand.ts";
import { escapeHtml, letterButton, letterHtml } from "../mail/email-layout.ts";
import type { Letter } from "../mail/transport.server.ts";
import { policy } from "../policies.ts";
import type { ContactMessage } from "./contact.server.ts";

const heading = "margin:0 0 12px;font-size:26px;line-height:1.15;letter-spacing:-0.02em";

/** To support, to be answered by a plain reply. */
export function contactMessageLetter({ name, email, message }: ContactMessage): Letter {
  const subject = `Message from ${name}`;
  const body = `<h1 style="${heading}">${escapeHtml(subject)}</h1>
<p style="margin:0 0 24px;color:#565c61">${escapeHtml(email)}</p>
<p style="margin:0">${escapeHtml(message).replaceAll("\n", "<br>")}</p>`;
  return {
    to: brand.supportEmail,
    replyTo: email,
    subject,
    text: `${name} <${email}> wrote:\n\n${message}`,
    html: letterHtml({ title: subject, preview: message.slice(0, 120), body }),
  };
}

/**
 * To the sender. Nothing of what was typed stands in it: anyone can type anyone's address, and the
 * shop carries no stranger's words to them.
 */
export function contactReceiptLetter({ email }: Pick<ContactMessage, "email">, baseUrl: string): Letter {
  const subject = "We have your message";
  const text = `Thank you for writing to ${brand.name}. Your message is with us, and a person will answer to this address. We are here ${policy.supportHours}.`;
  const notYou = "You did not write to us? Then somebody typed your address by mistake, and you can ignore this mail.";
  const body = `<h1 style="${heading}">${subject}</h1>
<p style="margin:0">${escapeHtml(text)}</p>
${letterButton(`${baseUrl}/support`, "Back to Support")}
<p style="margin:32px 0 0;font-size:14px;color:#565c61">${notYou}</p>`;
  return {
    to: email,
    subject,
    text: `${text}\n\n${baseUrl}/support\n\n${notYou}`,
    html: letterHtml({ title: subject, preview: text, body }),
  };
}
