/** The email that tells the staff of a payment that needs a person. */
import { EmailHeading, emailHtml, EmailLayout, EmailText } from "../../mail/email-layout.tsx";
import type { Email, EmailShop } from "../../mail/email.ts";
import { orderNumber } from "../../orders/order.ts";
import type { Alert } from "../settle/decide.ts";

const WORDS: Record<Alert, { subject: string; text: string }> = {
  mismatch: {
    subject: "was paid with another amount",
    text: "The payment provider reports another amount or currency than ours. Nothing ships and nothing is charged. Compare the two in the provider's dashboard.",
  },
  surplus: {
    subject: "was paid twice",
    text: "A second payment came in, and is being given back. There is nothing to do unless the provider refuses it.",
  },
  disputed: {
    subject: "is disputed",
    text: "The customer's bank disputes the charge. Answer in the provider's dashboard before the deadline it names. Nothing can be refunded until then.",
  },
  "authorization-ended": {
    subject: "is not paid any more",
    text: "The bank has ended the authorization before the order shipped. The customer has been asked to pay again. Do not ship before that.",
  },
  "capture-soon": {
    subject: "must ship within 48 hours",
    text: "The authorization of its payment ends in less than 48 hours, and the money is given back by itself then. Ship it or write to the customer.",
  },
  "refund-failed": {
    subject: "has a refund that failed",
    text: "The bank did not take a refund, and the money is back with us. Ask the customer for another way to return it.",
  },
  "hold-extended": {
    subject: "could not be released",
    text: "Its time to pay is over, but the payment provider does not answer. Its units stay held, and the shop asks again every five minutes.",
  },
};

export function paymentAlert({ orderId, about }: { orderId: string; about: Alert }, shop: EmailShop): Email {
  const { subject: what, text } = WORDS[about];
  const subject = `Order ${orderNumber(orderId)} ${what}`;
  return {
    to: shop.supportEmail,
    subject,
    text,
    html: emailHtml(
      <EmailLayout subject={subject} preview={text} shop={shop}>
        <EmailHeading>{subject}</EmailHeading>
        <EmailText look="soft">{text}</EmailText>
      </EmailLayout>,
    ),
  };
}
