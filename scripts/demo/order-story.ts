/** What becomes of one order, from its place in the cart to wherever it has come until now. */
import { shopDay } from "../../shop/fulfillment/days.ts";
import { paymentPolicy, shippingPolicy } from "../../shop/policies.ts";
import { DAYS_HELD } from "../../server/payment-sandbox/lifecycle/attempts.ts";
import type { Chance } from "./chance.ts";
import { later, MINUTE, OrderBook, type Placed } from "./order-book.ts";
import type { OrderRows } from "./rows.ts";

/** What becomes of an order, if there has been time for it. */
export type Fate =
  | "delivered"
  | "unpaid"
  | "lapsed"
  | "changed"
  | "canceled"
  | "declined"
  | "delayed"
  | "payment-problem"
  | "line-canceled"
  | "two-parcels"
  | "rest-to-ship"
  | "partly-refunded"
  | "refunded"
  | "refund-failed"
  | "disputed";

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const GOOD_CARDS: readonly (readonly [{ brand: string; number: string }, number])[] = [
  [{ brand: "visa", number: "4242424242424242" }, 6],
  [{ brand: "mastercard", number: "5555555555554444" }, 3],
  [{ brand: "amex", number: "378282246310005" }, 1],
];
/** Test cards that bring about what the fate says. */
const CARDS: Partial<Record<Fate, string>> = {
  "payment-problem": "4000000000004400",
  "refund-failed": "4000000000005126",
};
const NO_FUNDS = "4000000000009995";

const nextBusinessDay = (day: Date): Date => (day.getUTCDay() % 6 === 0 ? nextBusinessDay(later(day, DAY)) : day);

/** Tells an order into `rows`. What would have happened after `now` has not. */
export function tellOrder(rows: OrderRows, placed: Placed, fate: Fate, random: Chance, now: Date): void {
  const book = new OrderBook(rows, placed, random, now);
  if (fate === "unpaid" || fate === "lapsed" || fate === "changed") leaveUnpaid(book, placed.at, fate, random);
  else {
    const paidAt = pay(book, placed.at, fate, random);
    const packedAt = later(nextBusinessDay(later(placed.at, random.whole(9, 30) * HOUR)), random.whole(0, 59) * MINUTE);
    if (fate === "canceled") cancel(book, later(paidAt, random.whole(1, 9) * HOUR), now);
    else if (fate === "delayed") delay(book, later(placed.at, 26 * HOUR), random, now);
    else if (packedAt <= now) pack(book, packedAt, placed, fate, random, now);
  }
  book.close();
}

function leaveUnpaid(book: OrderBook, at: Date, fate: "unpaid" | "lapsed" | "changed", random: Chance): void {
  const { payment } = book;
  if (fate !== "changed" && random.is(0.5)) {
    const declinedAt = later(at, 2 * MINUTE);
    book.step({ at: declinedAt, does: "pay", cardNumber: NO_FUNDS });
    book.note("payment-failed", "provider", declinedAt, { paymentId: payment.id });
    payment.problem = "insufficient_funds";
  }
  if (fate === "unpaid") return;
  const minutes = fate === "lapsed" ? paymentPolicy.holdMinutes : random.whole(2, 15);
  const over = later(at, minutes * MINUTE + 400);
  payment.state = "closed";
  book.step({ at: over, does: "close" });
  if (fate === "lapsed") book.move("lapsed", "system", over);
  else book.move("canceled", book.buyer, over);
}

function pay(book: OrderBook, at: Date, fate: Fate, random: Chance): Date {
  const paidAt = later(at, random.whole(40, 100) * 1_000);
  const good = random.weighted(GOOD_CARDS);
  const cardNumber = CARDS[fate] ?? good.number;
  const brand = CARDS[fate] ? "visa" : good.brand;
  const amount = book.payment.amount;
  book.step({ at: paidAt, does: "pay", cardNumber });
  book.payment.method = { brand, lastFour: cardNumber.slice(-4), wallet: null };
  Object.assign(book.payment, {
    state: "authorized",
    authorized: amount,
    capture_before: later(paidAt, DAYS_HELD * DAY),
  });
  book.move("authorized", "provider", paidAt);
  return paidAt;
}

