/** The emails about what became of an order, by the step that causes each. */
import { emailTemplate } from "../mail/email.ts";
import {
  orderCanceled,
  orderChanged,
  orderDeclined,
  orderDelayed,
  type Changed,
  type Declined,
  type Delayed,
  type Ended,
} from "./emails/changes.ts";
import { paymentRequest, refundIssued, type AskedToPay, type Refunded } from "./emails/money.ts";
import { orderDelivered, orderShipped, parcelShipped, type Delivered, type Sent } from "./emails/parcels.ts";
import { changed, charged, delayed, delivered, reserved, sample, sent, unpaid } from "./email-samples.ts";
import { chargeOf, declineReason, linesOf, moneyOf, parcelOf, toldOrder } from "./order-for-mail.server.ts";
import { DECLINE_REASONS, isReason, type LineReason, type RefundReason } from "./reasons.ts";

type OfOrder = { orderId: string };
type OfParcel = OfOrder & { shipmentId: string };

declare module "../mail/email.ts" {
  interface EmailJobs {
    "order-shipped": OfParcel;
    "parcel-shipped": OfParcel;
    "order-delivered": OfOrder;
    "order-canceled": OfOrder;
    "order-declined": OfOrder;
    "order-changed": OfOrder & { itemId: string; units: number; reason: LineReason };
    "order-delayed": OfOrder & { until: string };
    "payment-request": OfOrder & { why: AskedToPay["why"] };
    "refund-issued": OfOrder & { cents: number; reason: RefundReason | null };
  }
}

type Load<Job, Data> = Parameters<typeof emailTemplate<Job, Data>>[0]["load"];

const loadParcel: Load<OfParcel, Sent> = async (db, { orderId, shipmentId }, shop) => {
  const [told, parcel] = [await toldOrder(db, orderId, shop), await parcelOf(db, shipmentId)];
  if (!told || !parcel) return null;
  return { ...parcel, ...told, shippingMethod: told.order.shippingMethod, money: await moneyOf(db, orderId) };
};

const loadEnded: Load<OfOrder, Ended> = async (db, { orderId }, shop) => {
  const told = await toldOrder(db, orderId, shop);
  return told && { ...told, money: await moneyOf(db, orderId) };
};

export const fulfillmentEmails = {
  "order-shipped": emailTemplate({
    load: loadParcel,
    render: orderShipped,
    samples: {
      "whole, of a customer": { ...sent, order: { ...sent.order, isOwnEmail: true } },
      "a part, without payment": { ...sent, hasMoreToCome: true, money: unpaid },
    },
  }),

  "parcel-shipped": emailTemplate({
    load: loadParcel,
    render: parcelShipped,
    samples: { "the last": sent, "with more to come": { ...sent, carrier: "usps", hasMoreToCome: true } },
  }),

  "order-delivered": emailTemplate({
    async load(db, { orderId }: OfOrder, shop): Promise<Delivered | null> {
      const told = await toldOrder(db, orderId, shop);
      return told?.order.deliveredAt ? { ...told, deliveredAt: told.order.deliveredAt } : null;
    },
    render: orderDelivered,
    samples: { "of a guest": delivered },
  }),

  "order-canceled": emailTemplate({
    load: loadEnded,
    render: orderCanceled,
    samples: {
      "not paid": { ...sample, money: unpaid },
      reserved: { ...sample, money: reserved },
      charged: { ...sample, money: charged },
    },
  }),

  "order-declined": emailTemplate({
    async load(db, job: OfOrder, shop): Promise<Declined | null> {
      const [ended, word] = [await loadEnded(db, job, shop), await declineReason(db, job.orderId)];
      return ended && { ...ended, reason: isReason(DECLINE_REASONS, word) ? word : null };
    },
    render: orderDeclined,
    samples: { reserved: { ...sample, money: reserved, reason: "sold-out" } },
  }),

  "order-changed": emailTemplate({
    async load(db, { orderId, itemId, units, reason }, shop): Promise<Changed | null> {
      const told = await toldOrder(db, orderId, shop);
      const line = (await linesOf(db, orderId)).find(({ id }) => id === itemId);
      if (!told || !line) return null;
      const now = await chargeOf(db, told.order);
      return { ...told, name: line.name, units, reason, now, money: await moneyOf(db, orderId) };
    },
    render: orderChanged,
    samples: { reserved: changed, "not paid": { ...changed, money: unpaid } },
  }),

  "order-delayed": emailTemplate({
    async load(db, { orderId, until }: OfOrder & { until: string }, shop): Promise<Delayed | null> {
      const told = await toldOrder(db, orderId, shop);
      return told && { ...told, until, keepUrl: `${told.url}&act=keep`, cancelUrl: `${told.url}&act=cancel` };
    },
    render: orderDelayed,
    samples: { "of a guest": delayed },
  }),

  "payment-request": emailTemplate({
    async load(db, { orderId, why }: OfOrder & Pick<AskedToPay, "why">, shop): Promise<AskedToPay | null> {
      const told = await toldOrder(db, orderId, shop);
      return told && { ...told, why, cents: (await chargeOf(db, told.order)).totalCents };
    },
    render: paymentRequest,
    samples: {
      asked: { ...sample, why: "asked", cents: 147_00 },
      "the charge failed": { ...sample, why: "capture-failed", cents: 147_00 },
    },
  }),

  "refund-issued": emailTemplate({
    async load(db, { orderId, cents, reason }: OfOrder & Pick<Refunded, "cents" | "reason">, shop) {
      const told = await toldOrder(db, orderId, shop);
      return told && { ...told, cents, reason };
    },
    render: refundIssued,
    samples: {
      "with its reason": { ...sample, cents: 24_00, reason: "damaged" },
      "of what was charged": { ...sample, cents: 147_00, reason: null },
    },
  }),
};
