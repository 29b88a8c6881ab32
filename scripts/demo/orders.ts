/** One demo order, from the cart to its final status. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "#db/connection.server.ts";
import type { Campaign } from "#shop/campaign.ts";
import { addToCart, getCart } from "#shop/cart/cart.server.ts";
import type { Buyer } from "#shop/cart/cart.ts";
import { checkoutSchema } from "#shop/checkout/checkout-form.ts";
import { placeOrder } from "#shop/checkout/place-order.server.ts";
import { delayOrder } from "#shop/fulfillment/delay.server.ts";
import { cancelByBuyer, markDelivered } from "#shop/fulfillment/fulfill.server.ts";
import { refundOrder } from "#shop/fulfillment/refund.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { openPage } from "#shop/payments/open-page.server.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { expireOrder } from "#shop/payments/payments.server.ts";
import { reconcileOrder } from "#shop/payments/reconcile.server.ts";
import { runAction } from "#shop/payments/run-action.server.ts";
import { readSettings } from "#shop/settings/settings.server.ts";
import { policy } from "#shop/policies.ts";
import type { RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import type { Steps } from "./backdate.ts";
import type { Person, Random } from "./people.ts";

/** Fates of past orders, by weight. */
export const USUAL = [
  ["delivered", 870],
  ["expired", 45],
  ["canceled", 35],
  ["two-parcels", 25],
  ["partly-refunded", 30],
  ["refunded", 20],
] as const;

/** Open work of today: the age of an order in days, and its fate. */
export const WORK = [
  [0.003, "unpaid"],
  [0.008, "unpaid"],
  [2.2, "delayed"],
  [3.6, "payment-problem"],
  [5.6, "delayed"],
  [6.5, "rest-to-ship"],
  [8, "rest-to-ship"],
  [24, "disputed"],
  [30, "refund-failed"],
] as const;

type Fate = (typeof USUAL)[number][0] | (typeof WORK)[number][1];
export type Plan = { at: Date; fate: Fate; person: Person & { customerId: string | null }; campaign: Campaign };

type Tools = {
  db: Database;
  steps: Steps;
  providers: PaymentProviders;
  rateLimits: RateLimits;
  random: Random;
  handlePage(request: Request): Promise<Response>;
};

