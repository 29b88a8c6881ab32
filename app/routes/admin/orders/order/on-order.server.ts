/** An action on one order, and its answer. A refusal names the changes that others made in the meantime. */
import { z } from "#shop/zod.ts";
import {
  announcedWords,
  NOT_ANNOUNCED,
  OWN_GOES_BACK,
  SHIPMENT_REFUSALS,
  SHIP_REFUSALS,
} from "#shop/fulfillment/order-actions.ts";
import { getOrderDetails, type OrderDetails } from "#shop/fulfillment/order-list.server.ts";
import { type CarrierCode, CARRIERS } from "#shop/fulfillment/shipment.ts";
import { unitsReady } from "#shop/fulfillment/ready-units.ts";
import { clock } from "#shop/clock.ts";
import { formatMoney } from "#shop/money.ts";
import type { OrderStatus } from "#shop/orders/lifecycle.ts";
import { db } from "#platform/database.server.ts";
import { done, refused } from "#app/http/form.server.ts";
import { dayWords } from "#app/ui/admin/when.tsx";
import { handle, type Action } from "../../action.server.ts";
import { notFound } from "../../guard.server.ts";
import { namesOfStaff } from "./load.server.ts";
import { alreadyWords, meanwhileOf } from "./timeline.ts";

export type OrderAction<Value = unknown> = Action<Value> & { order: OrderDetails };

const SENTENCES: Record<string, string> = {
  ...SHIPMENT_REFUSALS,
  ...SHIP_REFUSALS,
  "not-found": "This order no longer exists.",
  "under-way": "A shipment is waiting for payment. Try again once the payment provider responds.",
  accepted: "This order was accepted when it first shipped. Cancel it instead.",
  own: OWN_GOES_BACK,
  "no-stock": "Nothing in this shipment is for your stock. Reload the page, then receive it again.",
  "nothing-chosen": "Choose at least one item to ship.",
  "not-paid": "This order is not paid, so it cannot ship. Request or record its payment.",
  "not-announced": NOT_ANNOUNCED,
  "no-card": "No saved card of this order can be charged.",
  "nothing-due": "Nothing is charged for this order.",
  "capture-failed": "The bank declined the charge, so this order did not ship. The customer has a link to pay again.",
  "unknown-shipment": "This shipment was undone.",
  outdated: "These rates are outdated. See the rates again.",
  "quote-changed": "The order changed since you asked for these rates, so nothing was bought. See the rates again.",
  "label-under-way": "Another label of this order is being bought. Wait a moment, then look at the order again.",
  "label-waiting": "The carrier did not answer. The label is bought, and the order ships, as soon as it does.",
  "carrier-away": "The carrier is not responding. Try again in a minute, or enter a tracking number.",
  "no-rates": "No carrier has a rate for this package. Check the address, the box and the weight.",
  "no-weight": "A product has no shipping weight. Open the order to enter the weight of the package.",
  "not-in-time": "No rate arrives as promised. Open the order to choose another one.",
  "out-of-stock": "Not enough in stock to send it again. Refund it instead.",
  "units-left": "Some items have not shipped. Ship or cancel them first.",
  "hold-ends": "The payment authorization ends before this date. Delay it on its own page.",
  day: "Choose a date after today and after the current ship date.",
  "unknown-line": "This item is no longer in the order.",
  "last-line": "No items would be left. Cancel the order instead.",
  unpaid: "The customer has not paid yet. Change the state once they have.",
  paid: "This order is already authorized or paid.",
  provider: "No payment provider is set up.",
  amount: "Enter an amount above $0.",
  "nothing-paid": "Nothing has been charged for this order.",
  disputed:
    "The customer disputed this payment with their bank. Nothing ships and nothing is refunded until the dispute is closed.",
  limit: "It would refund more than your role may. Ask a manager or an owner to cancel it.",
  unverified: "It would refund a large amount. Open the order to cancel it with your code.",
  "unknown-refund": "This order has no such refund.",
  "not-at-provider": "The payment provider can’t give this back. Send it another way, then record it here.",
  "refunded-shipping": "The shipping was not charged, or was refunded before.",
  "refunded-service": "The service was not charged, or was refunded before.",
  "unknown-tax": "The sales tax of another state cannot be calculated: no tax provider is set up.",
  meanwhile: "This order was changed in the meantime. Review the changes, then try again.",
};

