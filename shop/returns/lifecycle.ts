/** States and events of a return. Checks and a trigger enforce the same rules in the database. */
import type { OrderActor } from "#shop/orders/lifecycle.ts";

export const RETURN_KINDS = ["return", "exchange", "defect", "warranty", "repair"] as const;
export type ReturnKind = (typeof RETURN_KINDS)[number];

export const RETURN_STATES = [
  "requested",
  "authorized",
  "received",
  "inspected",
  "quoted",
  "resolved",
  "closed",
  "declined",
  "withdrawn",
  "expired",
] as const;
export type ReturnState = (typeof RETURN_STATES)[number];

/** `sent-back`: the customer's own product, as it came. */
export const OUTCOMES = ["refund", "replacement", "repair", "part", "sent-back"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/**
 * Events that change the state. `from` is null for the request. `resolved` decides the outcome: what is refunded or sent;
 * `closed` follows once the money and the parcel of it have left.
 */
export const RETURN_TRANSITIONS = [
  { event: "requested", from: null, to: "requested", by: ["customer", "guest", "staff"] },
  { event: "authorized", from: "requested", to: "authorized", by: ["customer", "guest", "staff"] },
  { event: "declined", from: "requested", to: "declined", by: ["staff"] },
  { event: "withdrawn", from: "requested", to: "withdrawn", by: ["customer", "guest", "staff", "system"] },
  { event: "withdrawn", from: "authorized", to: "withdrawn", by: ["customer", "guest", "staff", "system"] },
  { event: "expired", from: "authorized", to: "expired", by: ["system"] },
  { event: "reopened", from: "expired", to: "authorized", by: ["staff"] },
  // Its customer has sent it after all.
  { event: "reopened", from: "withdrawn", to: "authorized", by: ["staff"] },
  { event: "received", from: "authorized", to: "received", by: ["staff"] },
  { event: "inspected", from: "received", to: "inspected", by: ["staff"] },
  { event: "quoted", from: "inspected", to: "quoted", by: ["staff"] },
  { event: "quote-accepted", from: "quoted", to: "inspected", by: ["customer", "guest", "staff"] },
  { event: "quote-refused", from: "quoted", to: "resolved", by: ["customer", "guest", "staff"] },
  { event: "resolved", from: "requested", to: "resolved", by: ["staff"] },
  { event: "resolved", from: "authorized", to: "resolved", by: ["staff"] },
  { event: "resolved", from: "inspected", to: "resolved", by: ["staff", "system"] },
  // The customer did not pay what is sent.
  { event: "resolved", from: "resolved", to: "resolved", by: ["staff", "system"] },
  { event: "closed", from: "resolved", to: "closed", by: ["system"] },
] as const satisfies readonly {
  event: string;
  from: ReturnState | null;
  to: ReturnState;
  by: readonly OrderActor[];
}[];

/** States whose return is not over: its units cannot be in another one. */
export const OPEN_STATES = ["requested", "authorized", "received", "inspected", "quoted", "resolved"] as const;

/** Events that leave the state unchanged, and the states in which they may happen. */
export const RETURN_NOTES = [
  { event: "checks-sent", in: ["requested"], by: ["staff"] },
  { event: "label-added", in: ["authorized"], by: ["staff"] },
  { event: "fee-asked", in: ["requested", "authorized"], by: ["staff"] },
  { event: "payment-recorded", in: OPEN_STATES, by: ["staff"] },
  { event: "charge-waived", in: OPEN_STATES, by: ["staff"] },
  { event: "reminded", in: ["authorized", "resolved"], by: ["system"] },
] as const satisfies readonly { event: string; in: readonly ReturnState[]; by: readonly OrderActor[] }[];

type Transition = (typeof RETURN_TRANSITIONS)[number];
type Note = (typeof RETURN_NOTES)[number];
export type ReturnTransition = Transition["event"];
export type ReturnNote = Note["event"];
export type ReturnEvent = ReturnTransition | ReturnNote;

/** States in which something of the customer's is here, or its outcome is still owed. */
export const OWED_STATES = ["received", "inspected", "quoted", "resolved"] as const;

/**
 * Outcomes that staff may choose, by kind. The product may be `unreturned`: a part goes out without it, and what came
 * damaged or not at all is replaced or refunded. What waits for the customer's payment may end `unpaid`.
 */
const OUTCOMES_OF: Record<ReturnKind, Record<"unreturned" | "inspected" | "unpaid", readonly Outcome[]>> = {
  return: { unreturned: [], inspected: ["refund", "sent-back"], unpaid: [] },
  exchange: { unreturned: [], inspected: ["replacement", "refund", "sent-back"], unpaid: ["refund", "sent-back"] },
  defect: { unreturned: ["replacement", "refund"], inspected: ["replacement", "refund", "sent-back"], unpaid: [] },
  warranty: { unreturned: ["part"], inspected: ["repair", "replacement", "refund", "sent-back"], unpaid: [] },
  repair: { unreturned: [], inspected: ["repair", "sent-back"], unpaid: ["sent-back"] },
};

export function outcomesOf(kind: ReturnKind, state: ReturnState): readonly Outcome[] {
  if (state === "inspected") return OUTCOMES_OF[kind].inspected;
  if (state === "resolved") return OUTCOMES_OF[kind].unpaid;
  return state === "requested" || state === "authorized" ? OUTCOMES_OF[kind].unreturned : [];
}

export function isAllowed(event: ReturnEvent, from: ReturnState | null): boolean {
  const note = RETURN_NOTES.find((each) => each.event === event);
  if (note) return from !== null && (note.in as readonly ReturnState[]).includes(from);
  return RETURN_TRANSITIONS.some((transition) => transition.event === event && transition.from === from);
}

export const stateAfter = (event: ReturnTransition): ReturnState =>
  RETURN_TRANSITIONS.find((transition) => transition.event === event)!.to;
