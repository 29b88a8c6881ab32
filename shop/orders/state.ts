/** The state of one order: where each unit is, what is paid for what, and what is left to do. Computed, never stored. */
import type {
  Charge,
  ChargeItem,
  DelayNotice,
  Facts,
  MoneyItem,
  PackedUnit,
  Parcel,
  RefundItem,
  Unit,
} from "./facts.ts";
import {
  chargeStanding,
  type ChargeStanding,
  type Money,
  moneyOf,
  type OwedRefund,
  refundsOf,
  sum,
} from "./order-money.ts";
import type { Stage } from "./lifecycle.ts";
import { cameBack, chargeOf, isDecided, isOwed, lastOf, parcelsOf } from "./unit-history.ts";

/**
 * Every unit has exactly one place. `reserved`: set aside for a return that is not decided or not paid yet; `back`: a refused
 * parcel that staff have received; `returned`: with the shop by a return.
 */
export type Place =
  | "reserved"
  | "waiting"
  | "packing"
  | "shipped"
  | "delivered"
  | "refused"
  | "back"
  | "lost"
  | "returned"
  | "canceled";

export type UnitState = Unit & {
  name: string;
  productId: string | null;
  shipsFrom: string | null;
  place: Place;
  /** Parcel that holds it. */
  parcel: Parcel | null;
  /** Parcel that brought it first, from which its days count, even if it came back since and was sent again. */
  firstParcel: Parcel | null;
  /** Price and tax. */
  valueCents: number;
  /** Item of its charge, paid or about to be. */
  charged: ChargeItem | null;
  /** The charge of the kept card that was announced for it. */
  announced: Charge | null;
  isPaid: boolean;
  /** Its price is given back, also for less, or for nothing if amounts had given back all that was paid for it. */
  refunded: RefundItem | null;
  /** Another unit is sent in its place, and its value pays for that one. */
  isReplaced: boolean;
  /** Return that is not over yet. */
  inReturn: string | null;
  /** Return for which it ships: the last one that sends it back to its owner, or the one that sent it in place of another unit or as a part. */
  sentFor: string | null;
};

/** A parcel with the units that were packed in it. */
export type ParcelStanding = Parcel & {
  units: UnitState[];
  /** Units that it holds: it has not failed, and they are not sent again. */
  held: UnitState[];
  /** Those of them that are sent again if it does not arrive: the price of the rest is given back, or it came back with a return, is replaced or written off. */
  owed: UnitState[];
  /** It was refused or lost, and all that was owed of it waits again or has left in another one, even if it turns up later. */
  isSentAgain: boolean;
};

/** Promise to the buyer: the day, and an open question about another one. */
export type Promise = {
  /** Day by whose end the rest leaves; null if the buyer was told that it is unknown. */
  shipBy: string | null;
  /** Day by whose end a yes is needed; without it what was bought and waits is canceled. Null if silence keeps all of it. */
  answerBy: string | null;
  /** A notice waits for the buyer's answer. */
  isAsked: boolean;
  /** A notice has moved the day. */
  isMoved: boolean;
};

export type OrderState = {
  facts: Facts;
  stage: Stage;
  units: UnitState[];
  parcels: ParcelStanding[];
  /** The parcel that waits for its charge; nothing else of the order changes meanwhile. */
  packing: Parcel | null;
  charges: ChargeStanding[];
  refunds: OwedRefund[];
  shipping: {
    charged: ChargeItem | null;
    announced: Charge | null;
    refunded: RefundItem | null;
    valueCents: number;
    /** It is paid, and not given back. */
    isRefundable: boolean;
  };
  /** Total of what was bought and is not canceled, with its tax and the shipping. What costs nothing ships free. */
  totalCents: number;
  money: Money;
  promise: Promise;
  /** Latest first arrival of what was bought, once all of it has arrived; what a return sends later changes nothing. */
  deliveredAt: Date | null;
};

const PLACE_OF: Record<Parcel["state"], Place> = {
  packing: "packing",
  failed: "waiting",
  shipped: "shipped",
  delivered: "delivered",
  refused: "refused",
  lost: "lost",
};