type Refusal = {
  reason: string;
  status?: OrderStatus;
  leftCents?: number;
  name?: string;
  unitsLeft?: number;
  code?: string;
  day?: string;
};

export function refusalWords(refusal: Refusal, parcel?: { carrier: CarrierCode }): string {
  const { reason, status, leftCents, name, unitsLeft, code, day } = refusal;
  if (reason === "not-yet" && day) return `Everything left ships ${dayWords(day)}. Open the order to ship it sooner.`;
  if (reason === "announced" && day) return announcedWords(dayWords(day));
  if (status) return `This order is ${status}, so this cannot be done.`;
  if (reason === "tracking-number" && parcel) {
    const { name: carrier, example } = CARRIERS[parcel.carrier];
    return `This is not a valid ${carrier} tracking number. Example: ${example}.`;
  }
  if (reason === "carrier-refused") return `The carrier refused this label (${code}). Nothing was bought.`;
  if (reason === "units") {
    return name ? `Only ${unitsLeft} of ${name} left to ship.` : "The order does not have that many items.";
  }
  if (leftCents !== undefined && reason === "too-much") return `Only ${formatMoney(leftCents)} is left to refund.`;
  if (leftCents !== undefined && reason === "under-way") {
    return `Another refund is in progress. After it, ${formatMoney(leftCents)} is left to refund.`;
  }
  return SENTENCES[reason] ?? "This could not be done.";
}

export const WRONG_UNITS = "Choose the quantities again";

/** Units by line from `units` fields ("LINE:UNITS"). Null if one is not a number of units of a line. */
export function unitsIn({ form, order: { lines } }: OrderAction): Record<string, number> | null {
  const named = form.getAll("units").map((text) => text.split(":"));
  const isRead = named.every(([id, units = ""]) => lines.some((line) => line.id === id) && /^\d{1,4}$/.test(units));
  return isRead ? Object.fromEntries(named.map(([id, units]) => [id, Number(units)])) : null;
}

/** Units of a parcel: those that were chosen, else all that may ship today. Null if one is not a number of units of a line. */
export function parcelUnitsIn(action: OrderAction): Record<string, number> | null {
  const chosen = unitsIn(action);
  return chosen && { ...unitsReady(action.order.lines, clock.now()), ...chosen };
}

type Result = { ok: true; repeated?: boolean } | ({ ok: false } & Refusal);

/** Answers an action: done, already done by whom, or refused with what others changed meanwhile. */
export async function outcome(action: OrderAction, result: Result, message: string, parcel?: { carrier: CarrierCode }) {
  if (result.ok && !result.repeated) return done(action, message, { clears: true });
  const [now, names] = await Promise.all([getOrderDetails(db, action.id), namesOfStaff()]);
  if (result.ok) return done(action, now ? alreadyWords(now, names, action.intent) : "Already done.", { clears: true });
  const seen = Number(action.form.get("seen") ?? Infinity);
  const meanwhile = now ? meanwhileOf(now, names, seen, action.by.staffId) : "";
  return refused(action, [refusalWords(result, parcel), meanwhile].filter(Boolean).join(" "));
}

/** Handles an action on an order that exists. */
export const onOrder = <Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (action: OrderAction<z.output<z.ZodObject<Shape>>>) => Promise<unknown>,
  refine: (schema: z.ZodObject<Shape>) => z.ZodObject<Shape> = (schema) => schema,
) =>
  handle(
    refine(z.object(shape)),
    async (action) => {
      const order = await getOrderDetails(db, action.id);
      if (!order) throw notFound();
      return run({ ...action, order });
    },
    { lists: ["units", "services"] },
  );
