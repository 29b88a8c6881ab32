/** The state of one order: where each unit is, what is paid for what, and what is left to do. Computed, never stored. */
import type {
  Charge,
  ChargeItem,
  DelayNotice,
  Facts,
  MoneyItem,
  Parcel,
  Payment,
  Refund,
  RefundItem,
  Unit,
} from "./facts.ts";
import type { Stage } from "./lifecycle.ts";

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
  /** Price and tax. */
  valueCents: number;
  /** What it was charged, or is about to be. */
  charged: ChargeItem | null;
  /** The charge of the kept card that was announced for it. */
  announced: Charge | null;
  isPaid: boolean;
  refunded: RefundItem | null;
  /** Its price is given back: by its name, or with all that was paid. */
  isGivenBack: boolean;
  /** Another unit is sent in its place, and its value pays for that one. */
  isReplaced: boolean;
  /** Return that is not over yet. */
  inReturn: string | null;
  /** Return for which it ships: in place of another unit, as a part, or the customer's own. */
  sentFor: string | null;
};

/** A parcel with the units that were packed in it. */
export type ParcelStanding = Parcel & {
  units: UnitState[];
  /** Units that it holds: it has not failed, and they are not sent again. */
  held: UnitState[];
  /** It was refused or lost, and its units wait again or have left in another one. */
  isSentAgain: boolean;
  /** The price of something in it is given back, or it is in a return or replaced: its units stay where they are. */
  isDealtWith: boolean;
};

/** A charge with the items that are not released; `dueCents` of it are not paid by what units carry over. */
export type ChargeStanding = Charge & {
  items: ChargeItem[];
  cents: number;
  taxCents: number;
  dueCents: number;
  /** Its money is on its way: it cannot change meanwhile. */
  isUnderWay: boolean;
};

export type RefundStanding = Refund & {
  items: RefundItem[];
  cents: number;
  taxCents: number;
  /** The part that moves, and of it what the provider has given back, or is about to. */
  movingCents: number;
  doneCents: number;
  underWayCents: number;
  /** Promised, and neither given back nor under way. */
  owedCents: number;
  hasFailed: boolean;
};

export type Money = {
  /** Charged and paid, and the part of it that is neither refunded nor promised back. */
  paidCents: number;
  leftCents: number;
  leftTaxCents: number;
  /** Of it, what was not for the services of a return: its fee, or a repair. */
  leftForGoodsCents: number;
  isDisputed: boolean;
  isMismatched: boolean;
  /** Each charge is made on a kept card, and announced before. */
  isByCard: boolean;
  /** The latest kept card; `isRefused` if its bank refused it and nothing replaces it. */
  card: Payment | null;
  isRefused: boolean;
  /** Authorized for the order, not captured; one for a charge by a link pays that alone. */
  authorized: Payment | null;
};

/** What was promised: the day, and an open question about another one. */
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
  refunds: RefundStanding[];
  shipping: {
    charged: ChargeItem | null;
    announced: Charge | null;
    refunded: RefundItem | null;
    valueCents: number;
    /** It is paid, and not given back. */
    isRefundable: boolean;
  };
  /** What was bought and is not canceled, with its tax and the shipping. */
  totalCents: number;
  money: Money;
  promise: Promise;
  /** Latest arrival, once nothing is on its way. */
  deliveredAt: Date | null;
};

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);
export const centsOf = (items: readonly Pick<MoneyItem, "cents">[]): number => sum(items, ({ cents }) => cents);
export const taxOf = (items: readonly Pick<MoneyItem, "taxCents">[]): number => sum(items, ({ taxCents }) => taxCents);

const isService = ({ kind }: MoneyItem): boolean => kind === "fee" || kind === "repair";
const negative = (item: MoneyItem): MoneyItem => ({ ...item, cents: -item.cents });

const PLACE_OF: Record<Parcel["state"], Place> = {
  packing: "packing",
  failed: "waiting",
  shipped: "shipped",
  delivered: "delivered",
  refused: "refused",
  lost: "lost",
};

const carriedBy = ({ units }: Facts, unit: number): number =>
  units.find(({ number }) => number === unit)?.carriedCents ?? 0;

/** The parcel that holds a unit. */
function parcelOf({ packed, parcels }: Facts, unit: number): Parcel | null {
  const row = packed.findLast((each) => each.unit === unit && each.releasedAt === null);
  return (row && parcels.find(({ id }) => id === row.parcelId)) ?? null;
}

/** What is set aside for an exchange replaces nothing before that is decided, with what its former unit was worth. */
const isDecided = ({ isReserved, carriedCents }: Unit): boolean => !isReserved || carriedCents > 0;