function unitState(facts: Facts, unit: Unit): UnitState {
  const line = facts.lines.find(({ id }) => id === unit.lineId)!;
  const { parcel, firstParcel } = parcelsOf(facts, unit.number);
  const returns = facts.returned.filter((each) => each.unit === unit.number);
  const open = returns.find(({ endedAt }) => endedAt === null);
  const last = lastOf(returns);
  const isKept = last !== undefined && (last.goesBackAt === null || isOwed(facts, last.returnId));
  let place: Place = "waiting";
  if (unit.canceledAt || facts.order.end) place = "canceled";
  else if (isKept) place = "returned";
  else if (parcel) place = parcel.state === "refused" && parcel.returnedAt ? "back" : PLACE_OF[parcel.state];
  else if (unit.isReserved) place = "reserved";
  return {
    ...unit,
    name: line.name,
    productId: line.productId,
    shipsFrom: line.shipsFrom,
    place,
    parcel,
    firstParcel,
    valueCents: unit.priceCents + unit.taxCents,
    ...chargeOf(facts, (item) => item.unit === unit.number),
    refunded: facts.refundItems.find((item) => item.unit === unit.number) ?? null,
    isReplaced: facts.units.some((each) => each.replaces === unit.number && !each.canceledAt && isDecided(each)),
    inReturn: open?.returnId ?? null,
    sentFor: last?.goesBackAt ? last.returnId : unit.returnId,
  };
}

const WAITS: readonly Place[] = ["waiting", "packing"];
const MISSING: readonly Place[] = ["waiting", "refused", "back", "lost"];
const ON_THE_WAY: readonly Place[] = [...WAITS, "shipped"];

export const isWaiting = ({ place }: UnitState): boolean => place === "waiting";
/** The customer's own product, which goes back whatever is canceled, unless its price is given back instead. It is never stock. */
export const isOwn = (unit: UnitState): boolean => unit.isOwn;
/** It has not reached its customer: it waits, or its parcel did not arrive. */
export const isMissing = (unit: UnitState): boolean => MISSING.includes(unit.place) && !isOwn(unit);
/** It has not left. The customer's own has left once, and goes back. */
export const isUnsent = (unit: UnitState): boolean => WAITS.includes(unit.place) && !isOwn(unit);
/** Its price was given back before it left: it does not ship, and staff cancel it. */
export const isToCancel = (unit: UnitState): boolean => isUnsent(unit) && unit.refunded !== null;
/** It waits to ship. */
export const mayShip = (unit: UnitState): boolean => isWaiting(unit) && !isToCancel(unit);
/** It waits, and is canceled with the rest; a customer's own only once its price is given back. */
export const mayBeCanceled = (unit: UnitState): boolean => isWaiting(unit) && !(isOwn(unit) && unit.refunded === null);
/** A unit that the buyer's silence about a delay cancels: what a return sends, or costs nothing, is kept. */
export const endsUnanswered = (unit: UnitState): boolean =>
  mayShip(unit) && unit.sentFor === null && unit.valueCents > 0;
/** The customer still waits for something: a unit that a return sends, a refund that did not move, or a parcel that did not arrive. */
export const owesCustomer = ({ units, refunds }: OrderState): boolean =>
  units.some((unit) => isAstray(unit) || (unit.sentFor !== null && WAITS.includes(unit.place))) ||
  refunds.some(({ owedCents }) => owedCents > 0);
/** A unit that did not arrive: on its way back, or here or lost without its price given back. */
export const isAstray = ({ place, refunded }: UnitState): boolean =>
  place === "refused" || ((place === "back" || place === "lost") && refunded === null);

const isDealtWith = ({ refunded, isReplaced, place }: UnitState) =>
  refunded !== null || isReplaced || place === "returned" || place === "canceled";

