/** Shipping: units leave in a parcel, once what they cost is paid. */
import { latestDay } from "#shop/new-york-time.ts";
import {
  decided,
  merge,
  NOTHING,
  refused,
  type Change,
  type Charge,
  type DecidedBy,
  type Decision,
  type Parcel,
} from "../facts.ts";
import { centsOf, isWaiting, mayChargeCard, type ChargeStanding, type OrderState, type UnitState } from "../state.ts";
import { dueItems, isUncharged, newCharge, releaseItems, shippingItems, takeMoney, unitItem } from "./money.ts";

/** True if a shipment is a parcel that did not fail: a label ships once. */
export const isSameParcel = (
  parcel: Parcel,
  { labelId, carrier, trackingNumber }: Pick<Shipment, "labelId" | "carrier" | "trackingNumber">,
): boolean =>
  labelId
    ? parcel.labelId === labelId
    : parcel.state !== "failed" && parcel.carrier === carrier && parcel.trackingNumber === trackingNumber;

export type Shipment = {
  /** All that wait if omitted. */
  units?: readonly number[];
  carrier: string;
  trackingNumber: string;
  labelId?: string | null;
};

/**
 * Ships units. What is not charged yet is charged first: of an authorized order everything, of one with a kept card these
 * units, whose charge was announced. The parcel leaves once that succeeds; repeated, nothing changes. Refusals: 'status',
 * 'on-hold', 'under-way', 'nothing-left', 'nothing-chosen', 'units' that do not wait, 'not-paid', 'not-announced', and
 * 'announced' for a later `day`.
 */
export function ship(state: OrderState, shipment: Shipment, act: DecidedBy): Decision {
  const { facts, stage, packing } = state;
  const { labelId = null, carrier, trackingNumber } = shipment;
  if (facts.parcels.some((parcel) => isSameParcel(parcel, shipment))) return NOTHING;
  if (stage !== "to-ship" && stage !== "partly-shipped" && stage !== "shipped") return refused("status");
  if (facts.order.onHoldSince) return refused("on-hold");
  if (packing) return refused("under-way");
  const waiting = state.units.filter(isWaiting);
  if (waiting.length === 0) return refused("nothing-left");
  const chosen = shipment.units ? state.units.filter(({ number }) => shipment.units!.includes(number)) : waiting;
  const gone = chosen.find((unit) => !isWaiting(unit));
  if (gone)
    return refused("units", { name: gone.name, left: waiting.filter(({ lineId }) => lineId === gone.lineId).length });
  if (chosen.length === 0) return refused("nothing-chosen");
  const money = chargeFor(state, chosen, act);
  if ("ok" in money) return money;
  const parcel: Parcel = {
    id: act.newId(),
    state: money.chargeId ? "packing" : "shipped",
    carrier,
    trackingNumber,
    labelId,
    chargeId: money.chargeId,
    createdAt: act.at,
    shippedAt: money.chargeId ? null : act.at,
    progress: null,
    progressAt: null,
    deliveredAt: null,
    returnedAt: null,
  };
  const packed = chosen.map(({ number }) => ({ parcelId: parcel.id, unit: number, releasedAt: null }));
  return decided(money.change, { parcels: [parcel], packed }, money.chargeId ? {} : left(state, parcel, act));
}

/** A parcel has left: the first one accepts the order. */
export function left({ facts: { order, parcels } }: OrderState, parcel: Parcel, act: DecidedBy): Change {
  const isFirst = !parcels.some(({ id, state }) => id !== parcel.id && state !== "failed" && state !== "packing");
  const data = { shipmentId: parcel.id };
  return {
    order: { acceptedAt: order.acceptedAt ?? act.at, onHoldSince: null },
    parcels: [{ ...parcel, state: "shipped", shippedAt: act.at }],
    events: [{ type: isFirst ? "shipped" : "parcel-shipped", data }],
    emails: [{ situation: isFirst ? "order-shipped" : "parcel-shipped", ...data }],
  };
}

type Money = { chargeId: string | null; change: Change } | ReturnType<typeof refused>;

function chargeFor(state: OrderState, chosen: readonly UnitState[], act: DecidedBy): Money {
  return state.money.isByCard ? chargeOfParcel(state, chosen, act) : chargeOfOrder(state, chosen, act);
}

