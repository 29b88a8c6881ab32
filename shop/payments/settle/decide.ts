/** What the provider's word about a payment does to it and to its order. The same word twice changes nothing. */
import { isAllowed, type OrderStatus } from "../../orders/lifecycle.ts";
import type { PaymentState } from "../payment.ts";
import type { PaymentSnapshot } from "../provider.ts";

const CURRENCY = "usd";

/** A payment and its order, as they stand while both are locked. */
export type PaymentNow = {
  orderStatus: OrderStatus;
  isHoldOver: boolean;
  state: PaymentState;
  amountCents: number;
  problem: string | null;
  isDisputed: boolean;
  /** Another payment of the order is authorized or captured. */
  isPaidByOther: boolean;
  /** We have asked for it to be given back. */
  isVoided: boolean;
};

/** What the staff are told. */
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
  /** What happens to the order. `authorized-late` only where its units are still there: otherwise it is given back. */
  order: "authorized" | "authorized-late" | "lapsed" | null;
  /** A void or a refund is asked for, where there is none yet. */
  givesBack: boolean;
  notes: Note[];
  alerts: Alert[];
  /** The customer is asked to pay again. */
  asksToPay: boolean;
};

export function decide(now: PaymentNow, snapshot: PaymentSnapshot): Decision {
  const unchanged: Decision = {
    state: now.state,
    problem: now.problem,
    order: null,
    givesBack: false,
    notes: [],
    alerts: [],
    asksToPay: false,
  };
  const { state } = snapshot;
  const isPaid = state === "authorized" || state === "captured";
  const decision = {
    ...unchanged,
    ...(isPaid ? paid(now, snapshot) : state === "open" ? stillOpen(now, snapshot) : ended(now, state)),
  };
  const isDisputed = snapshot.disputedUntil !== null;
  if (isDisputed === now.isDisputed) return decision;
  return isDisputed
    ? { ...decision, notes: [...decision.notes, "disputed"], alerts: [...decision.alerts, "disputed"] }
    : { ...decision, notes: [...decision.notes, "dispute-closed"] };
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
  // What could not be captured is on its way back.
  if (now.state === "failed" && state === "authorized") return {};
  const known: Partial<Decision> = { state: state as PaymentState, problem: null };
  const { orderStatus } = now;
  const isEnded = orderStatus === "canceled" || orderStatus === "declined";
  if (isLive(now.state)) return { ...known, givesBack: isEnded };
  if (isEnded) return { ...known, givesBack: true };
  if (now.isPaidByOther) return { ...known, givesBack: true, alerts: ["surplus"] };
  if (isAllowed("authorized", orderStatus)) return { ...known, order: "authorized" };
  if (isAllowed("authorized-late", orderStatus)) return { ...known, order: "authorized-late" };
  if (isAllowed("payment-authorized", orderStatus)) return { ...known, notes: ["payment-authorized"] };
  return { ...known, givesBack: true, alerts: ["surplus"] };
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
  const isOver = isAllowed("lapsed", now.orderStatus) && now.isHoldOver && !now.isPaidByOther;
  return { state: now.state === "failed" ? "failed" : "closed", order: isOver ? "lapsed" : null };
}
