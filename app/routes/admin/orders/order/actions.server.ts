/** Actions on one order. A refusal names the changes that others made in the meantime. */
import { z } from "#shop/zod.ts";
import {
  DECLINE_REASONS,
  isReason,
  LINE_REASONS,
  REFUND_REASONS,
  SHIPMENT_REFUSALS,
} from "#shop/fulfillment/order-actions.ts";
import { getOrderDetails, type OrderDetails } from "#shop/fulfillment/order-list.server.ts";
import { db } from "#platform/database.server.ts";
import { shippingSchema } from "#shop/checkout/checkout-form.ts";
import { correctTracking, undoShipment } from "#shop/fulfillment/correct-shipment.server.ts";
import { addNote, correctAddress, holdOrder, resendEmail } from "#shop/fulfillment/order-notes.server.ts";
import {
  cancelByStaff,
  declineByStaff,
  askForPayment,
  cancelLine,
  delayOrder,
  markDelivered,
} from "#shop/fulfillment/fulfill.server.ts";
import { refundOrder, resolveRefund } from "#shop/fulfillment/refund.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { CARRIER_CODES, guessCarrier, type CarrierCode, CARRIERS } from "#shop/fulfillment/shipment.ts";
import { formatMoney } from "#shop/money.ts";
import { unitsKept } from "#shop/orders/order.ts";
import { paymentProvider } from "#shop/payments/open-provider.server.ts";
import { reconcileOrder } from "#shop/payments/reconcile.server.ts";
import { ProviderError } from "#shop/payments/provider.ts";
import { writeAudit } from "#shop/audit/audit.server.ts";
import { REFUND_LIMIT_CENTS } from "#shop/staff/permissions.ts";
import { message, requiredLine } from "#shop/text.ts";
import { CODE_FIELD, requireFreshStaff, staffOf } from "#app/session/staff.server.ts";
import { done, refused } from "#app/http/form.server.ts";
import { actions, fieldError, handle, unverified, type Action } from "../../action.server.ts";
import { notFound } from "../../guard.server.ts";
import { emailsOf, namesOfStaff } from "./load.server.ts";
import type { OrderStatus } from "#shop/orders/lifecycle.ts";
import { alreadyWords, meanwhileOf } from "./timeline.ts";

type OrderAction<Value = unknown> = Action<Value> & { order: OrderDetails };

const SENTENCES: Record<string, string> = {
  ...SHIPMENT_REFUSALS,
  "not-found": "This order no longer exists.",
  "on-hold": "This order is on hold. Release the hold first.",
  "under-way": "A shipment is waiting for payment. Try again once the payment provider responds.",
  accepted: "This order was accepted when it first shipped. Cancel it instead.",
  "nothing-left": "Everything in this order has shipped.",
  "nothing-chosen": "Choose at least one item to ship.",
  "not-paid": "The payment cannot be charged, so this order cannot ship. Request payment.",
  "capture-failed": "The bank declined the charge, so this order did not ship. The customer has a link to pay again.",
  "unknown-shipment": "This shipment was undone.",
  "units-left": "Some items have not shipped. Ship them, or confirm that they will not be sent.",
  day: "Choose a date after today and after the current ship date.",
  "unknown-line": "This item is no longer in the order.",
  "last-line": "No items would be left. Cancel or decline the order instead.",
  paid: "This order is already authorized or paid.",
  provider: "No payment provider is set up.",
  amount: "Enter an amount above $0.",
  "nothing-paid": "Nothing has been charged for this order.",
  disputed: "The customer disputed this payment with their bank. Refunds are blocked until the dispute is closed.",
  "unknown-refund": "This order has no such failed refund.",
  meanwhile: "Someone else changed this order first. Review the changes, then try again.",
};

type Refusal = { reason: string; status?: OrderStatus; leftCents?: number; name?: string; unitsLeft?: number };

