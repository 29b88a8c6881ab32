/** Emails that ask for a payment or confirm one, and about charges of saved cards: announced, and refused. */
import { and, asc, desc, eq, inArray, ne, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { savedCardName } from "#shop/card-name.ts";
import { formatMoney } from "#shop/money.ts";
import { amountsDue, unitsKept } from "#shop/orders/order.ts";
import type { OrderEmail } from "#shop/orders/order-email.tsx";
import type { OrderItem } from "#shop/orders/orders.server.ts";
import { payments } from "#shop/payments/payment.tables.ts";
import type { PaymentMethod } from "#shop/payments/provider.ts";
import { lastDayToPay } from "#shop/payments/saved-card.ts";
import { dayText } from "#shop/policy-text.ts";
import { type OfOrder, sample, template } from "./email-template.server.ts";
import { readOrder } from "./locked-order.server.ts";
import { paidCents } from "./ship.server.ts";

/** `capture-failed`: a payment was authorized, but its capture failed. */
type PaymentRequest = OfOrder & { why: "asked" | "capture-failed" };
type Received = OfOrder & { cents: number };
type Refused = OfOrder & { isReminder: boolean };
type Announced = OfOrder & { day: string };

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "charge-announced": Announced;
    "charge-refused": Refused;
    "payment-request": PaymentRequest;
    "payment-received": Received;
  }
}

type AnnouncedCharge = { day: string; cents: number; items: OrderItem[] };

/** Items that ship on a day, and the cents that are then charged. Null if nothing of it is left to ship or to charge. */
async function loadAnnounced(db: Database, { orderId, day }: Announced): Promise<AnnouncedCharge | null> {
  const order = await readOrder(db, orderId);
  const ships = order?.lines.filter(({ chargeAnnouncedFor, unitsLeft }) => chargeAnnouncedFor === day && unitsLeft > 0);
  if (!order || !ships?.length) return null;
  const dueWith = (more: typeof ships) =>
    amountsDue(
      order,
      order.lines.map((line) => ({ ...line, unitsSent: unitsKept(line) - (more.includes(line) ? 0 : line.unitsLeft) })),
    ).totalCents;
  // A parcel may wait for its charge, or was charged and then undone.
  const cents = dueWith(ships) - Math.max(dueWith([]), await paidCents(db, orderId));
  if (cents <= 0) return null;
  const ids = ships.map(({ productId }) => productId);
  const pictures = await db
    .select({ id: products.id, thumbnail: products.thumbnail })
    .from(products)
    .where(inArray(products.id, ids));
  const items = ships.map(({ name, priceCents, unitsLeft, productId }) => ({
    name,
    priceCents,
    quantity: unitsLeft,
    thumbnail: pictures.find(({ id }) => id === productId)?.thumbnail ?? null,
  }));
  return { day, cents, items };
}

type RefusedCharge = { isReminder: boolean; cents: number; keptUntil: string };

async function loadRefused(db: Database, { orderId, isReminder }: Refused): Promise<RefusedCharge | null> {
  const ofOrder = eq(payments.orderId, orderId);
  const [failed] = await db
    .select({ cents: payments.amountCents })
    .from(payments)
    .where(and(ofOrder, eq(payments.state, "failed"), ne(payments.kind, "setup")))
    .orderBy(desc(payments.createdAt))
    .limit(1);
  const [kept] = await db
    .select({ refusedAt: payments.refusedAt })
    .from(payments)
    .where(and(ofOrder, sql`${payments.savedCustomer} IS NOT NULL`))
    .orderBy(desc(payments.createdAt), asc(payments.id))
    .limit(1);
  if (!failed || !kept?.refusedAt) return null;
  return {
    isReminder,
    cents: failed.cents,
    keptUntil: lastDayToPay(kept.refusedAt),
  };
}

