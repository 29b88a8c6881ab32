/** Charges with their items, and the attempts to take their money or to release it. */
import {
  merge,
  type DecidedBy,
  type Attempt,
  type Change,
  type Charge,
  type Facts,
  type MoneyItem,
  type Payment,
} from "../facts.ts";
import { isWaiting, type ChargeStanding, type OrderState, type UnitState } from "../state.ts";

/** What a unit is charged. Of it, the tax that the shop bears is taxed as well, and the rest is its price. */
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

/** What waits and is not charged, with the shipping. Empty if no unit of it costs anything. */
export function dueItems(state: OrderState): MoneyItem[] {
  const units = state.units.filter(toCharge).map(unitItem);
  return units.length > 0 ? [...units, ...shippingItems(state)] : [];
}

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

/**
 * Takes the money of a charge: from an authorization that suffices, else from the kept card, if the buyer agreed to that
 * by `mayUseCard`. Null if the buyer must pay first.
 */
export function takeMoney(
  { facts, money: { authorized, card } }: OrderState,
  chargeId: string,
  cents: number,
  { mayUseCard }: { mayUseCard: boolean },
  act: DecidedBy,
): Change | null {
  if (authorized && authorized.authorizedCents >= cents)
    return newAttempt({ paymentId: authorized.id, kind: "capture", chargeId, cents }, act);
  if (!mayUseCard || !card || card.refusedAt) return null;
  const paymentId = act.newId();
  return merge(
    // An authorization for less would hold the buyer's money beside the charge.
    authorized ? voidPayment(facts, authorized, act) : {},
    {
      payments: [
        {
          id: paymentId,
          kind: "charge",
          state: "opening",
          chargeId,
          savedPaymentId: card.id,
          provider: card.provider,
          arrangement: null,
          amountCents: cents,
          authorizedCents: 0,
          capturedCents: 0,
          refundedCents: 0,
          hasCard: false,
          captureBefore: null,
          refusedAt: null,
          isDisputed: false,
          createdAt: act.at,
        },
      ],
    },
    newAttempt({ paymentId, kind: "charge", chargeId, cents }, act),
  );
}

const rowOf = ({ id, state, by, returnId, createdAt, announcedAt, chargeOn, approvedAt, isEarly }: Charge): Charge => ({
  id,
  state,
  by,
  returnId,
  createdAt,
  announcedAt,
  chargeOn,
  approvedAt,
  isEarly,
});

/** Takes items out of a charge that is not paid, which is withdrawn once it is empty. */
export function releaseItems(
  charge: ChargeStanding,
  units: readonly number[],
  hasShipping: boolean,
  act: DecidedBy,
): Change {
  const isReleased = ({ kind, unit }: MoneyItem) =>
    unit === null ? hasShipping && kind === "shipping" : units.includes(unit);
  const gone = charge.items.filter(isReleased).map((item) => ({ ...item, releasedAt: act.at }));
  if (gone.length === 0) return {};
  const { items, ...standing } = charge;
  return {
    chargeItems: gone,
    ...(gone.length === items.length && { charges: [{ ...rowOf(standing), state: "withdrawn" }] }),
  };
}

/** Takes back a charge that is not paid, whole. */
export const withdraw = ({ items, ...standing }: ChargeStanding, act: DecidedBy): Change => ({
  chargeItems: items.map((item) => ({ ...item, releasedAt: act.at })),
  charges: [{ ...rowOf(standing), state: "withdrawn" }],
});

/** Voids authorizations and closes pages of an order that needs no money any more. A kept card is forgotten by the jobs. */
export function releasePayments({ facts: { payments, attempts } }: OrderState, act: DecidedBy): Change {
  const parts = payments.flatMap((payment): Change[] => {
    if (payment.state === "opening" && payment.kind !== "charge")
      return [{ payments: [{ ...payment, state: "closed" }] }];
    const isLive = payment.state === "open" || payment.state === "authorized" || payment.state === "mismatch";
    return isLive ? [voidPayment({ attempts }, payment, act)] : [];
  });
  return merge(...parts);
}

/** Voids a payment once. One that is authorized in the moment in which it was voided is voided again. */
export function voidPayment({ attempts }: Pick<Facts, "attempts">, payment: Payment, act: DecidedBy): Change {
  const voids = attempts.filter(({ paymentId, kind }) => paymentId === payment.id && kind === "void");
  const isVoided = voids.some(
    ({ state }) => state === "asked" || state === "sent" || (state === "done" && payment.state !== "authorized"),
  );
  return isVoided ? {} : newAttempt({ paymentId: payment.id, kind: "void", cents: 0 }, act);
}