export function refusalWords(refusal: Refusal, parcel?: { carrier: CarrierCode }): string {
  const { reason, status, leftCents, name, unitsLeft } = refusal;
  if (status) return `This order is ${status}, so this cannot be done.`;
  if (reason === "tracking-number" && parcel) {
    const { name: carrier, example } = CARRIERS[parcel.carrier];
    return `This is not a valid ${carrier} tracking number. Example: ${example}.`;
  }
  if (reason === "units") {
    return name ? `Only ${unitsLeft} of ${name} left to ship.` : "The order does not have that many items.";
  }
  if (leftCents !== undefined && reason === "too-much") return `Only ${formatMoney(leftCents)} is left to refund.`;
  if (leftCents !== undefined && reason === "under-way") {
    return `Another refund is in progress. After it, ${formatMoney(leftCents)} is left to refund.`;
  }
  return SENTENCES[reason] ?? "This could not be done.";
}

type Result = { ok: true; repeated?: boolean } | ({ ok: false } & Refusal);

async function outcome(action: OrderAction, result: Result, message: string, parcel?: { carrier: CarrierCode }) {
  if (result.ok && !result.repeated) return done(action, message, { clears: true });
  const [now, names] = await Promise.all([getOrderDetails(db, action.id), namesOfStaff()]);
  if (result.ok) return done(action, now ? alreadyWords(now, names, action.intent) : "Already done.", { clears: true });
  const seen = Number(action.form.get("seen") ?? Infinity);
  const meanwhile = now ? meanwhileOf(now, names, seen, action.by.staffId) : "";
  return refused(action, [refusalWords(result, parcel), meanwhile].filter(Boolean).join(" "));
}

/** Handles an action on an order that exists. */
const onOrder = <Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (action: OrderAction<z.output<z.ZodObject<Shape>>>) => Promise<unknown>,
) =>
  handle(
    z.object(shape),
    async (action) => {
      const order = await getOrderDetails(db, action.id);
      if (!order) throw notFound();
      return run({ ...action, order });
    },
    { lists: ["units"] },
  );

const reasonIn = <List extends object>(list: List) =>
  z.custom<keyof List & string>((word) => isReason(list, String(word)), "Choose a reason");

const { shippingCountry: _country, shippingMethod: _method, ...addressShape } = shippingSchema.shape;

const WRONG_UNITS = "Choose the quantities again";

/** Units by line from `units` fields ("LINE:UNITS"). Null if one is not a number of units of a line. */
function unitsIn({ form, order: { lines } }: OrderAction): Record<string, number> | null {
  const named = form.getAll("units").map((text) => text.split(":"));
  const isRead = named.every(([id, units = ""]) => lines.some((line) => line.id === id) && /^\d{1,4}$/.test(units));
  return isRead ? Object.fromEntries(named.map(([id, units]) => [id, Number(units)])) : null;
}

const shipShape = { tracking: z.string().trim().min(1, "Enter the tracking number"), carrier: z.string().optional() };

const carrierOf = ({ tracking, carrier }: { tracking: string; carrier?: string | undefined }) =>
  CARRIER_CODES.find((code) => code === carrier) ?? guessCarrier(tracking);
const UNKNOWN_NUMBER = "Unknown tracking number. Check it, or choose the carrier.";

async function ship(action: OrderAction<z.output<z.ZodObject<typeof shipShape>>>) {
  const { tracking } = action.value;
  const carrier = carrierOf(action.value);
  if (!carrier) return fieldError(action, "tracking", UNKNOWN_NUMBER);
  const units = unitsIn(action);
  if (!units) return fieldError(action, "units", WRONG_UNITS);
  const isWhole = action.order.lines.every(({ id, unitsLeft }) => (units[id] ?? unitsLeft) === unitsLeft);
  const parcel = { carrier, trackingNumber: tracking, ...(!isWhole && { units }) };
  const result = await shipOrder(db, paymentProvider(), action.id, parcel, action.by);
  if (!result.ok && result.reason === "tracking-number")
    return fieldError(action, "tracking", refusalWords(result, parcel));
  const isWaiting = result.ok && result.state === "waiting";
  return outcome(
    action,
    result,
    isWaiting
      ? "Waiting for payment. It ships once the payment provider confirms."
      : "Shipped. The customer was emailed the tracking number.",
    parcel,
  );
}

const trackingShape = { ...shipShape, shipment: z.uuid() };

