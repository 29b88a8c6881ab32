/** The emails to a customer whose order is not paid after all. */
import { EmailButton, EmailHeading, emailHtml, EmailLayout, EmailText } from "../../mail/email-layout.tsx";
import type { Email, EmailShop } from "../../mail/email.ts";
import { orderNumber } from "../../orders/order.ts";

export type PaymentNotice = { email: string; orderId: string; url: string };

type Words = { subject: string; heading: string; text: string; button: string };

function notice({ email, url }: PaymentNotice, { subject, heading, text, button }: Words, shop: EmailShop): Email {
  return {
    to: email,
    subject,
    text: `${text}\n\n${button}: ${url}`,
    html: emailHtml(
      <EmailLayout subject={subject} preview={text} shop={shop}>
        <EmailHeading>{heading}</EmailHeading>
        <EmailText look="soft">{text}</EmailText>
        <EmailButton href={url}>{button}</EmailButton>
      </EmailLayout>,
    ),
  };
}

export const orderNotCharged = (about: PaymentNotice, shop: EmailShop): Email =>
  notice(
    about,
    {
      subject: `Your Polara order ${orderNumber(about.orderId)} was not charged`,
      heading: "Sold out, and not charged",
      text: "Your payment came in after your order was held for you, and what you ordered has been sold meanwhile. We do not charge you: the amount that your bank has set aside is released, which can take some days to show.",
      button: "See the order",
    },
    shop,
  );

export const paymentEnded = (about: PaymentNotice, shop: EmailShop): Email =>
  notice(
    about,
    {
      subject: `Please pay your Polara order ${orderNumber(about.orderId)} again`,
      heading: "Your payment has ended",
      text: "Your bank has ended the authorization of your payment before we could ship. You were not charged. Your order is still kept for you: pay it again, and we ship it.",
      button: "Pay again",
    },
    shop,
  );