/** Everything that is not canceled, with the first parcel. */
function chargeOfOrder(state: OrderState, chosen: readonly UnitState[], act: DecidedBy): Money {
  if (!chosen.some(isUncharged)) return { chargeId: null, change: {} };
  const items = dueItems(state);
  const { id, change } = newCharge(items, { state: "asked", by: "ship" }, act);
  const taken = takeMoney(state, id, centsOf(items), { mayUseCard: false }, act);
  return taken ? { chargeId: id, change: merge(change, taken) } : refused("not-paid");
}

/**
 * The units of the parcel: from an authorization of the buyer that suffices, else from the kept card as it was announced,
 * for what was announced and not before its day, unless the buyer approved that.
 */
function chargeOfParcel(state: OrderState, chosen: readonly UnitState[], act: DecidedBy): Money {
  const unpaid = chosen.filter(({ isPaid, valueCents }) => !isPaid && valueCents > 0);
  if (unpaid.length === 0) return { chargeId: null, change: {} };
  const numbers = unpaid.map(({ number }) => number);
  const announced = state.charges.filter(({ id }) => unpaid.some((unit) => unit.announced?.id === id));
  const itemsWith = (hasShipping: boolean) => [...unpaid.map(unitItem), ...(hasShipping ? shippingItems(state) : [])];
  const { shipping, money } = state;
  const isAnnounced = announced.some(({ id }) => id === shipping.announced?.id);
  const byBuyer = itemsWith(isAnnounced || shipping.announced === null);
  const isByBuyer = (money.authorized?.authorizedCents ?? -1) >= centsOf(byBuyer);
  const items = isByBuyer ? byBuyer : itemsWith(isAnnounced);
  const refusal = isByBuyer ? null : whyNotByCard(state, unpaid, act);
  if (refusal) return refusal;
  const asAnnounced: Partial<Charge> = isByBuyer ? {} : termsOf(announced);
  const { id, change } = newCharge(items, { ...asAnnounced, state: "asked", by: "ship" }, act);
  const taken = takeMoney(state, id, centsOf(items), { mayUseCard: true }, act);
  if (!taken) return refused("not-paid");
  const released = announced.map((charge) => releaseItems(charge, numbers, isAnnounced, act));
  return { chargeId: id, change: merge(...released, change, taken) };
}

/** Announcements of a parcel: the latest of their days, and the approval of any, without which each has come. */
const termsOf = (announced: readonly ChargeStanding[]): Pick<Charge, "announcedAt" | "chargeOn" | "approvedAt"> => ({
  announcedAt: announced[0]!.announcedAt,
  chargeOn: latestDay(announced.map(({ chargeOn }) => chargeOn)),
  approvedAt: announced.find(({ approvedAt }) => approvedAt !== null)?.approvedAt ?? null,
});

/**
 * Reason that the kept card cannot be charged for units now: 'not-paid' without a card, 'not-announced', or 'announced'
 * for a later `day`. Null if it can. What costs more than was announced needs another announcement.
 */
export function whyNotByCard(state: OrderState, unpaid: readonly UnitState[], { today }: Pick<DecidedBy, "today">) {
  if (!mayChargeCard(state)) return refused("not-paid");
  const days: string[] = [];
  for (const { number, announced, valueCents } of unpaid) {
    const charge = state.charges.find(({ id }) => id === announced?.id);
    const item = charge?.items.find(({ unit }) => unit === number);
    if (!charge?.chargeOn || !item || item.cents < valueCents) return refused("not-announced");
    if (charge.approvedAt === null) days.push(charge.chargeOn);
  }
  const day = latestDay(days);
  return day !== null && day > today ? refused("announced", { day }) : null;
}

/** Reason that nothing of what waits can be charged on the kept card now. Null if something can, or need not. */
export function whyNothingByCard(state: OrderState, act: Pick<DecidedBy, "today">) {
  const waiting = state.units.filter(isWaiting);
  if (!state.money.isByCard || state.money.authorized || !waiting.every(isUncharged)) return null;
  const reasons = waiting.map((unit) => whyNotByCard(state, [unit], act));
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}