async function correct(action: OrderAction<z.output<z.ZodObject<typeof trackingShape>>>) {
  const { shipment, tracking } = action.value;
  const carrier = carrierOf(action.value);
  if (!carrier) return fieldError(action, "tracking", UNKNOWN_NUMBER);
  const parcel = { carrier, trackingNumber: tracking };
  const result = await correctTracking(db, action.id, shipment, parcel, action.by);
  if (!result.ok && result.reason === "tracking-number")
    return fieldError(action, "tracking", refusalWords(result, parcel));
  return outcome(action, result, "Tracking number corrected. The customer was emailed the new link.");
}

const refundShape = {
  amount: z.string().default(""),
  shipping: z.string().optional(),
  reason: reasonIn(REFUND_REASONS),
  refundsSeen: z.coerce.number().int().optional(),
};
type Refund = OrderAction<z.output<z.ZodObject<typeof refundShape>>>;

type Amount = { cents: number } | { field: "units" | "amount"; problem: string };

function readAmount(action: Refund): Amount {
  const { value, order } = action;
  const units = unitsIn(action);
  if (!units) return { field: "units", problem: WRONG_UNITS };
  const short = order.lines.find((line) => (units[line.id] ?? 0) > unitsKept(line));
  if (short) return { field: "units", problem: `Only ${unitsKept(short)} of ${short.name} can be refunded` };
  const items = order.lines.reduce((sum, { id, priceCents }) => sum + priceCents * (units[id] ?? 0), 0);
  const cents = items + (value.shipping ? order.charged.shippingCents : 0);
  const typed = value.amount.trim().replace(/^\$/, "").replaceAll(",", "");
  const wrong = (problem: string) => ({ field: "amount", problem }) as const;
  if (typed === "") return cents > 0 ? { cents } : wrong("Enter an amount, or choose items above");
  if (cents > 0) return wrong("Choose items or enter an amount, not both");
  if (!/^\d{1,6}(\.\d{1,2})?$/.test(typed)) return wrong("Enter an amount in dollars, such as 24.50");
  return { cents: Math.round(Number(typed) * 100) };
}

/** Refunds items or an amount within the role's limit; large ones require a recent verification. */
async function refund(action: Refund) {
  const { id, by, value, context } = action;
  const amount = readAmount(action);
  if ("problem" in amount) return fieldError(action, amount.field, amount.problem);
  const { cents } = amount;
  const { reason, refundsSeen: seen } = value;
  const request = (isVerified: boolean) =>
    refundOrder(db, paymentProvider(), id, { cents, reason, ...(seen !== undefined && { seen }), isVerified }, by);
  let result = await request(staffOf(context).isFresh);
  if (!result.ok && result.reason === "unverified") {
    const problem = await requireFreshStaff(context, action.form.get(CODE_FIELD));
    if (problem) return unverified(action, problem);
    result = await request(true);
  }
  if (!result.ok && result.reason === "limit") {
    const limit = formatMoney(REFUND_LIMIT_CENTS[by.role] ?? 0);
    const already = result.refundedCents > 0 ? `, and you already refunded ${formatMoney(result.refundedCents)}` : "";
    const why = `Your role can refund up to ${limit} per order per day${already}. Ask a manager or an owner to refund ${formatMoney(cents)}.`;
    return refused(action, why, { status: 403 });
  }
  if (result.ok && result.state === "failed")
    return refused(action, "The payment provider refused the refund. Nothing was refunded.");
  return outcome(
    action,
    result,
    result.ok && result.state === "done"
      ? `Refunded ${formatMoney(cents)}. The customer was notified.`
      : `Refund of ${formatMoney(cents)} started. The customer is notified once it completes.`,
  );
}

async function reconcile(action: OrderAction) {
  const provider = paymentProvider();
  if (!provider) return refused(action, refusalWords({ reason: "provider" }));
  try {
    await reconcileOrder(db, provider, action.id);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return refused(action, "The payment provider is not responding. Try again in a minute.", { status: 503 });
  }
  await writeAudit(db, action.by, { action: "order.reconcile", subject: `order:${action.id}` });
  return done(action, "Payment synced with the payment provider.");
}

const PAYS_AGAIN = "The authorization ends before this date. Confirm that the customer will be asked to pay again.";

const note = message("Note", 2000, "Enter a note");

