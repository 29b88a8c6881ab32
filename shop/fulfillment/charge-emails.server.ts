/** Emails that ask for a payment or confirm one, and about charges of saved cards: announced, and refused. */
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { savedCardName } from "#shop/card-name.ts";
import { formatMoney } from "#shop/money.ts";
import { refusedCents } from "#shop/orders/actions/announce.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import type { OrderEmail } from "#shop/orders/order-email.tsx";
import { asOrdered, orderItems } from "#shop/orders/order.tables.ts";
import type { OrderItem } from "#shop/orders/orders.server.ts";
import { orderState } from "#shop/orders/state.ts";
import { orderUnits } from "#shop/orders/unit.tables.ts";
import type { PaymentMethod } from "#shop/payments/provider.ts";
import { payBy } from "#shop/orders/order-days.ts";
import { dayText } from "#shop/policy-text.ts";
import { card, type OfOrder, sample, template } from "./email-template.server.ts";
import type { OrderMail } from "./order-for-mail.server.ts";

/** `capture-failed`: a payment was authorized, but its capture failed. */
type PaymentRequest = OfOrder & { why: "asked" | "capture-failed" };
type Received = OfOrder & { cents: number };
type Refused = OfOrder & { isReminder: boolean };
/** `units` by their number; `isEarly`: before the promised day. */
type Announced = OfOrder & { chargeId: string; day: string; cents: number; units: number[]; isEarly: boolean };

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "charge-announced": Announced;
    "charge-refused": Refused;
    "payment-request": PaymentRequest;
    "payment-received": Received;
  }
}

type AnnouncedCharge = Announced & { items: OrderItem[] };

async function loadAnnounced(db: Database, job: Announced): Promise<AnnouncedCharge> {
  const items: OrderItem[] = await db
    .select({
      name: orderItems.name,
      priceCents: orderItems.priceCents,
      quantity: sql<number>`count(*)::int`,
      thumbnail: products.thumbnail,
    })
    .from(orderUnits)
    .innerJoin(orderItems, eq(orderItems.id, orderUnits.orderItemId))
    .leftJoin(products, eq(products.id, orderItems.productId))
    .where(and(eq(orderUnits.orderId, job.orderId), inArray(orderUnits.number, job.units)))
    .groupBy(orderItems.id, products.id)
    .orderBy(...asOrdered);
  return { ...job, items };
}

type RefusedCharge = { isReminder: boolean; cents: number; keptUntil: string };

async function loadRefused(db: Database, { orderId, isReminder }: Refused): Promise<RefusedCharge | null> {
  const facts = await readFacts(db, orderId);
  const state = facts && orderState(facts);
  const cents = state?.money.card?.refusedAt ? refusedCents(state) : 0;
  return state && cents > 0 ? { isReminder, cents, keptUntil: payBy(state) } : null;
}

const kept = { ...sample, money: { ...sample.money, hasPayment: true, savedCard: card } };
const announced: OrderMail & AnnouncedCharge = {
  ...kept,
  chargeId: "sample",
  day: "2026-04-01",
  cents: 108_99,
  units: [1],
  isEarly: false,
  items: [{ name: "Polara Pro Earth Green", priceCents: 99_00, quantity: 1, thumbnail: "pro-earth-green-hero" }],
};
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
            intro: `your bank declined the charge for order ${number}, so we couldn’t ship it. Nothing was charged.`,
            words: [`Please pay ${amount} again, in the same way or another. We’ve kept your order for you.`],
            links,
          }
        : {
            subject: `Please pay for your Polara order ${number}`,
            heading: "Your order is ready for payment",
            intro: `please pay ${amount} for your order ${number} and we’ll ship it.`,
            words: ["You won’t be charged until it ships."],
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
    ({ day, cents, items, isEarly, url, money: { savedCard }, status }, number) => ({
      subject: `Your Polara order ${number} ships on ${dayText(day)}`,
      heading: `Ships on ${dayText(day)}`,
      intro: isEarly
        ? `we can ship these items of your order ${number} sooner than we promised, on ${dayText(day)}.`
        : `we plan to ship these items of your order ${number} on ${dayText(day)}.`,
      words: [
        `When they ship, we’ll charge ${formatMoney(cents)} to ${cardWords(savedCard)}. Until then, nothing is charged.`,
        "If you’d like them sooner, tell us to ship now. We’ll then charge your card when they ship, which may be before that day.",
      ],
      items,
      links: [
        { label: "Ship it now", href: `${url}&intent=ship-now` },
        { label: "View your order", href: url },
        { label: "Change address", href: `${url}&intent=address` },
        { label: "Change card", href: `${url}&intent=card` },
        ...(status === "processing" ? [{ label: "Cancel", href: `${url}&intent=cancel` }] : []),
      ],
    }),
    {
      "three days before": announced,
      "before the promised day": { ...announced, isEarly: true },
    },
    loadAnnounced,
  ),

  "charge-refused": template<Refused, RefusedCharge>(
    ({ isReminder, cents, keptUntil, url, money: { savedCard }, status }, number) => ({
      subject: `${isReminder ? "Reminder: please" : "Please"} pay for your Polara order ${number}`,
      heading: "Your payment didn’t go through",
      intro: `your bank declined the charge of ${formatMoney(cents)} to ${cardWords(savedCard)} for your order ${number}, so the package hasn’t shipped. Nothing was charged.`,
      words: [
        `Please pay by ${dayText(keptUntil)}, with the same card or another one, and we’ll ship it. We’ll hold your items until then. After that, we’ll cancel what isn’t paid for.`,
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