const card: PaymentMethod = { brand: "visa", lastFour: "4242", wallet: null };
const kept = { ...sample, money: { ...sample.money, isPaid: true, savedCard: card } };
const cardWords = (saved: PaymentMethod | null) => (saved ? `your ${savedCardName(saved)}` : "your card");

export const chargeEmails = {
  "payment-request": template<PaymentRequest>(
    ({ why, url, charged: { totalCents } }, number) => {
      const [amount, links]: [string, OrderEmail["links"]] = [
        formatMoney(totalCents),
        [{ label: "Pay now", href: url }],
      ];
      return why === "capture-failed"
        ? {
            subject: `Please pay again: your Polara order ${number}`,
            heading: "Your payment didn’t go through",
            intro: `your bank didn’t let us charge you for order ${number}, so we couldn’t ship it. Nothing was charged.`,
            words: [`Please pay ${amount} again, in the same way or another. We’ve kept your order for you.`],
            links,
          }
        : {
            subject: `Please pay for your Polara order ${number}`,
            heading: "Your order is ready for payment",
            intro: `please pay ${amount} for your order ${number}, and we’ll ship it.`,
            words: ["We charge you only when it ships."],
            links,
          };
    },
    {
      requested: { ...sample, why: "asked" },
      "after a failed charge": { ...sample, why: "capture-failed" },
    },
  ),

  "payment-received": template<Received>(
    ({ cents }, number) => ({
      subject: `We’ve received your payment for Polara order ${number}`,
      heading: "Thanks for your payment",
      intro: `we’ve received ${formatMoney(cents)} for your order ${number}. We’ll email you when it ships.`,
    }),
    { "recorded by staff": { ...sample, cents: 99_00 } },
  ),

  "charge-announced": template<Announced, AnnouncedCharge>(
    ({ day, cents, items, url, money: { savedCard }, status }, number) => ({
      subject: `Your Polara order ${number} ships on ${dayText(day)}`,
      heading: `Ships on ${dayText(day)}`,
      intro: `we plan to ship these items of your order ${number} on ${dayText(day)}.`,
      words: [
        `When they ship, we charge ${formatMoney(cents)} to ${cardWords(savedCard)}. Until then, nothing is charged.`,
      ],
      items,
      links: [
        { label: "View your order", href: url },
        { label: "Change address", href: `${url}&intent=address` },
        { label: "Change card", href: `${url}&intent=card` },
        ...(status === "processing" ? [{ label: "Cancel", href: `${url}&intent=cancel` }] : []),
      ],
    }),
    {
      "three days before": {
        ...kept,
        day: "2026-04-01",
        cents: 108_99,
        items: [{ name: "Polara Pro Earth Green", priceCents: 99_00, quantity: 1, thumbnail: "pro-earth-green-hero" }],
      },
    },
    loadAnnounced,
  ),

  "charge-refused": template<Refused, RefusedCharge>(
    ({ isReminder, cents, keptUntil, url, money: { savedCard }, status }, number) => ({
      subject: `${isReminder ? "Reminder: please" : "Please"} pay for your Polara order ${number}`,
      heading: "Your payment didn’t go through",
      intro: `your bank didn’t let us charge ${formatMoney(cents)} to ${cardWords(savedCard)} for your order ${number}, so the package hasn’t shipped. Nothing was charged.`,
      words: [
        `Please pay by ${dayText(keptUntil)}, with the same card or another one, and we’ll ship it. We keep your items for you until then. After that, we cancel what hasn’t shipped.`,
      ],
      links: [
        { label: "Pay now", href: url },
        ...(status === "processing" ? [{ label: "Cancel my order", href: `${url}&intent=cancel` }] : []),
      ],
    }),
    {
      "at once": { ...kept, isReminder: false, cents: 108_99, keptUntil: "2026-04-08" },
      "four days later": { ...kept, isReminder: true, cents: 108_99, keptUntil: "2026-04-08" },
    },
    loadRefused,
  ),
};