export const action = actions({
  ship: onOrder(shipShape, ship),
  tracking: onOrder(trackingShape, correct),
  "undo-shipment": onOrder({ shipment: z.uuid("Choose the shipment") }, async (action) => {
    const result = await undoShipment(db, action.id, action.value.shipment, action.by);
    return outcome(action, result, "Shipment undone. Its items are to ship again, and the customer was notified.");
  }),
  refund: onOrder(refundShape, refund),
  "resolve-refund": onOrder(
    { refund: z.uuid(), text: requiredLine("Note", 500, "Enter how it was resolved") },
    async (action) => {
      const { refund: actionId, text } = action.value;
      const result = await resolveRefund(db, action.id, { actionId, text }, action.by);
      return outcome(action, result, "Marked as resolved.");
    },
  ),
  reconcile: onOrder({}, reconcile),
  note: onOrder({ text: note }, async (action) =>
    outcome(action, await addNote(db, action.id, action.value.text, action.by), "Note added."),
  ),
  deliver: onOrder({ rest: z.string().optional() }, async (action) => {
    const result = await markDelivered(db, action.id, { restGivenUp: Boolean(action.value.rest) }, action.by);
    return outcome(action, result, "Marked as delivered. The customer was emailed the return deadline.");
  }),
  hold: onOrder({ text: requiredLine("Reason", 500, "Enter a reason") }, async (action) => {
    const result = await holdOrder(db, action.id, { isOnHold: true, text: action.value.text }, action.by);
    return outcome(action, result, "Put on hold. It cannot ship until the hold is released.");
  }),
  unhold: onOrder({ text: z.string().max(500).default("") }, async (action) => {
    const result = await holdOrder(db, action.id, { isOnHold: false, text: action.value.text }, action.by);
    return outcome(action, result, "Hold released.");
  }),
  delay: onOrder({ until: z.string().default(""), paysAgain: z.literal("on").optional() }, async (action) => {
    const { until, paysAgain } = action.value;
    const result = await delayOrder(db, action.id, until, action.by, { paysAgain: paysAgain === "on" });
    if (!result.ok && result.reason === "hold-ends") return fieldError(action, "paysAgain", PAYS_AGAIN, 409);
    return outcome(action, result, "Shipping delayed. The customer was asked to keep or cancel the order.");
  }),
  cancel: onOrder({}, async (action) =>
    outcome(action, await cancelByStaff(db, action.id, action.by), "Canceled. The customer was notified."),
  ),
  decline: onOrder({ reason: reasonIn(DECLINE_REASONS) }, async (action) => {
    const result = await declineByStaff(db, action.id, action.value.reason, action.by);
    return outcome(action, result, "Declined. The customer was notified of the reason.");
  }),
  "cancel-line": onOrder(
    {
      keep: z.string().regex(/^[^:]+:\d+$/, "Choose a quantity to keep"),
      stock: z.enum(["back", "off"]),
      reason: reasonIn(LINE_REASONS),
    },
    async (action) => {
      const { keep: text, stock, reason } = action.value;
      const [itemId = "", keep] = text.split(":");
      const change = { itemId, keep: Number(keep), returnsStock: stock === "back", reason };
      const result = await cancelLine(db, action.id, change, action.by);
      return outcome(action, result, "Items canceled. The customer was notified.");
    },
  ),
  "ask-payment": onOrder({}, async (action) => {
    const result = await askForPayment(db, paymentProvider(), action.id, action.by);
    return outcome(action, result, "Payment requested. The customer was emailed a payment link.");
  }),
  address: onOrder({ ...addressShape, addressSeen: z.string() }, async (action) => {
    const { addressSeen: seen, shippingAddressLine2, ...rest } = action.value;
    const change = { address: { ...rest, shippingAddressLine2: shippingAddressLine2 || null }, seen };
    return outcome(
      action,
      await correctAddress(db, action.id, change, action.by),
      "Address updated. The customer was notified.",
    );
  }),
  email: onOrder({ email: z.string() }, async (action) => {
    const email = emailsOf(action.order).find(({ value }) => value === action.value.email);
    if (!email) return fieldError(action, "email", "Choose an email");
    return outcome(action, await resendEmail(db, action.id, email, action.by), "The email is sent again.");
  }),
});
