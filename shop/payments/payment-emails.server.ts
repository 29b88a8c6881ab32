import { eq } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { emailTemplate, type EmailShop } from "#shop/mail/email.ts";
import { orderUrl } from "#shop/orders/order-link.server.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { isChargedByParcel } from "./locked-payments.server.ts";
import { payments } from "./payment.tables.ts";
import { ALERTS, type Alert } from "./reconcile.ts";
import {
  orderNotCharged,
  paymentAlert,
  paymentEnded,
  refundFailed,
  type PaymentNotice,
} from "./emails/payment-emails.tsx";

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "order-not-charged": { orderId: string };
    "payment-ended": { orderId: string };
    "refund-failed": { orderId: string; cents: number };
    "payment-alert": { orderId: string; about: Alert };
  }
}

type Job = { orderId: string };

const orderId = "8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f750";
const sample = { email: "ada@example.com", orderId, url: `http://localhost:3000/orders/${orderId}?k=sample` };

async function load(db: Database, job: Job, shop: EmailShop): Promise<PaymentNotice | null> {
  const { id, email, linkVersion } = orders;
  const [order] = await db.select({ id, email, linkVersion }).from(orders).where(eq(id, job.orderId));
  // Orders of a deleted account have no address.
  return order?.email ? { email: order.email, orderId: order.id, url: orderUrl(order, shop) } : null;
}

export const paymentEmails = {
  "order-not-charged": emailTemplate({
    async load(db, job: Job, shop) {
      const about = await load(db, job, shop);
      const kinds = await db.select({ kind: payments.kind }).from(payments).where(eq(payments.orderId, job.orderId));
      return about && { ...about, savesCard: isChargedByParcel(kinds) };
    },
    render: orderNotCharged,
    samples: {
      "paid after its reservation": { ...sample, savesCard: false },
      "with a card saved after it": { ...sample, savesCard: true },
    },
  }),
  "payment-ended": emailTemplate({ load, render: paymentEnded, samples: { "with the link to pay": sample } }),
  "refund-failed": emailTemplate({
    async load(db, job: Job & { cents: number }, shop) {
      const about = await load(db, job, shop);
      return about && { ...about, cents: job.cents };
    },
    render: refundFailed,
    samples: { "after it was announced": { ...sample, cents: 24_00 } },
  }),
  "payment-alert": emailTemplate({
    load: (_db, job: { orderId: string; about: Alert }) => Promise.resolve(job),
    render: paymentAlert,
    samples: Object.fromEntries(ALERTS.map((about) => [about, { orderId, about }])),
  }),
};