function parcelStanding(facts: Facts, parcel: Parcel, units: readonly UnitState[]): ParcelStanding {
  const rows = facts.packed.filter(({ parcelId }) => parcelId === parcel.id);
  const unitsOf = (some: typeof rows) => some.map((row) => units.find(({ number }) => number === row.unit)!);
  const held = unitsOf(rows.filter(({ releasedAt }) => releasedAt === null));
  const owed = held.filter((unit) => !isDealtWith(unit));
  const hasEnded = parcel.state === "refused" || parcel.state === "lost" || parcel.state === "delivered";
  const isResent = (row: PackedUnit) => row.releasedAt !== null && !cameBack(facts, row);
  return {
    ...parcel,
    units: unitsOf(rows),
    held,
    owed,
    isSentAgain: hasEnded && owed.length === 0 && rows.some(isResent),
  };
}

/** A parcel has left, even if what was in it is to be sent again. */
export const hasLeft = ({ state }: Parcel): boolean => state !== "packing" && state !== "failed";

function stageOf({ order, ...facts }: Facts, units: readonly UnitState[]): Stage {
  if (order.end) return order.end;
  if (!order.confirmedAt) return "unpaid";
  const has = (places: readonly Place[]) => units.some(({ place }) => places.includes(place));
  if (has(WAITS)) return facts.parcels.some(hasLeft) ? "partly-shipped" : "to-ship";
  if (has(["shipped"]) || units.some(isAstray)) return "shipped";
  if (has(["delivered", "returned"])) return "delivered";
  // Nothing arrived, and nothing more is owed: each unit is canceled, or its price given back.
  return "canceled";
}

/** Notices since the promise that they move. */
export const noticesOf = ({ order, delays }: Facts): DelayNotice[] =>
  delays.filter(({ sentAt }) => sentAt >= order.promisedAt);

function promiseOf(facts: Facts, units: readonly UnitState[]): Promise {
  const last = noticesOf(facts).at(-1);
  const isAsked = last?.acceptedAt === null && units.some(mayShip);
  const answerBy = isAsked && units.some(endsUnanswered) ? last.answerBy : null;
  return { shipBy: facts.order.shipBy, answerBy, isAsked, isMoved: last !== undefined };
}

function arrivalOf(units: readonly UnitState[]): Date | null {
  const bought = units.filter(({ returnId }) => returnId === null);
  // A unit that goes back to its owner was with them.
  const isComing = (unit: UnitState) =>
    !unit.sentFor && (ON_THE_WAY.includes(unit.place) || (isAstray(unit) && unit.refunded === null));
  const isAwaited = bought.some((unit) => !unit.firstParcel?.deliveredAt && isComing(unit));
  const times = bought.flatMap(({ firstParcel }) => firstParcel?.deliveredAt?.getTime() ?? []);
  return times.length === 0 || isAwaited ? null : new Date(Math.max(...times));
}

export function orderState(facts: Facts): OrderState {
  const units = facts.units.map((unit) => unitState(facts, unit));
  const asCharged = facts.charges.map((charge) => chargeStanding(facts, charge));
  const { refunds, refundable } = refundsOf(facts);
  const money = moneyOf(facts, asCharged, { refunds, refundable });
  // Money that was given back since an exchange was decided pays for nothing more.
  const charges = asCharged.map((charge) =>
    charge.state === "asked" && !charge.isUnderWay
      ? { ...charge, dueCents: Math.max(charge.dueCents, charge.cents - Math.max(0, money.leftForGoodsCents)) }
      : charge,
  );
  const stage = stageOf(facts, units);
  const isShipping = ({ kind }: MoneyItem) => kind === "shipping";
  const shipping = {
    ...chargeOf(facts, isShipping),
    refunded: facts.refundItems.find(isShipping) ?? null,
    valueCents: facts.order.shippingCents + facts.order.shippingTaxCents,
  };
  const kept = units.filter(({ canceledAt, returnId }) => !canceledAt && returnId === null);
  const keptCents = sum(kept, ({ valueCents }) => valueCents);
  return {
    facts,
    stage,
    units,
    parcels: facts.parcels.map((parcel) => parcelStanding(facts, parcel, units)),
    packing: facts.parcels.find(({ state }) => state === "packing") ?? null,
    charges,
    refunds,
    shipping: { ...shipping, isRefundable: shipping.isPaid && shipping.refunded === null },
    totalCents: keptCents > 0 ? keptCents + shipping.valueCents : 0,
    money,
    promise: promiseOf(facts, units),
    deliveredAt: arrivalOf(units),
  };
}
