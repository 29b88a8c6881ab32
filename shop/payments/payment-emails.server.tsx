/** Emails to customers whose order turned out not to be paid, and to staff about payments that need a person. */
import { eq } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { supportEmail } from "#shop/contact-addresses.server.ts";
import { EmailButton, EmailHeading, emailHtml, EmailLayout, EmailText } from "#shop/mail/email-layout.tsx";
import { type Email, type EmailShop, emailTemplate } from "#shop/mail/email.ts";
import { formatMoney } from "#shop/money.ts";
import { type OrderEmail, orderEmail } from "#shop/orders/order-email.tsx";
import { sampleOrder } from "#shop/orders/order-emails.server.ts";
import { orderUrl } from "#shop/orders/order-link.server.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { isChargedByParcel } from "./locked-payments.server.ts";
import { payments } from "./payment.tables.ts";
import type { Alert } from "./reconcile.ts";

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "order-not-charged": { orderId: string };
    "payment-ended": { orderId: string };
    "refund-failed": { orderId: string; cents: number };
    "payment-alert": { orderId: string; about: Alert };
  }
}

type Job = { orderId: string };
type PaymentNotice = { email: string; orderId: string; url: string };
type Words = { subject: string; heading: string; text: string; button: string };

const { id: orderId, email } = sampleOrder;
const sample = { email, orderId, url: `http://localhost:3000/orders/${orderId}?k=sample` };

async function load(db: Database, job: Job, shop: EmailShop): Promise<PaymentNotice | null> {
  const { id, email, linkVersion } = orders;
  const [order] = await db.select({ id, email, linkVersion }).from(orders).where(eq(id, job.orderId));
  // Orders of a deleted account have no address.
  return order?.email ? { email: order.email, orderId: order.id, url: orderUrl(order, shop) } : null;
}

function notice({ email: to, orderId, url: href }: PaymentNotice, shop: EmailShop, { text, button, ...rest }: Words) {
  const links: OrderEmail["links"] = [{ label: button, href }];
  const placeholders = { orderNumber: orderNumber(orderId) };
  return orderEmail({ to, ...rest, words: [text], links, placeholders }, shop);
}

const ALERTS: Record<Alert, { subject: string; text: string }> = {
  mismatch: {
    subject: "was paid with another amount",
    text: "The payment provider reports another amount or currency than ours. Nothing ships and nothing is charged. Compare the two in the provider’s dashboard.",
  },
  surplus: {
    subject: "was paid twice",
    text: "A second payment came in, and we’re refunding it. There’s nothing to do unless the provider refuses it.",
  },
  disputed: {
    subject: "is disputed",
    text: "The customer’s bank disputes the charge. Answer in the provider’s dashboard before the deadline it names. Nothing can be refunded until then.",
  },
  "dispute-lost": {
    subject: "is lost by a dispute",
    text: "The customer’s bank decided the dispute for the customer, and took the money back. Its sales tax stays due.",
  },
  "authorization-ended": {
    subject: "isn’t paid anymore",
    text: "The bank ended the authorization before the order shipped. We asked the customer to pay again. Don’t ship before that.",
  },
  "capture-soon": {
    subject: "must ship within 48 hours",
    text: "Its payment authorization ends in less than 48 hours, and then the bank releases the money. Ship it or email the customer.",
  },
  "refund-failed": {
    subject: "has a refund that failed",
    text: "The bank didn’t take a refund, and the money is back with us. The order stays under Payment issues until you refund the same amount again, or pay it back in another way and mark it as resolved.",
  },
  "hold-extended": {
    subject: "could not be released",
    text: "Its time to pay is over, but the payment provider isn’t answering. Its units stay reserved, and the shop asks again every five minutes.",
  },
};

function paymentAlert({ orderId, about }: { orderId: string; about: Alert }, shop: EmailShop): Email {
  const { subject: what, text } = ALERTS[about];
  const subject = `Order ${orderNumber(orderId)} ${what}`;
  const link = { label: "Open the order", href: `${shop.baseUrl}/admin/orders/${orderId}` };
  return {
    to: supportEmail(),
    subject,
    text: `${text}\n\n${link.label}: ${link.href}`,
    html: emailHtml(
      <EmailLayout subject={subject} preview={text} shop={shop}>
        <EmailHeading>{subject}</EmailHeading>
        <EmailText look="soft">{text}</EmailText>
        <EmailButton href={link.href}>{link.label}</EmailButton>
      </EmailLayout>,
    ),
  };
}

export const paymentEmails = {
  "order-not-charged": emailTemplate({
    async load(db, job: Job, shop) {
      const about = await load(db, job, shop);
      const kinds = await db.select({ kind: payments.kind }).from(payments).where(eq(payments.orderId, job.orderId));
      // The order's page saved a card, and its bank set nothing aside.
      return about && { ...about, savesCard: isChargedByParcel(kinds) };
    },
    render: (about, shop) =>
      notice(about, shop, {
        subject: `Your Polara order ${orderNumber(about.orderId)} wasn’t charged`,
        heading: "Sold out, and not charged",
        text: about.savesCard
          ? "We’re sorry. Your card was saved after your reservation had ended, and what you ordered has since sold out. Nothing was charged, and we’ll delete your saved card."
          : "We’re sorry. Your payment came in after your reservation had ended, and what you ordered has since sold out. We won’t charge you. Your bank will release the amount it set aside, which can take a few days to show.",
        button: "View your order",
      }),
    samples: {
      "paid after its reservation": { ...sample, savesCard: false },
      "with a card saved after it": { ...sample, savesCard: true },
    },
  }),
  "payment-ended": emailTemplate({
    load,
    render: (about, shop) =>
      notice(about, shop, {
        subject: `Please pay your Polara order ${orderNumber(about.orderId)} again`,
        heading: "Please pay again",
        text: "Your bank ended the authorization of your payment before we could ship. You weren’t charged, and we’ve kept your order for you. Pay again and we’ll ship it.",
        button: "Pay again",
      }),
    samples: { "with the link to pay": sample },
  }),
  "refund-failed": emailTemplate({
    async load(db, job: Job & { cents: number }, shop) {
      const about = await load(db, job, shop);
      return about && { ...about, cents: job.cents };
    },
    render: ({ cents, ...about }, shop) =>
      notice(about, shop, {
        subject: `The refund for your Polara order ${orderNumber(about.orderId)} didn’t go through`,
        heading: "Your refund didn’t go through",
        text: `Your bank didn’t accept the refund of ${formatMoney(cents)}, and the money came back to us. It’s still yours. We’re working on it and will email you. There’s nothing you need to do.`,
        button: "View your order",
      }),
    samples: { "after it was announced": { ...sample, cents: 24_00 } },
  }),
  "payment-alert": emailTemplate({
    load: (_db, job: { orderId: string; about: Alert }) => Promise.resolve(job),
    render: paymentAlert,
    samples: Object.fromEntries(Object.keys(ALERTS).map((about) => [about, { orderId, about: about as Alert }])),
  }),
};
