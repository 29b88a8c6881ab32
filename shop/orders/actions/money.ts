/** Charges with their items, and the attempts to take their money or to release it. */
import { merge, type DecidedBy, type Change } from "../change.ts";
import type { Attempt, Charge, Facts, MoneyItem, Payment } from "../facts.ts";
import { isLink, type ChargeStanding } from "../order-money.ts";
import { isUnsent } from "../order.ts";
import { isWaiting, type OrderState, type UnitState } from "../state.ts";

/** Charge item of a unit. It includes the tax that the shop bears, which comes off its price. */
export const unitItem = ({ number, valueCents, taxCents, waivedCents }: UnitState): MoneyItem => ({
  kind: "unit",
  unit: number,
  cents: valueCents,
  taxCents: taxCents + waivedCents,
});

/** A unit that costs something and is not charged. */
export const isUncharged = ({ charged, valueCents }: UnitState): boolean => charged === null && valueCents > 0;
export const toCharge = (unit: UnitState): boolean => isWaiting(unit) && isUncharged(unit);

/** The order's shipping, unless it is charged. */
export const shippingItems = ({ shipping, facts: { order } }: OrderState): MoneyItem[] =>
  shipping.charged || shipping.valueCents === 0
    ? []
    : [
        {
          kind: "shipping",
          unit: null,
          cents: shipping.valueCents,
          taxCents: order.shippingTaxCents + order.shippingWaivedCents,
        },
      ];

/** Items for all that waits and is not charged, with the shipping. Empty if no unit of it costs anything. */
export function dueItems(state: OrderState): MoneyItem[] {
  const units = state.units.filter(toCharge).map(unitItem);
  return units.length > 0 ? [...units, ...shippingItems(state)] : [];
}

/** Units that wait, of the charge that was refused last, `before` another one. */
export function unitsRefused({ charges, facts, units }: OrderState, before?: Date): UnitState[] {
  const refusal = charges.findLast(
    ({ state, by, createdAt }) => state === "failed" && by === "ship" && (!before || createdAt <= before),
  );
  const asked = facts.chargeItems.filter(({ chargeId }) => chargeId === refusal?.id);
  return units.filter((unit) => toCharge(unit) && asked.some((item) => item.unit === unit.number));
}

/** Units of an order with a kept card that wait for a payment by its buyer: those of the charge that was refused before it. */
export const unitsPaidBy = (state: OrderState, { createdAt }: Payment): UnitState[] => unitsRefused(state, createdAt);

/**
 * The order may be paid now, whole or what is left of it after what cost nothing has shipped: something is due that waits,
 * nothing is authorized for it, and no kept card is charged for it.
 */
export const mayBePaid = (state: OrderState): boolean =>
  isUnsent(state) &&
  state.packing === null &&
  !state.money.isByCard &&
  !state.money.isMismatched &&
  state.money.authorized === null &&
  dueItems(state).length > 0;

/** It may be paid by its buyer on a page: they began to pay, or staff have asked for it. */
export const mayPayOnPage = (state: OrderState): boolean =>
  mayBePaid(state) && (state.facts.order.isPaymentAsked || state.facts.payments.some((payment) => !isLink(payment)));

type Asked = Pick<Charge, "state" | "by"> & Partial<Charge>;

/** A charge with its items. */
export function newCharge(items: readonly MoneyItem[], { state, by, ...more }: Asked, act: DecidedBy) {
  const charge: Charge = {
    returnId: null,
    announcedAt: null,
    chargeOn: null,
    approvedAt: null,
    isEarly: false,
    ...more,
    id: act.newId(),
    state,
    by,
    createdAt: act.at,
  };
  const change: Change = {
    charges: [charge],
    chargeItems: items.map((item) => ({ ...item, chargeId: charge.id, releasedAt: null })),
  };
  return { id: charge.id, change };
}

export const newAttempt = (
  attempt: Pick<Attempt, "paymentId" | "kind" | "cents"> & Partial<Attempt>,
  act: DecidedBy,
): Change => {
  const row: Attempt = {
    chargeId: null,
    refundId: null,
    state: "asked",
    ...attempt,
    id: act.newId(),
    createdAt: act.at,
  };
  return { attempts: [row], ...(row.state === "asked" && { run: [row.id] }) };
};

