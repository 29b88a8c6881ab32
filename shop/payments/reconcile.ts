/** Decision table of reconciliation: the effect of a provider snapshot on a payment and its order. */
import { isAllowed, type OrderStatus } from "#shop/orders/lifecycle.ts";
import type { PaymentState } from "./payment.tables.ts";
import type { PaymentSnapshot } from "./provider.ts";

const CURRENCY = "usd";

export type PaymentNow = {
  orderStatus: OrderStatus;
  isReservationOver: boolean;
  state: PaymentState;
  amountCents: number;
  problem: string | null;
  isDisputed: boolean;
  isPaidByOther: boolean;
  isVoided: boolean;
};

export const ALERTS = [
  "mismatch",
  "surplus",
  "disputed",
  "authorization-ended",
  "capture-soon",
  "refund-failed",
  "hold-extended",
] as const;
export type Alert = (typeof ALERTS)[number];

type Note = "payment-authorized" | "payment-failed" | "payment-mismatch" | "disputed" | "dispute-closed";

export type Decision = {
  state: PaymentState;
  problem: string | null;
  /** `authorized-late` requires units in stock; otherwise the payment is voided or refunded. */
  order: "authorized" | "authorized-late" | "expired" | null;
  returnsMoney: boolean;
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
    returnsMoney: false,
    notes: [],
    alerts: [],
    asksToPay: false,
  };
  const decision = { ...unchanged, ...changes(now, snapshot) };
  const isDisputed = snapshot.disputedUntil !== null;
  if (isDisputed === now.isDisputed) return decision;
  return isDisputed
    ? { ...decision, notes: [...decision.notes, "disputed"], alerts: [...decision.alerts, "disputed"] }
    : { ...decision, notes: [...decision.notes, "dispute-closed"] };
}

function changes(now: PaymentNow, snapshot: PaymentSnapshot): Partial<Decision> {
  const { state } = snapshot;
  if (state === "authorized" || state === "captured") return paid(now, snapshot);
  if (state === "open") return stillOpen(now, snapshot);
  return state === "saved" ? {} : ended(now, state);
}

const isLive = (state: PaymentState) => state === "authorized" || state === "captured";

function paid(now: PaymentNow, { state, amountCents, currency }: PaymentSnapshot): Partial<Decision> {
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
  const known: Partial<Decision> = { state: state as PaymentState, problem: null };
  const { orderStatus } = now;
  const isEnded = orderStatus === "canceled" || orderStatus === "declined";
  if (isLive(now.state)) return { ...known, returnsMoney: isEnded };
  if (isEnded) return { ...known, returnsMoney: true };
  if (now.isPaidByOther) return { ...known, returnsMoney: true, alerts: ["surplus"] };
  if (isAllowed("authorized", orderStatus)) return { ...known, order: "authorized" };
  if (isAllowed("authorized-late", orderStatus)) return { ...known, order: "authorized-late" };
  if (isAllowed("payment-authorized", orderStatus)) return { ...known, notes: ["payment-authorized"] };
  return { ...known, returnsMoney: true, alerts: ["surplus"] };
}

function stillOpen(now: PaymentNow, { problem }: PaymentSnapshot): Partial<Decision> {
  if (now.state !== "opening" && now.state !== "open") return {};
  const isNew = problem !== null && problem !== now.problem && isAllowed("payment-failed", now.orderStatus);
  return { state: "open", problem, notes: isNew ? ["payment-failed"] : [] };
}

function ended(now: PaymentNow, state: "closed" | "voided"): Partial<Decision> {
  if (state === "voided" && isLive(now.state) && !now.isVoided) {
    const isAwaited = isAllowed("payment-failed", now.orderStatus);
    return {
      state: "failed",
      problem: "authorization-ended",
      ...(isAwaited && { notes: ["payment-failed"], alerts: ["authorization-ended"], asksToPay: true }),
    };
  }
  const isOver = isAllowed("expired", now.orderStatus) && now.isReservationOver && !now.isPaidByOther;
  return { state: now.state === "failed" ? "failed" : "closed", order: isOver ? "expired" : null };
}
