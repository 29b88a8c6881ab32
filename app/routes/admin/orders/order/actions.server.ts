/** Actions on one order. */
import { z } from "#shop/zod.ts";
import {
  DECLINE_REASONS,
  isReason,
  LINE_REASONS,
  REFUND_NOT_BOTH,
  REFUND_REASONS,
} from "#shop/fulfillment/order-actions.ts";
import { db } from "#platform/database.server.ts";
import { addressSchema } from "#shop/checkout/checkout-form.ts";
import { correctTracking, undoShipment } from "#shop/fulfillment/correct-shipment.server.ts";
import { correctAddress } from "#shop/fulfillment/address.server.ts";
import { addNote, holdOrder, resendEmail } from "#shop/fulfillment/order-notes.server.ts";
import { delayOrder } from "#shop/fulfillment/delay.server.ts";
import { cancelItems } from "#shop/fulfillment/cancel-items.server.ts";
import { cancelByStaff, declineByStaff, askForPayment, markDelivered } from "#shop/fulfillment/fulfill.server.ts";
import { recordPayment } from "#shop/fulfillment/record-payment.server.ts";
import { refundOrder, type RefundItems, resolveRefund, unitsOf } from "#shop/fulfillment/refund.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { CARRIER_CODES, guessCarrier } from "#shop/fulfillment/shipment.ts";
import { formatMoney, readDollars } from "#shop/money.ts";
import { unitsKept } from "#shop/orders/order.ts";
import { arrangementShape } from "#shop/payments/arrangement.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import { reconcileOrder } from "#shop/payments/reconcile.server.ts";
import { ProviderError } from "#shop/payments/provider.ts";
import { writeAudit } from "#shop/audit/audit.server.ts";
import { message, requiredLine } from "#shop/text.ts";
import { done, refused } from "#app/http/form.server.ts";
import { actions, fieldError, unverified } from "../../action.server.ts";
import { aboveLimit, REFUND_WORDS, requested } from "../../refund-answers.server.ts";
import { emailsOf } from "./load.server.ts";
import { delayDay, delayShape } from "../delay-form.ts";
import { onOrder, type OrderAction, outcome, refusalWords, unitsIn, WRONG_UNITS } from "./on-order.server.ts";
import { openReturn } from "./open-return.server.ts";
import { parcelActions } from "./parcel-actions.server.ts";

const NO_REASON = "Choose a reason";
const reasonIn = <List extends object>(list: List) =>
  z.custom<keyof List & string>((word) => isReason(list, String(word)), NO_REASON);

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
  /** Cents of the chosen items, as the form showed them. */
  total: z.string().optional(),
  /** Checked with the amount, so that what is wrong with both is said at once. */
  reason: z.string().default(""),
  refundsSeen: z.coerce.number().int().optional(),
};
type Refund = OrderAction<z.output<z.ZodObject<typeof refundShape>>>;

type Amount = { cents: number; items: RefundItems | null } | { field: "units" | "amount"; problem: string };

/** News of a refund elsewhere take its units out of an open form, so that nothing is chosen there any more. */
function nothingChosen({ order }: Refund): string {
  const refunded = order.lines.filter(({ unitsRefunded }) => unitsRefunded > 0);
  const words = refunded.map(({ name, unitsRefunded }) => `${unitsRefunded} × ${name}`).join(", ");
  return `${words && `Refunded already: ${words}. `}Enter an amount, or choose items above`;
}

function readAmount(action: Refund): Amount {
  const { value } = action;
  const units = unitsIn(action);
  if (!units) return { field: "units", problem: WRONG_UNITS };
  const items = { units, hasShipping: value.shipping !== undefined };
  const hasItems = unitsOf(items) !== null;
  const typed = value.amount.trim();
  const wrong = (problem: string) => ({ field: "amount", problem }) as const;
  if (typed === "") return hasItems ? { cents: Number(value.total), items } : wrong(nothingChosen(action));
  if (hasItems) return wrong(REFUND_NOT_BOTH);
  const cents = readDollars(typed);
  return cents === null ? wrong("Enter an amount in dollars, such as 24.50") : { cents, items: null };
}