/** Where an item of the order stands: in a charge that was announced, or charged. */
function chargeOf({ charges, chargeItems }: Facts, isItem: (item: ChargeItem) => boolean) {
  const item = chargeItems.find((each) => isItem(each) && each.releasedAt === null) ?? null;
  const charge = charges.find(({ id }) => id === item?.chargeId);
  const isAnnounced = charge?.state === "announced";
  return {
    charged: isAnnounced ? null : item,
    announced: isAnnounced ? charge : null,
    isPaid: charge?.state === "paid",
  };
}

/** The buyer has yet to pay what is sent for a return. */
const isOwed = ({ charges }: Facts, returnId: string): boolean =>
  charges.some((each) => each.returnId === returnId && each.by === "link" && each.state === "asked");

function unitState(facts: Facts, unit: Unit): UnitState {
  const line = facts.lines.find(({ id }) => id === unit.lineId)!;
  const parcel = parcelOf(facts, unit.number);
  const returns = facts.returned.filter((each) => each.unit === unit.number);
  const open = returns.findLast(({ endedAt }) => endedAt === null);
  const last = returns.findLast(({ receivedAt }) => receivedAt !== null);
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
    valueCents: unit.priceCents + unit.taxCents,
    ...chargeOf(facts, (item) => item.unit === unit.number),
    refunded: facts.refundItems.find((item) => item.unit === unit.number) ?? null,
    isGivenBack: false,
    isReplaced: facts.units.some((each) => each.replaces === unit.number && !each.canceledAt && isDecided(each)),
    inReturn: open?.returnId ?? null,
    sentFor: unit.returnId ?? (last?.goesBackAt ? last.returnId : null),
  };
}

function refundStanding(facts: Facts, refund: Refund): RefundStanding {
  const items = facts.refundItems.filter(({ refundId }) => refundId === refund.id);
  const attempts = facts.attempts.filter(({ refundId }) => refundId === refund.id);
  const cents = centsOf(items);
  const movingCents = cents - refund.appliedCents;
  const doneCents = sum(attempts, (each) => (each.state === "done" ? each.cents : 0));
  const underWayCents = sum(attempts, (each) => (each.state === "asked" || each.state === "sent" ? each.cents : 0));
  const owedCents = refund.otherwiseAt ? 0 : movingCents - doneCents - underWayCents;
  const hasFailed = owedCents > 0 && attempts.some(({ state }) => state === "failed");
  return {
    ...refund,
    items,
    cents,
    taxCents: taxOf(items),
    movingCents,
    doneCents,
    underWayCents,
    owedCents,
    hasFailed,
  };
}

function moneyOf({ payments }: Facts, charges: readonly ChargeStanding[], refunds: readonly RefundStanding[]): Money {
  const paid = charges.filter(({ state }) => state === "paid");
  const paidCents = sum(paid, ({ cents }) => cents);
  const leftCents = paidCents - sum(refunds, ({ cents }) => cents);
  const servicesCents = sum([...paid, ...refunds.map(({ items }) => ({ items: items.map(negative) }))], ({ items }) =>
    centsOf(items.filter(isService)),
  );
  const card = payments.findLast(({ hasCard }) => hasCard) ?? null;
  const authorized = payments.find(({ state, chargeId }) => state === "authorized" && chargeId === null) ?? null;
  return {
    paidCents,
    leftCents,
    leftForGoodsCents: leftCents - servicesCents,
    leftTaxCents: sum(paid, ({ taxCents }) => taxCents) - sum(refunds, ({ taxCents }) => taxCents),
    isDisputed: payments.some(({ isDisputed }) => isDisputed),
    isMismatched: payments.some(({ state }) => state === "mismatch"),
    isByCard: payments.some(({ kind }) => kind === "setup"),
    card,
    isRefused: Boolean(card?.refusedAt) && !authorized,
    authorized,
  };
}

/** The kept card may be charged for what waits, once that is announced. */
export const mayChargeCard = ({ stage, money, facts: { order } }: OrderState): boolean =>
  stage !== "unpaid" &&
  order.end === null &&
  money.isByCard &&
  money.card !== null &&
  !money.isRefused &&
  !money.isDisputed &&
  !money.isMismatched;

const WAITS: readonly Place[] = ["waiting", "packing"];

export const isWaiting = ({ place }: UnitState): boolean => place === "waiting";
/** A unit that the buyer's silence about a delay cancels: what a return sends, or costs nothing, is kept. */
export const endsUnanswered = (unit: UnitState): boolean =>
  isWaiting(unit) && unit.sentFor === null && unit.valueCents > 0;
/** A unit that did not arrive: on its way back, or here or lost without its price given back. */
export const isAstray = ({ place, isGivenBack }: UnitState): boolean =>
  place === "refused" || ((place === "back" || place === "lost") && !isGivenBack);

