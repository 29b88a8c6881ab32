/** Actions on one order. */
import { z } from "#shop/zod.ts";
import { DECLINE_REASONS, LINE_REASONS } from "#shop/orders/reasons.ts";
import { db } from "#platform/database.server.ts";
import { correctTracking, undoShipment } from "#shop/fulfillment/correct-shipment.server.ts";
import { addNote, holdOrder, resendEmail } from "#shop/fulfillment/order-notes.server.ts";
import { announceByStaff } from "#shop/fulfillment/charges.server.ts";
import { delayOrder } from "#shop/fulfillment/delay.server.ts";
import { cancelItems } from "#shop/fulfillment/cancel-items.server.ts";
import { cancelByStaff, declineByStaff, askForPayment, markDelivered } from "#shop/fulfillment/fulfill.server.ts";
import { recordPayment } from "#shop/fulfillment/record-payment.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { CARRIER_CODES, guessCarrier } from "#shop/fulfillment/shipment.ts";
import { formatMoney } from "#shop/money.ts";
import { unitsKept } from "#shop/orders/order.ts";
import { arrangementShape } from "#shop/payments/arrangement.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import { reconcileOrder } from "#shop/payments/reconcile.server.ts";
import { ProviderError } from "#shop/payments/provider.ts";
import { writeAudit } from "#shop/audit/audit.server.ts";
import { policyText } from "#shop/policy-text.ts";
import { message, requiredLine } from "#shop/text.ts";
import { done, refused } from "#app/http/form.server.ts";
import { actions, fieldError } from "../../action.server.ts";
import { sendByHand } from "../../by-hand.ts";
import { withinLimit } from "../../refund-answers.server.ts";
import { addressActions } from "./address-action.server.ts";
import { emailsOf } from "./load.server.ts";
import { delayDay, delayShape } from "../delay-form.ts";
import {
  onOrder,
  type OrderAction,
  outcome,
  parcelUnitsIn,
  refusalWords,
  unitsIn,
  WRONG_UNITS,
} from "./on-order.server.ts";
import { openReturn } from "./open-return.server.ts";
import { parcelActions } from "./parcel-actions.server.ts";
import { NO_REASON, reasonIn, refundActions } from "./refund-actions.server.ts";

const parcelShape = { tracking: z.string().trim().min(1, "Enter the tracking number"), carrier: z.string().optional() };
const shipShape = { ...parcelShape, addressSeen: z.string().optional() };

const carrierOf = ({ tracking, carrier }: { tracking: string; carrier?: string | undefined }) =>
  CARRIER_CODES.find((code) => code === carrier) ?? guessCarrier(tracking);
const UNKNOWN_NUMBER = "Unknown tracking number. Check it, or choose the carrier.";

