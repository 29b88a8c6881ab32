/** Snapshots of payments from Stripe's sessions, intents and charges. */
import type Stripe from "stripe";
import { isMethodName, PAYMENT_METHODS } from "../payment-method.ts";
import type { Dispute, PaymentSnapshot, ProviderRefund, SavedMethod } from "../provider.ts";

export const SESSION_EXPAND = ["payment_intent.latest_charge.refunds", "setup_intent.payment_method"];
export const INTENT_EXPAND = ["latest_charge.refunds"];

const time = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null);
const whole = <Whole>(object: string | Whole | null | undefined): Whole | null =>
  object && typeof object !== "string" ? object : null;

export const intentOf = ({ payment_intent: intent }: Stripe.Checkout.Session): Stripe.PaymentIntent | null =>
  whole(intent);
export const chargeOf = (intent: Stripe.PaymentIntent | null): Stripe.Charge | null => whole(intent?.latest_charge);

function stateOf(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent | null): PaymentSnapshot["state"] {
  if (intent?.status === "requires_capture") return "authorized";
  if (intent?.status === "succeeded") return "captured";
  if (intent?.status === "canceled" && chargeOf(intent)?.paid) return "voided";
  return session.status === "open" ? "open" : "closed";
}

/** Stripe reports the release of an uncaptured amount as a refund, which it is not. Only cards mark it. */
function isRelease(refund: Stripe.Refund, charge: Stripe.Charge): boolean {
  const { card, type } = refund.destination_details ?? {};
  const isReversal = type === "card" || !type ? card?.type === "reversal" : true;
  return isReversal && !refund.metadata?.action_id && refund.amount === charge.amount - charge.amount_captured;
}

const REFUND_STATES: Record<string, ProviderRefund["state"]> = {
  succeeded: "done",
  failed: "failed",
  canceled: "failed",
};

function refundsOf(charge: Stripe.Charge | null, made: Stripe.Refund[]): ProviderRefund[] {
  if (!charge?.captured) return [];
  return made
    .filter((refund) => !isRelease(refund, charge))
    .map(({ id, metadata, amount, status }) => ({
      reference: id,
      actionId: metadata?.action_id ?? null,
      cents: amount,
      state: REFUND_STATES[status ?? ""] ?? "pending",
    }));
}

type Card = { brand: string | null; last4: string | null; wallet: { type: string } | null };

function methodOf(used: { type: string; card?: Card | null } | null | undefined): PaymentSnapshot["method"] {
  if (used && used.type !== "card") return { brand: used.type, lastFour: "", wallet: null };
  const card = used?.card;
  if (!card?.brand || !card.last4) return null;
  return { brand: card.brand, lastFour: card.last4, wallet: card.wallet?.type ?? null };
}

const idOf = (object: string | { id: string } | null): string | null =>
  typeof object === "string" ? object : (object?.id ?? null);

function savedBy(setup: Stripe.SetupIntent | null, intent: Stripe.PaymentIntent | null): SavedMethod | null {
  const isSaved =
    setup?.status === "succeeded" ||
    (intent?.setup_future_usage === "off_session" && ["requires_capture", "succeeded"].includes(intent.status));
  const kept = setup ?? intent;
  const [customer, method] = [idOf(kept?.customer ?? null), idOf(kept?.payment_method ?? null)];
  return isSaved && customer && method ? { customer, method } : null;
}

/** End of an authorization in seconds. Stripe tells it of cards; the others have a length of their own. */
function captureBefore(charge: Stripe.Charge | null): number | null {
  const { type = "", card } = charge?.payment_method_details ?? {};
  if (card?.capture_before) return card.capture_before;
  if (!charge?.paid || charge.captured || !isMethodName(type) || type === "card") return null;
  return charge.created + PAYMENT_METHODS[type].authorizedDays * 86_400;
}

export type Details = { disputes: Stripe.Dispute[]; refunds: Stripe.Refund[] };

const OPEN_DISPUTES = ["needs_response", "under_review", "warning_needs_response", "warning_under_review"];

/** One that is open, else what was lost. An inquiry that was closed, or one that was prevented, took nothing. */
function disputeOf(disputes: readonly Stripe.Dispute[]): Dispute | null {
  const open = disputes.find(({ status }) => OPEN_DISPUTES.includes(status));
  if (open) return { state: "open", until: time(open.evidence_details.due_by) ?? time(open.created)! };
  const lost = disputes.filter(({ status }) => status === "lost");
  if (lost.length > 0) return { state: "lost", cents: lost.reduce((sum, { amount }) => sum + amount, 0) };
  return disputes.length > 0 ? { state: "won" } : null;
}

function moneyOf(intent: Stripe.PaymentIntent | null, { disputes, refunds: made }: Details) {
  const charge = chargeOf(intent);
  const refunds = refundsOf(charge, made);
  return {
    intentReference: intent?.id ?? null,
    authorizedCents: charge?.paid ? charge.amount : 0,
    capturedCents: charge?.captured ? charge.amount_captured : 0,
    refundedCents: refunds.filter(({ state }) => state === "done").reduce((sum, { cents }) => sum + cents, 0),
    captureBefore: time(captureBefore(charge)),
    method: methodOf(charge?.payment_method_details),
    problem: problemOf(intent?.last_payment_error),
    dispute: disputeOf(disputes),
    refunds,
  };
}

const problemOf = (error: { code?: string; decline_code?: string } | null | undefined): string | null =>
  error?.decline_code ?? error?.code ?? null;

export function sessionSnapshot(session: Stripe.Checkout.Session, details: Details): PaymentSnapshot {
  const intent = intentOf(session);
  const setup = whole(session.setup_intent);
  const saved = savedBy(setup, intent);
  return {
    ...moneyOf(intent, details),
    ...(setup && { method: methodOf(whole(setup.payment_method)), problem: problemOf(setup.last_setup_error) }),
    state: setup && saved ? "saved" : stateOf(session, intent),
    reference: session.id,
    currency: intent?.currency ?? session.currency ?? "",
    amountCents: intent?.amount ?? session.amount_total ?? 0,
    saved,
    unusedCustomer: session.status === "expired" ? idOf(session.customer) : null,
  };
}

/** The state of a charge of a saved card: refused or canceled, nobody can pay it any more. */
function chargeState({ status, last_payment_error: error }: Stripe.PaymentIntent): PaymentSnapshot["state"] {
  if (status === "succeeded") return "captured";
  const isOver = status === "canceled" || (status === "requires_payment_method" && error !== null);
  return isOver ? "closed" : "open";
}

export const intentSnapshot = (intent: Stripe.PaymentIntent, details: Details): PaymentSnapshot => ({
  ...moneyOf(intent, details),
  state: chargeState(intent),
  reference: intent.id,
  currency: intent.currency,
  amountCents: intent.amount,
  saved: null,
  unusedCustomer: null,
});
