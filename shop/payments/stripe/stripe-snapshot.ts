/** Snapshot of a payment from Stripe's session, payment intent and charge. */
import type Stripe from "stripe";
import type { PaymentSnapshot, ProviderRefund } from "../provider.ts";

export const SESSION_EXPAND = ["payment_intent.latest_charge.refunds"];

const time = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null);
const whole = <Whole>(object: string | Whole | null | undefined): Whole | null =>
  object && typeof object !== "string" ? object : null;

export const intentOf = ({ payment_intent: intent }: Stripe.Checkout.Session): Stripe.PaymentIntent | null =>
  whole(intent);
const chargeOf = (intent: Stripe.PaymentIntent | null): Stripe.Charge | null => whole(intent?.latest_charge);

function stateOf(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent | null): PaymentSnapshot["state"] {
  if (intent?.status === "requires_capture") return "authorized";
  if (intent?.status === "succeeded") return "captured";
  if (intent?.status === "canceled" && chargeOf(intent)?.paid) return "voided";
  return session.status === "open" ? "open" : "closed";
}

/** Stripe reports the release of an uncaptured amount as a refund, which it is not. */
function isRelease(refund: Stripe.Refund, charge: Stripe.Charge): boolean {
  const isReversal = refund.destination_details?.card?.type === "reversal";
  return isReversal && !refund.metadata?.action_id && refund.amount === charge.amount - charge.amount_captured;
}

const REFUND_STATES: Record<string, ProviderRefund["state"]> = {
  succeeded: "done",
  failed: "failed",
  canceled: "failed",
};

function refundsOf(charge: Stripe.Charge | null): ProviderRefund[] {
  if (!charge?.captured) return [];
  return (charge.refunds?.data ?? [])
    .filter((refund) => !isRelease(refund, charge))
    .map(({ id, metadata, amount, status }) => ({
      reference: id,
      actionId: metadata?.action_id ?? null,
      cents: amount,
      state: REFUND_STATES[status ?? ""] ?? "pending",
    }));
}

function methodOf(charge: Stripe.Charge | null): PaymentSnapshot["method"] {
  const card = charge?.payment_method_details?.card;
  if (!card?.brand || !card.last4) return null;
  return { brand: card.brand, lastFour: card.last4, wallet: card.wallet?.type ?? null };
}

/** `dueBy` is the deadline for answering a dispute, in seconds. */
export function snapshotOf(session: Stripe.Checkout.Session, dueBy: number | null = null): PaymentSnapshot {
  const intent = intentOf(session);
  const charge = chargeOf(intent);
  const refunds = refundsOf(charge);
  return {
    state: stateOf(session, intent),
    reference: session.id,
    intentReference: intent?.id ?? null,
    currency: intent?.currency ?? session.currency ?? "",
    amountCents: intent?.amount ?? session.amount_total ?? 0,
    authorizedCents: charge?.paid ? charge.amount : 0,
    capturedCents: charge?.captured ? charge.amount_captured : 0,
    refundedCents: refunds.filter(({ state }) => state === "done").reduce((sum, { cents }) => sum + cents, 0),
    captureBefore: time(charge?.payment_method_details?.card?.capture_before),
    method: methodOf(charge),
    problem: intent?.last_payment_error?.decline_code ?? intent?.last_payment_error?.code ?? null,
    disputedUntil: time(dueBy),
    refunds,
  };
}
