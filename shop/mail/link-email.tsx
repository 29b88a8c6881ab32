/** The email that asks for one thing: a heading, why it comes, one button, and what to know about it. */
import { brand } from "../brand.ts";
import { EmailButton, EmailHeading, emailHtml, EmailLayout, EmailText } from "./email-layout.tsx";
import type { Email, EmailShop } from "./email.ts";

export type LinkEmail = { subject: string; intro: string; button: string; link: string; close: string };

export function linkEmail(to: string, { subject, intro, button, link, close }: LinkEmail, shop: EmailShop): Email {
  return {
    to,
    subject: `${subject} | ${brand.name}`,
    text: [intro, "", `${button}: ${link}`, "", close].join("\n"),
    html: emailHtml(
      <EmailLayout subject={subject} preview={intro} shop={shop}>
        <EmailHeading>{subject}</EmailHeading>
        <EmailText look="soft">{intro}</EmailText>
        <EmailButton href={link}>{button}</EmailButton>
        <EmailText look="small">{close}</EmailText>
      </EmailLayout>,
    ),
  };
}