/** Refunds items or an amount within the role's limit; large ones require a recent verification. */
async function refund(action: Refund) {
  const { id, by, value } = action;
  const amount = readAmount(action);
  const { reason, refundsSeen: seen } = value;
  const hasReason = isReason(REFUND_REASONS, reason);
  if (!hasReason || "problem" in amount) {
    const errors = {
      ...("problem" in amount && { [amount.field]: amount.problem }),
      ...(!hasReason && { reason: NO_REASON }),
    };
    return refused(action, "", { status: 400, errors });
  }
  const { cents } = amount;
  const wanted = { ...amount, reason, ...(seen !== undefined && { seen }) };
  const asked = await requested(action, (isVerified) =>
    refundOrder(db, paymentProviders(), id, { ...wanted, isVerified }, by),
  );
  if ("problem" in asked) return unverified(action, asked.problem);
  const { result } = asked;
  if (!result.ok && result.reason === "limit") return aboveLimit(action, result);
  if (!result.ok && result.reason === "refunded-units") {
    const { name, unitsLeft } = result;
    const problem = unitsLeft === 0 ? `${name} was refunded before` : `Only ${unitsLeft} of ${name} can be refunded`;
    return fieldError(action, "units", problem, 409);
  }
  if (!result.ok && result.reason === "sum") return fieldError(action, "total", "Check the sum, then confirm", 409);
  if (!result.ok) return outcome(action, result, "");
  if (result.state === "failed")
    return refused(action, "The payment provider refused the refund. Nothing was refunded.");
  return outcome(action, result, REFUND_WORDS[result.state](formatMoney(cents)));
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
  const asked = await requested(action, (isVerified) =>
    cancelItems(db, paymentProviders(), action.id, { ...change, isVerified }, action.by),
  );
  if ("problem" in asked) return unverified(action, asked.problem);
  const { result } = asked;
  if (!result.ok && result.reason === "limit") return aboveLimit(action, result);
  const refund = result.ok ? result.refund : null;
  const amount = formatMoney(refund?.cents ?? 0);
  if (refund?.state === "failed")
    return refused(action, `Items canceled, but the payment provider refused the refund of ${amount}.`);
  const started = {
    done: ` and ${amount} refunded`,
    waiting: `, and a refund of ${amount} started`,
    recorded: `, and a refund of ${amount} recorded`,
  };
  return outcome(action, result, `Items canceled${refund ? started[refund.state] : ""}. The customer was notified.`);
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
    return outcome(action, result, "Shipment undone. Its items are to ship again, and the customer was notified.");
  }),
  ...parcelActions,
  refund: onOrder(refundShape, refund),
  "resolve-refund": onOrder(
    { refund: z.uuid(), text: requiredLine("Note", 500, "Enter how it was resolved") },
    async (action) => {
      const { refund: actionId, text } = action.value;
      const result = await resolveRefund(db, action.id, { actionId, text }, action.by);
      return outcome(action, result, "Marked as resolved. The customer was notified.");
    },
  ),
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
  delay: onOrder({ ...delayShape, paysAgain: z.literal("on").optional() }, async (action) => {
    const { paysAgain, reason } = action.value;
    const day = delayDay(action.value);
    if ("problem" in day) return fieldError(action, "until", day.problem);
    const result = await delayOrder(db, action.id, day.until, action.by, { paysAgain: paysAgain === "on", reason });
    if (!result.ok && result.reason === "hold-ends") return fieldError(action, "paysAgain", PAYS_AGAIN, 409);
    return outcome(action, result, "Shipping delayed. The customer was told, and may cancel.");
  }),
  cancel: onOrder({}, async (action) =>
    outcome(action, await cancelByStaff(db, action.id, action.by), "Canceled. The customer was notified."),
  ),
  decline: onOrder({ reason: reasonIn(DECLINE_REASONS) }, async (action) => {
    const result = await declineByStaff(db, action.id, action.value.reason, action.by);
    return outcome(action, result, "Declined. The customer was notified of the reason.");
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
  address: onOrder({ ...addressSchema.shape, addressSeen: z.string() }, async (action) => {
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