const isDealtWith = ({ isGivenBack, inReturn, isReplaced }: UnitState) =>
  isGivenBack || inReturn !== null || isReplaced;

function parcelStanding({ packed }: Facts, parcel: Parcel, units: readonly UnitState[]): ParcelStanding {
  const rows = packed.filter(({ parcelId }) => parcelId === parcel.id);
  const unitsOf = (some: typeof rows) => some.map((row) => units.find(({ number }) => number === row.unit)!);
  const held = unitsOf(rows.filter(({ releasedAt }) => releasedAt === null));
  const isAway = parcel.state === "refused" || parcel.state === "lost";
  return {
    ...parcel,
    units: unitsOf(rows),
    held,
    isSentAgain: isAway && held.length === 0,
    isDealtWith: held.some(isDealtWith),
  };
}

/** Something has left, even if it is to be sent again. */
const hasLeft = ({ parcels }: Pick<Facts, "parcels">): boolean =>
  parcels.some(({ state }) => state !== "packing" && state !== "failed");

function stageOf({ order, ...facts }: Facts, units: readonly UnitState[], { leftForGoodsCents }: Money): Stage {
  if (order.end) return order.end;
  if (!order.confirmedAt) return "unpaid";
  const has = (places: readonly Place[]) => units.some(({ place }) => places.includes(place));
  if (has(WAITS)) return hasLeft(facts) ? "partly-shipped" : "to-ship";
  if (has(["shipped"]) || units.some(isAstray)) return "shipped";
  if (has(["delivered", "returned"])) return "delivered";
  // Nothing arrived: the order is over once all that was paid for it is given back.
  return leftForGoodsCents > 0 ? "shipped" : "canceled";
}

/** Notices since the promise that they move. */
export const noticesOf = ({ order, delays }: Facts): DelayNotice[] =>
  delays.filter(({ sentAt }) => sentAt >= order.promisedAt);

function promiseOf(facts: Facts, units: readonly UnitState[]): Promise {
  const last = noticesOf(facts).at(-1);
  const isAsked = last?.acceptedAt === null && units.some(isWaiting);
  const answerBy = isAsked && units.some(endsUnanswered) ? last.answerBy : null;
  return { shipBy: facts.order.shipBy, answerBy, isAsked, isMoved: last !== undefined };
}

function arrivalOf(stage: Stage, units: readonly UnitState[]): Date | null {
  if (stage !== "delivered") return null;
  const times = units.flatMap(({ parcel, sentFor }) => (sentFor ? [] : (parcel?.deliveredAt?.getTime() ?? [])));
  return times.length > 0 ? new Date(Math.max(...times)) : null;
}

export function orderState(facts: Facts): OrderState {
  const known = facts.units.map((unit) => unitState(facts, unit));
  const charges = facts.charges.map((charge) => {
    const items = facts.chargeItems.filter(({ chargeId, releasedAt }) => chargeId === charge.id && releasedAt === null);
    const cents = centsOf(items);
    const carried = sum(items, ({ unit }) => (unit === null ? 0 : carriedBy(facts, unit)));
    const isUnderWay = facts.attempts.some(
      ({ chargeId, state }) => chargeId === charge.id && (state === "asked" || state === "sent"),
    );
    return { ...charge, items, cents, taxCents: taxOf(items), dueCents: Math.max(0, cents - carried), isUnderWay };
  });
  const refunds = facts.refunds.map((refund) => refundStanding(facts, refund));
  const money = moneyOf(facts, charges, refunds);
  const units = known.map((unit) => ({
    ...unit,
    isGivenBack: unit.isPaid && (unit.refunded !== null || money.leftForGoodsCents <= 0),
  }));
  const stage = stageOf(facts, units, money);
  const isShipping = ({ kind }: MoneyItem) => kind === "shipping";
  const shipping = {
    ...chargeOf(facts, isShipping),
    refunded: facts.refundItems.find(isShipping) ?? null,
    valueCents: facts.order.shippingCents + facts.order.shippingTaxCents,
  };
  const kept = units.filter(({ canceledAt, returnId }) => !canceledAt && returnId === null);
  return {
    facts,
    stage,
    units,
    parcels: facts.parcels.map((parcel) => parcelStanding(facts, parcel, units)),
    packing: facts.parcels.find(({ state }) => state === "packing") ?? null,
    charges,
    refunds,
    shipping: { ...shipping, isRefundable: shipping.isPaid && shipping.refunded === null },
    totalCents: kept.length > 0 ? sum(kept, ({ valueCents }) => valueCents) + shipping.valueCents : 0,
    money,
    promise: promiseOf(facts, units),
    deliveredAt: arrivalOf(stage, units),
  };
}