const GOOD_CARD = "4242424242424242";
const CARDS: Partial<Record<Fate, string>> = {
  unpaid: "4000000000009995",
  expired: "4000000000009995",
  "payment-problem": "4000000000004400",
  "refund-failed": "4000000000005126",
  disputed: "4000000000000259",
};
/** Code that some of the buyers enter. */
export const WELCOME = "WELCOME10";
const IN_PARTS: Fate[] = ["two-parcels", "rest-to-ship"];
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns the function that makes an order by plan: its id and a product in it, or null if it was refused. */
export function openOrders({ db, steps, providers, rateLimits, random, handlePage }: Tools) {
  let parcels = 0;
  const query = async <Row extends object>(text: string, ...values: unknown[]) =>
    (await db.$client.query<Row>(text, values)).rows;

  /** A step of an order, with its calls to the provider and their results. */
  const step = (orderId: string, at: Date, run: () => Promise<unknown>): Promise<boolean> =>
    steps.take(at, async () => {
      await run();
      const actions = await query<{ id: string }>(
        `SELECT payment_actions.id FROM payment_actions JOIN payments ON payments.id = payment_id
         WHERE order_id = $1 AND payment_actions.state IN ('asked', 'sent')`,
        orderId,
      );
      for (const { id } of actions) await runAction(db, providers, id);
      await reconcileOrder(db, providers, orderId);
    });

  async function place({ fate, person, campaign }: Plan) {
    const buyer: Buyer = person.customerId ? { customerId: person.customerId } : { guestId: randomUUID() };
    const products = await query<{ id: string; price: number }>(
      "SELECT id, price FROM products JOIN stock ON product_id = id WHERE is_available AND inventory_count > 6 ORDER BY slug",
    );
    // Bowls sell more often than accessories.
    const choices = products.map(({ id, price }) => [id, price] as const);
    for (let lines = IN_PARTS.includes(fate) ? 4 : random.pick([1, 1, 1, 2, 2, 3]); lines > 0; lines--)
      await addToCart(db, buyer, { productId: random.weighted(choices), quantity: random.pick([1, 1, 1, 1, 2]) });
    const code = random.pick([WELCOME, null, null, null, null]);
    const { lines, discount } = await getCart(db, buyer, code);
    const shippingMethod = random.pick(["standard", "standard", "standard", "express", "overnight"]);
    const form = checkoutSchema.parse({ ...person, shippingMethod, billingAddressSameAsShipping: true });
    const caller = { buyer, network: "192.0.2.1", accountEmail: person.customerId ? person.email : null };
    const request = {
      checkoutKey: randomUUID(),
      expectedLines: lines,
      expectedShipping: (await readSettings(db)).shipping,
      code,
      expectedDiscount: discount.applied,
      form,
      termsVersion: policy.effectiveDate,
      campaign,
      mustPay: true,
    };
    const placed = await placeOrder(db, rateLimits, caller, request);
    return placed.ok ? { orderId: placed.orderId, product: lines[0]?.name ?? "" } : null;
  }

  async function pay(orderId: string, { fate, person }: Plan): Promise<void> {
    let page = await openPage(db, providers, orderId);
    // The shop opens at most 20 payment pages a second.
    for (; !page.ok && page.reason === "busy"; page = await openPage(db, providers, orderId)) await pause(50);
    if (!page.ok) throw new Error(`An order of the demo could not be paid: ${page.reason}`);
    const card = { number: CARDS[fate] ?? GOOD_CARD, expiry: "12 / 40", cvc: "123" };
    const body = new URLSearchParams({ ...card, name: person.name, zip: person.shippingPostalCode });
    await handlePage(new Request(page.url, { method: "POST", body }));
  }

  const ship = (orderId: string, units?: Record<string, number>) => {
    // By its last digit the sandbox of carriers tells how a parcel fares; this one is on its way.
    const trackingNumber = `1Z999AA1${String(++parcels).padStart(9, "0")}0`;
    return shipOrder(db, providers, orderId, { carrier: "ups", trackingNumber, ...(units && { units }) }, null);
  };

  /** Fulfillment of a paid order up to today. */
  async function fulfill(orderId: string, { at, fate }: Plan): Promise<void> {
    const packedAt = new Date(at.getTime() + random.whole(20, 44) * HOUR);
    const later = (ms: number) => new Date(packedAt.getTime() + ms);
    const [first, ...others] = await query<{ id: string; quantity: number; total: number }>(
      "SELECT i.id, quantity, total FROM order_items i JOIN orders o ON o.id = order_id WHERE order_id = $1 ORDER BY i.id",
      orderId,
    );
    if (!first) return;
    const isSplit = others.length > 0 && IN_PARTS.includes(fate);
    const units = isSplit ? { [first.id]: first.quantity } : undefined;
    if (!(await step(orderId, packedAt, () => ship(orderId, units)))) return;
    if (fate === "payment-problem" || fate === "rest-to-ship") return;
    if (isSplit) await step(orderId, later(DAY), () => ship(orderId));
    const delivered = () => markDelivered(db, orderId, null);
    if (!(await step(orderId, later(random.whole(2, 6) * DAY), delivered))) return;
    if (!["partly-refunded", "refunded", "refund-failed"].includes(fate)) return;
    const refund =
      fate === "partly-refunded"
        ? { cents: random.whole(5, 12) * 100, reason: "damaged" as const }
        : { cents: first.total, reason: "returned" as const };
    await step(orderId, later(random.whole(7, 12) * DAY), () => refundOrder(db, providers, orderId, refund, null));
  }

  return async function makeOrder(plan: Plan) {
    const { at, fate, person } = plan;
    const later = (ms: number) => new Date(at.getTime() + ms);
    let placed: Awaited<ReturnType<typeof place>> = null;
    await steps.take(at, async () => (placed = await place(plan)));
    const order = placed as Awaited<ReturnType<typeof place>>;
    if (!order) return null;
    const { orderId } = order;
    await step(orderId, later(2 * MINUTE), () => pay(orderId, plan));
    if (fate === "expired") {
      await query("UPDATE orders SET hold_until = now() WHERE id = $1", orderId);
      await step(orderId, later(30 * MINUTE), () => expireOrder(db, providers, orderId));
    } else if (fate === "canceled") {
      const actor = person.customerId ? "customer" : "guest";
      await step(orderId, later(random.whole(1, 9) * HOUR), () => cancelByBuyer(db, orderId, actor));
    } else if (fate === "delayed") {
      const until = newYorkDay(new Date(Date.now() + random.whole(6, 12) * DAY));
      await step(orderId, later(26 * HOUR), () => delayOrder(db, orderId, until, null, { paysAgain: true }));
    } else if (fate !== "unpaid") await fulfill(orderId, plan);
    return order;
  };
}