function cancel(book: OrderBook, at: Date, now: Date): void {
  if (at > now) return;
  book.payment.state = "closed";
  book.move("canceled", book.buyer, at);
  book.giveBack(at, book.buyer);
}

function delay(book: OrderBook, at: Date, random: Chance, now: Date): void {
  if (at > now) return;
  const until = shopDay(later(now, random.whole(2, 9) * DAY));
  book.order.ships_by = until;
  book.note("delayed", "staff", at, { until });
  const acceptedAt = later(at, 90 * MINUTE);
  if (acceptedAt <= now && random.is(0.5)) book.note("delay-accepted", book.buyer, acceptedAt);
}

/** Staff take it up: they decline it, or the money is taken and it ships. */
function pack(book: OrderBook, at: Date, placed: Placed, fate: Fate, random: Chance, now: Date): void {
  if (fate === "declined") {
    book.payment.state = "closed";
    book.move("declined", "staff", at, { reason: random.pick(["address", "quantity", "payment"]) });
    return book.giveBack(at, "staff");
  }
  if (fate === "payment-problem") {
    const shipmentId = book.parcel(book.items, at, { captureId: book.capture(at, "generic_decline"), failed: true });
    book.note("capture-failed", "provider", later(at, 2_000), { shipmentId });
    return book.giveBack(later(at, 3_000), "system");
  }
  if (fate === "line-canceled" && book.items.length > 1) cancelLine(book, later(at, -2 * HOUR), random);
  shipAll(book, at, placed, fate, random, now);
}

function cancelLine(book: OrderBook, at: Date, random: Chance): void {
  const item = book.items.at(-1)!;
  const { id: itemId, quantity: units } = item;
  item.canceledQuantity = units;
  const reason = random.pick(["sold-out", "asked"]);
  book.note("line-canceled", "staff", at, { itemId, units, returnsStock: true, reason, totalCents: book.charged() });
}

function shipAll(book: OrderBook, at: Date, { method }: Placed, fate: Fate, random: Chance, now: Date): void {
  const { min, max } = shippingPolicy[method].businessDays;
  const isSplit = (fate === "two-parcels" || fate === "rest-to-ship") && book.items.length > 1;
  const secondAt = later(at, DAY);
  const arrives = nextBusinessDay(later(at, random.whole(min, max + 1) * DAY + (isSplit ? DAY : 0)));
  const isThere = arrives <= now && !(isSplit && fate === "rest-to-ship");
  const arrivedAt = isThere ? arrives : null;
  const captureId = book.capture(at);
  const shipmentId = book.parcel(isSplit ? book.items.slice(0, 1) : book.items, at, { captureId, arrivedAt });
  book.order.accepted_at = at;
  book.move("shipped", "staff", later(at, 2_000), { shipmentId });
  if (isSplit && fate === "two-parcels" && secondAt <= now) {
    const second = book.parcel(book.items.slice(1), secondAt, { arrivedAt });
    book.note("parcel-shipped", "staff", secondAt, { shipmentId: second });
  }
  if (!isThere) return;
  book.order.delivered_at = arrives;
  book.move("delivered", "staff", arrives);
  const days = random.whole(1, 5);
  // A dispute has to be answered within days, and is to be seen.
  const backAt = fate === "disputed" ? later(now, -days * DAY) : later(arrives, days * DAY);
  if (backAt <= now && backAt > arrives) regret(book, backAt, fate, random);
}

/** Some orders have an end after their end. */
function regret(book: OrderBook, at: Date, fate: Fate, random: Chance): void {
  const cents = book.charged();
  if (fate === "partly-refunded") {
    book.refund(Math.min(cents, random.whole(5, 25) * 100), random.pick(["damaged", "late", "goodwill"]), at);
  }
  if (fate === "refunded") book.refund(cents, random.pick(["returned", "lost"]), at);
  if (fate === "refund-failed") book.refund(cents, "returned", at, { fails: true });
  if (fate === "disputed") {
    book.note("disputed", "provider", at, { paymentId: book.payment.id });
    book.step({ at, does: "dispute" });
  }
}
