/** A return as it is stored: the input of every decision about it, beside the state of its order. */
import type { EmailJobs } from "#shop/mail/email.ts";
import { refused, type Change, type EventData, type Refusal } from "#shop/orders/change.ts";
import type { MoneyItem } from "#shop/orders/facts.ts";
import type { OrderState, Place } from "#shop/orders/state.ts";
import type { Outcome, ReturnEvent, ReturnKind, ReturnState } from "./lifecycle.ts";
import { reasonOf, type DeductionReason, type RefuseReason, type ReturnReason } from "./return.ts";

/** Amounts are in cents, days are YYYY-MM-DD in New York. Its units are rows of the order's facts. */
export type ReturnRow = {
  id: string;
  number: string;
  kind: ReturnKind;
  state: ReturnState;
  reason: ReturnReason;
  /** Product wanted in an exchange. */
  exchangeProductId: string | null;
  /** Its price when its customer asked for it, and the tax of all its units. */
  exchangePriceCents: number | null;
  exchangeTaxCents: number | null;
  /** Payer of the way to the shop. */
  labelBy: "us" | "customer";
  labelUrl: string | null;
  createdAt: Date;
  authorizedAt: Date | null;
  /** Last day for the customer to send it; null while the shop owes the label. */
  shipBy: string | null;
  remindedAt: Date | null;
  receivedAt: Date | null;
  /** Last day of the promise: the refund, or the repair or replacement. */
  dueOn: string | null;
  inspectedAt: Date | null;
  deductionCents: number;
  deductionReason: DeductionReason | null;
  refuseReason: RefuseReason | null;
  /** Price of a repair; a paid diagnostic fee comes off. */
  quoteCents: number | null;
  quoteAcceptedAt: Date | null;
  outcome: Outcome | null;
  resolvedAt: Date | null;
  closedAt: Date | null;
};

export type ReturnCase = { order: OrderState; row: ReturnRow };
export type ReturnDecision = { ok: true; change: Change; row: Partial<ReturnRow> } | Refusal;

export const UNCHANGED: ReturnDecision = { ok: true, change: {}, row: {} };

/** Refused, because the return is in a state in which this cannot be done. */
export const wrongState = ({ row }: ReturnCase) => refused("state", { name: row.state });

/** Units of the order that are in a return. */
export const unitsOf = ({ order, row }: ReturnCase) => order.units.filter(({ inReturn }) => inReturn === row.id);

/** Units that a return sends, or has sent: in place of others, as a part, or the customer's own. */
export const unitsSent = ({ order: { facts, units }, row }: ReturnCase) =>
  units.filter(
    (unit) =>
      unit.returnId === row.id ||
      facts.returned.some((each) => each.returnId === row.id && each.unit === unit.number && each.goesBackAt !== null),
  );

const ARRIVING: readonly Place[] = ["shipped", "delivered", "returned"];

/** A unit of the return never reached its buyer: its parcel was refused or lost since it was asked for. */
export const isAstray = (given: ReturnCase): boolean => !unitsOf(given).every(({ place }) => ARRIVING.includes(place));

/** The price of a unit of the return is given back: nothing more is owed for it. */
export const isGivenBack = (given: ReturnCase): boolean => unitsOf(given).some(({ refunded }) => refunded !== null);

/** Rows of the units of a return that is not over. */
export const rowsOf = ({ order, row }: ReturnCase) =>
  order.facts.returned.filter(({ returnId, endedAt }) => returnId === row.id && endedAt === null);

/** Charge that its customer has still to pay. */
export const openCharge = ({ order, row }: ReturnCase) =>
  order.charges.find(({ returnId, state }) => returnId === row.id && state === "asked");

/** The diagnostic fee that is paid and not given back. */
export const keptFee = ({ order, row }: ReturnCase): number =>
  order.money.services.find(({ returnId, kind }) => returnId === row.id && kind === "fee")?.leftCents ?? 0;

/** An email that only names its return. */
type ReturnEmail = Exclude<Extract<keyof EmailJobs, `return-${string}`>, "return-checks" | "return-payment">;

/**
 * The shipping of the order, if a return gives it back: the shop is at fault, and no other return promises it, which is over
 * once it is sent back or replaced.
 */
export function shippingBack(
  { facts, units, shipping }: OrderState,
  { id, reason }: { id?: string; reason: ReturnReason },
): MoneyItem | null {
  const isPromised = facts.returned.some(
    ({ returnId, unit, promisesShipping, endedAt, goesBackAt }) =>
      promisesShipping &&
      returnId !== id &&
      (endedAt ?? goesBackAt) === null &&
      !units.some(({ number, isReplaced }) => number === unit && isReplaced),
  );
  return reasonOf(reason).isOurFault && shipping.isRefundable && !isPromised ? shipping.charged : null;
}

/** The event of a return, and the email about it, if any. */
export const changed = (
  { id: returnId, number }: ReturnRow,
  event: ReturnEvent,
  { data = {}, queued }: { data?: EventData; queued?: ReturnEmail } = {},
): Change => ({
  events: [{ type: "return-changed", data: { returnId, number, event, ...data } }],
  ...(queued && { emails: [{ template: queued, returnId }] }),
});
