/** Decision table of reconciliation: the effect of a provider snapshot on a payment and its order. */
import { isAllowed, type OrderStatus } from "#shop/orders/lifecycle.ts";
import type { PaymentKind, PaymentState } from "./payment.tables.ts";
import type { Dispute, PaymentSnapshot } from "./provider.ts";

const CURRENCY = "usd";

export type PaymentNow = {
  orderStatus: OrderStatus;
  isReservationOver: boolean;
  /** Something of the order is charged on a saved card, is being charged, or still to be paid. */
  isDue: boolean;
  kind: PaymentKind;
  /** It pays one charge of the order alone. */
  isLink: boolean;
  state: PaymentState;
  amountCents: number;
  problem: string | null;
  dispute: Dispute["state"] | null;
  isPaidByOther: boolean;
  isVoided: boolean;
  /** The page has kept its card, which is not forgotten yet. */
  hasCard: boolean;
};

export type Alert =
  | "mismatch"
  | "surplus"
  | "disputed"
  | "dispute-lost"
  | "authorization-ended"
  | "capture-soon"
  | "refund-failed"
  | "hold-extended";

type Note =
  | "payment-authorized"
  | "card-changed"
  | "payment-failed"
  | "payment-mismatch"
  | "disputed"
  | "dispute-closed";

export type Decision = {
  state: PaymentState;
  problem: string | null;
  /** Those that are late require units in stock; otherwise the payment is voided or refunded, and a card forgotten. */
  order: "authorized" | "authorized-late" | "payment-authorized" | "card-saved" | "card-saved-late" | "expired" | null;
  /** The page is first seen to have kept a card. */
  keepsCard: boolean;
  returnsMoney: boolean;
  /** The bank gave the money of a dispute to the customer. */
  losesMoney: boolean;
  notes: Note[];
  alerts: Alert[];
  asksToPay: boolean;
};

/** Returns the changes of a snapshot. Idempotent: the same snapshot again changes nothing. */
export function decide(now: PaymentNow, snapshot: PaymentSnapshot): Decision {
  const unchanged: Decision = {
    state: now.state,
    problem: now.problem,
    order: null,
    keepsCard: false,
    returnsMoney: false,
    losesMoney: false,
    notes: [],
    alerts: [],
    asksToPay: false,
  };
  const decision = { ...unchanged, ...changes(now, snapshot) };
  const dispute = snapshot.dispute?.state ?? null;
  if (dispute === now.dispute) return decision;
  if (dispute === "open")
    return { ...decision, notes: [...decision.notes, "disputed"], alerts: [...decision.alerts, "disputed"] };
  const losesMoney = dispute === "lost";
  const alerts: Alert[] = losesMoney ? [...decision.alerts, "dispute-lost"] : decision.alerts;
  return { ...decision, losesMoney, alerts, notes: [...decision.notes, "dispute-closed"] };
}

function changes(now: PaymentNow, snapshot: PaymentSnapshot): Partial<Decision> {
  if (now.state === "forgotten") return {};
  switch (snapshot.state) {
    case "saved":
      return saved(now);
    case "authorized":
    case "captured":
      return paid(now, snapshot);
    case "open":
      return stillOpen(now, snapshot);
    case "closed":
    case "voided":
      return ended(now, snapshot.state);
  }
}

const isLive = (state: PaymentState) => state === "authorized" || state === "captured";

/** An order of which nothing is due needs no other payment. */
const isAwaited = ({ isDue, isLink }: PaymentNow) => isDue || isLink;

/** The order waits for this payment to ship. */
const isOrders = (now: PaymentNow) =>
  !now.isLink && isAllowed("payment-failed", now.orderStatus) && (now.orderStatus === "unpaid" || isAwaited(now));

function saved(now: PaymentNow): Partial<Decision> {
  if (now.state === "saved") return {};
  const known: Partial<Decision> = { state: "saved", problem: null, keepsCard: true };
  if (isAllowed("card-saved", now.orderStatus)) return { ...known, order: "card-saved" };
  if (isAllowed("card-saved-late", now.orderStatus)) return { ...known, order: "card-saved-late" };
  return isAwaited(now) ? { ...known, notes: ["card-changed"] } : known;
}

function paid(now: PaymentNow, { state, amountCents, currency, saved: card }: PaymentSnapshot): Partial<Decision> {
  if (amountCents !== now.amountCents || currency !== CURRENCY) {
    const isKnown = now.state === "mismatch";
    return {
      state: "mismatch",
      problem: "amount-differs",
      ...(!isKnown && { notes: ["payment-mismatch"], alerts: ["mismatch"] }),
    };
  }
  // The payment of a failed capture is being voided.
  if (now.state === "failed" && state === "authorized") return {};
  const keepsCard = card !== null && !isLive(now.state);
  const known: Partial<Decision> = { state: state as PaymentState, problem: null, keepsCard };
  const { orderStatus } = now;
  const isEnded = !now.isLink && (orderStatus === "canceled" || orderStatus === "declined");
  // The return of an ended order was requested with its end. If it failed, staff decide what to do.
  if (isLive(now.state)) return { ...known, returnsMoney: isEnded && state !== now.state };
  if (isEnded) return { ...known, returnsMoney: true };
  if (now.kind === "charge") return known;
  if (now.isPaidByOther) return { ...known, returnsMoney: true, alerts: ["surplus"] };
  if (isAllowed("authorized", orderStatus)) return { ...known, order: "authorized" };
  if (isAllowed("authorized-late", orderStatus)) return { ...known, order: "authorized-late" };
  if (isAllowed("payment-authorized", orderStatus) && isAwaited(now))
    return { ...known, ...(now.isLink ? { notes: ["payment-authorized"] } : { order: "payment-authorized" }) };
  return { ...known, returnsMoney: true, alerts: ["surplus"] };
}

function stillOpen(now: PaymentNow, { problem }: PaymentSnapshot): Partial<Decision> {
  if (now.state !== "opening" && now.state !== "open") return {};
  const isNew = problem !== null && problem !== now.problem && isOrders(now);
  return { state: "open", problem, notes: isNew ? ["payment-failed"] : [] };
}

function ended(now: PaymentNow, state: "closed" | "voided"): Partial<Decision> {
  if (now.state === "saved") return {};
  // The next parcel is charged on the card that the page has kept.
  if (state === "voided" && now.state === "authorized" && now.hasCard) return { state: "closed" };
  if (state === "voided" && isLive(now.state) && !now.isVoided) {
    const mustPay = isOrders(now);
    return {
      state: "failed",
      problem: "authorization-ended",
      ...(mustPay && { notes: ["payment-failed"], alerts: ["authorization-ended"], asksToPay: true }),
    };
  }
  const isOver = isAllowed("expired", now.orderStatus) && now.isReservationOver && !now.isPaidByOther;
  return { state: now.state === "failed" ? "failed" : "closed", order: isOver ? "expired" : null };
}