async function ship(action: OrderAction<z.output<z.ZodObject<typeof shipShape>>>) {
  const { tracking, addressSeen } = action.value;
  const carrier = carrierOf(action.value);
  if (!carrier) return fieldError(action, "tracking", UNKNOWN_NUMBER);
  const units = parcelUnitsIn(action);
  if (!units) return fieldError(action, "units", WRONG_UNITS);
  const parcel = { carrier, trackingNumber: tracking, units, addressSeen };
  const result = await shipOrder(db, paymentProviders(), action.id, parcel, action.by);
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

const trackingShape = { ...parcelShape, shipment: z.uuid() };

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

const cancelShape = {
  stock: z.enum(["back", "off"]),
  reason: reasonIn(LINE_REASONS),
  refunded: z.string().optional(),
};

/** Cancels items that have not shipped, and refunds what was charged for them within the role's limit. */
async function cancel(action: OrderAction<z.output<z.ZodObject<typeof cancelShape>>>) {
  const { lines, events } = action.order;
  const { stock, reason, refunded } = action.value;
  const keep = unitsIn(action);
  if (!keep) return fieldError(action, "units", WRONG_UNITS);
  const seen = Number(action.form.get("seen") ?? Infinity);
  const isRepeated = events.some(({ id, type }) => type === "line-canceled" && id > seen);
  if (!isRepeated && lines.every((line) => (keep[line.id] ?? unitsKept(line)) === unitsKept(line)))
    return fieldError(action, "units", "Choose the items to cancel");
  const change = { keep, returnsStock: stock === "back", reason, isRefunded: refunded !== undefined };
  const ask = (isVerified: boolean) =>
    cancelItems(db, paymentProviders(), action.id, { ...change, isVerified }, action.by);
  return withinLimit(action, ask, (result) => {
    if (!result.ok && result.reason === "too-little")
      return fieldError(action, "refunded", "Less than these items cost was refunded as an amount");
    const refund = result.ok ? result.refund : null;
    const { cents = 0, byHandCents = 0, state } = refund ?? {};
    const amount = formatMoney(cents - byHandCents);
    if (state === "failed")
      return refused(action, `Items canceled, but the payment provider refused the refund of ${amount}.`);
    const started = state === "done" ? ` and ${amount} refunded` : `, and a refund of ${amount} started`;
    const words = [
      `Items canceled${state === "done" || state === "waiting" ? started : ""}. The customer was notified.`,
      ...(byHandCents > 0 ? [sendByHand(byHandCents)] : []),
    ];
    return outcome(action, result, words.join(" "));
  });
}

async function reconcile(action: OrderAction) {
  const providers = paymentProviders();
  if (!providers) return refused(action, refusalWords({ reason: "provider" }));
  try {
    await reconcileOrder(db, providers, action.id);
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
    return outcome(action, result, "Shipment undone. Its items will ship again, and the customer was notified.");
  }),
  ...parcelActions,
  ...refundActions,
  ...addressActions,
  return: openReturn,
  reconcile: onOrder({}, reconcile),
  note: onOrder({ text: note }, async (action) =>
    outcome(action, await addNote(db, action.id, action.value.text, action.by), "Note added."),
  ),
  deliver: onOrder({}, async (action) => {
    const result = await markDelivered(db, action.id, action.by);
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
  announce: onOrder({}, async (action) => {
    const units = unitsIn(action);
    if (!units) return fieldError(action, "units", WRONG_UNITS);
    const result = await announceByStaff(db, action.id, units, action.by);
    return outcome(
      action,
      result,
      `Announced. It can ship in ${policyText.chargeNoticeDays}, or once the customer says so.`,
    );
  }),
  delay: onOrder({ ...delayShape, paysAgain: z.literal("on").optional() }, async (action) => {
    const { paysAgain, reason } = action.value;
    const day = delayDay(action.value);
    if ("problem" in day) return fieldError(action, "until", day.problem);
    const result = await delayOrder(db, action.id, day.until, action.by, { paysAgain: paysAgain === "on", reason });
    if (!result.ok && result.reason === "hold-ends") return fieldError(action, "paysAgain", PAYS_AGAIN, 409);
    return outcome(action, result, "Shipping delayed. The customer was told, and may cancel.");
  }),
  /** For a reason of the shop's own the order is declined. */
  cancel: onOrder({ reason: z.union([z.literal(""), reasonIn(DECLINE_REASONS)], NO_REASON).default("") }, (action) => {
    const { id, by, value } = action;
    const { reason } = value;
    return withinLimit(
      action,
      (isVerified) => (reason ? declineByStaff(db, id, reason, by, isVerified) : cancelByStaff(db, id, by, isVerified)),
      (result) =>
        reason
          ? outcome({ ...action, intent: "decline" }, result, "Declined. The customer was notified of the reason.")
          : outcome(action, result, "Canceled. The customer was notified."),
    );
  }),
  "cancel-line": onOrder(cancelShape, cancel),
  "ask-payment": onOrder({}, async (action) => {
    const result = await askForPayment(db, paymentProviders(), action.id, action.by);
    return outcome(action, result, "Payment requested. The customer was emailed a payment link.");
  }),
  "record-payment": onOrder({ ...arrangementShape, cents: z.coerce.number().int() }, async (action) => {
    const result = await recordPayment(db, action.id, action.value, action.by);
    return outcome(action, result, "Payment recorded. The order can ship.");
  }),
  email: onOrder({ email: z.string() }, async (action) => {
    const email = emailsOf(action.order).find(({ value }) => value === action.value.email);
    if (!email) return fieldError(action, "email", "Choose an email");
    return outcome(action, await resendEmail(db, action.id, email, action.by), "The email is sent again.");
  }),
});