export const newPayment = (
  payment: Pick<Payment, "kind" | "state" | "chargeId" | "provider" | "amountCents"> & Partial<Payment>,
  act: DecidedBy,
): Payment => ({
  savedPaymentId: null,
  arrangement: null,
  authorizedCents: 0,
  capturedCents: 0,
  refundedCents: 0,
  hasCard: false,
  captureBefore: null,
  refusedAt: null,
  dispute: null,
  ...payment,
  id: act.newId(),
  createdAt: act.at,
});

/** Takes the money of a charge from an authorization that suffices, or from the kept card. Null if the buyer must pay first. */
export function takeMoney(
  { money: { authorized, card } }: OrderState,
  chargeId: string,
  cents: number,
  from: "authorization" | "card",
  act: DecidedBy,
): Change | null {
  if (from === "authorization")
    return authorized && authorized.authorizedCents >= cents
      ? newAttempt({ paymentId: authorized.id, kind: "capture", chargeId, cents }, act)
      : null;
  if (!card || card.refusedAt) return null;
  const { id: savedPaymentId, provider } = card;
  const payment = newPayment(
    { kind: "charge", state: "opening", chargeId, savedPaymentId, provider, amountCents: cents },
    act,
  );
  return merge({ payments: [payment] }, newAttempt({ paymentId: payment.id, kind: "charge", chargeId, cents }, act));
}

/** Leaves to the shop what the buyer would have paid. */
export const newWaiver = (cents: number, chargeId: string | null, { at, staffId = null, newId }: DecidedBy): Change =>
  cents > 0 ? { waivers: [{ id: newId(), chargeId, cents, staffId, createdAt: at }] } : {};

/** Ends a charge that is not paid: it asks for nothing any more. */
export const endCharge = (
  { facts }: Pick<OrderState, "facts">,
  { id, items }: Pick<ChargeStanding, "id" | "items">,
  state: "failed" | "withdrawn",
  act: DecidedBy,
): Change => ({
  charges: facts.charges.filter((row) => row.id === id).map((row) => ({ ...row, state })),
  chargeItems: items.map((item) => ({ ...item, releasedAt: act.at })),
});

/** Takes items out of a charge that is not paid, which is withdrawn once it is empty. The shipping never stays alone. */
export function releaseItems(
  state: OrderState,
  charge: ChargeStanding,
  units: readonly number[],
  hasShipping: boolean,
  act: DecidedBy,
): Change {
  const isLeft = charge.items.some(({ unit }) => unit !== null && !units.includes(unit));
  const gone = charge.items.filter(({ kind, unit }) =>
    unit === null ? kind === "shipping" && (hasShipping || !isLeft) : units.includes(unit),
  );
  if (gone.length === 0) return {};
  if (gone.length === charge.items.length) return endCharge(state, charge, "withdrawn", act);
  return { chargeItems: gone.map((item) => ({ ...item, releasedAt: act.at })) };
}

/**
 * Voids authorizations and closes pages of an order that needs no money any more; a charge by a link stays due. A kept card
 * is forgotten by the jobs.
 */
export const releasePayments = ({ facts }: OrderState, act: DecidedBy): Change =>
  merge(...facts.payments.filter((each) => !isLink(each)).map((payment) => closePayment(facts, payment, act)));

/** Releases what the buyer paid for a refused charge of which nothing waits once some units are canceled. */
export const releaseRefused = (state: OrderState, canceled: readonly UnitState[], act: DecidedBy): Change =>
  merge(
    ...state.facts.payments
      .filter((each) => state.money.isByCard && each.kind === "page" && !isLink(each))
      .filter((each) => unitsPaidBy(state, each).every((unit) => canceled.includes(unit)))
      .map((payment) => closePayment(state.facts, payment, act)),
  );

/** Voids the authorization of a payment, or closes its page. */
export function closePayment(facts: Facts, payment: Payment, act: DecidedBy): Change {
  if (payment.state === "opening" && payment.kind !== "charge") return { payments: [{ ...payment, state: "closed" }] };
  const isLive = payment.state === "open" || payment.state === "authorized" || payment.state === "mismatch";
  return isLive ? voidPayment(facts, payment, act) : {};
}

/** Voids a payment once. One that is authorized in the moment in which it was voided is voided again. */
export function voidPayment({ attempts }: Pick<Facts, "attempts">, payment: Payment, act: DecidedBy): Change {
  const voids = attempts.filter(({ paymentId, kind }) => paymentId === payment.id && kind === "void");
  const isVoided = voids.some(
    ({ state }) => state === "asked" || state === "sent" || (state === "done" && payment.state !== "authorized"),
  );
  return isVoided ? {} : newAttempt({ paymentId: payment.id, kind: "void", cents: 0 }, act);
}
