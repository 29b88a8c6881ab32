/** Shipping: units leave in a parcel, once what they cost is paid. */
import { latestDay } from "#shop/new-york-time.ts";
import {
  decided,
  merge,
  NOTHING,
  refused,
  type Change,
  type DecidedBy,
  type Decision,
  type Refusal,
} from "../change.ts";
import type { Charge, Parcel } from "../facts.ts";
import { centsOf, mayChargeCard, type ChargeStanding } from "../order-money.ts";
import { hasLeft, isToCancel, isWaiting, mayShip, type OrderState, type UnitState } from "../state.ts";
import {
  dueItems,
  isUncharged,
  newCharge,
  releaseItems,
  shippingItems,
  takeMoney,
  unitItem,
  unitsPaidBy,
  voidPayment,
} from "./money.ts";

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

/** Reason that nothing of an order ships, whoever pays for it: lists of what is to ship leave it out. Null if something may. */
export function whyNotToShip({ facts, stage, packing, units, money }: OrderState) {
  if (stage !== "to-ship" && stage !== "partly-shipped" && stage !== "shipped") return refused("status");
  if (facts.order.onHoldSince) return refused("on-hold");
  if (packing) return refused("under-way");
  if (!units.some(isWaiting)) return refused("nothing-left");
  if (money.isDisputed) return refused("disputed");
  if (money.isMismatched) return refused("mismatch");
  return units.some(mayShip) ? null : refused("to-cancel");
}

/** Units of a parcel, or why they cannot ship; their charge is not looked at. */
export function toPack(state: OrderState, asked?: readonly number[]): UnitState[] | Refusal {
  const refusal = whyNotToShip(state);
  if (refusal) return refusal;
  const left = state.units.filter(mayShip);
  const chosen = asked ? state.units.filter(({ number }) => asked.includes(number)) : left;
  if (chosen.some(isToCancel)) return refused("to-cancel");
  const gone = chosen.find((unit) => !isWaiting(unit));
  if (gone)
    return refused("units", { name: gone.name, left: left.filter(({ lineId }) => lineId === gone.lineId).length });
  return chosen.length > 0 ? chosen : refused("nothing-chosen");
}

/**
 * Ships units. What is not charged yet is charged first: of an authorized order everything, of one with a kept card these
 * units, whose charge was announced. The parcel leaves once that succeeds; repeated, nothing changes. Refusals: 'status',
 * 'on-hold', 'under-way', 'nothing-left', 'disputed' and 'mismatch' while a payment is in question, 'to-cancel' for what was
 * refunded, 'nothing-chosen', 'units' that do not wait, 'not-paid', 'not-announced', and 'announced' for a later `day`.
 */
export function ship(state: OrderState, shipment: Shipment, act: DecidedBy): Decision {
  const { labelId = null, carrier, trackingNumber } = shipment;
  if (state.facts.parcels.some((parcel) => isSameParcel(parcel, shipment))) return NOTHING;
  const chosen = toPack(state, shipment.units);
  if ("reason" in chosen) return chosen;
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
  const isFirst = !parcels.some((each) => each.id !== parcel.id && hasLeft(each));
  const data = { shipmentId: parcel.id };
  return {
    order: { acceptedAt: order.acceptedAt ?? act.at, onHoldSince: null },
    parcels: [{ ...parcel, state: "shipped", shippedAt: act.at }],
    events: [{ type: isFirst ? "shipped" : "parcel-shipped", data }],
    emails: [{ template: isFirst ? "order-shipped" : "parcel-shipped", ...data }],
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
  const taken = takeMoney(state, id, centsOf(items), "authorization", act);
  return taken ? { chargeId: id, change: merge(change, taken) } : refused("not-paid");
}

/**
 * The units of the parcel, with the shipping if it is the first: from an authorization for them that suffices, else from
 * the kept card as it was announced, for what was announced and not before its day, unless the buyer approved that.
 */
function chargeOfParcel(state: OrderState, chosen: readonly UnitState[], act: DecidedBy): Money {
  const unpaid = chosen.filter(({ isPaid, valueCents }) => !isPaid && valueCents > 0);
  if (unpaid.length === 0) return { chargeId: null, change: {} };
  const numbers = unpaid.map(({ number }) => number);
  const { shipping, money } = state;
  const announced = state.charges.filter(({ id }) => [shipping, ...unpaid].some((each) => each.announced?.id === id));
  const items = [...unpaid.map(unitItem), ...shippingItems(state)];
  const { authorized } = money;
  const paid = authorized ? unitsPaidBy(state, authorized) : [];
  const isByBuyer =
    unpaid.every((unit) => paid.includes(unit)) && (authorized?.authorizedCents ?? -1) >= centsOf(items);
  const refusal = isByBuyer ? null : whyNotByCard(state, unpaid, act);
  if (refusal) return refusal;
  // If the buyer's own payment fails, the announcement stays for the next card.
  const asAnnounced: Partial<Charge> = announced.length > 0 ? termsOf(announced) : {};
  const { id, change } = newCharge(items, { ...asAnnounced, state: "asked", by: "ship" }, act);
  const taken = takeMoney(state, id, centsOf(items), isByBuyer ? "authorization" : "card", act);
  if (!taken) return refused("not-paid");
  const released = announced.map((charge) => releaseItems(state, charge, numbers, true, act));
  // An authorization for less would hold the buyer's money beside the charge.
  const isTooSmall = authorized && !isByBuyer && unpaid.some((unit) => paid.includes(unit));
  const voided = isTooSmall ? voidPayment(state.facts, authorized, act) : {};
  return { chargeId: id, change: merge(...released, change, voided, taken) };
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
function whyNotByCard(state: OrderState, unpaid: readonly UnitState[], { today }: Pick<DecidedBy, "today">) {
  if (!mayChargeCard(state)) return refused("not-paid");
  const days: string[] = [];
  const { shipping } = state;
  if (shippingItems(state).length > 0) {
    if (!shipping.announced) return refused("not-announced");
    const { approvedAt, chargeOn } = shipping.announced;
    if (approvedAt === null) days.push(chargeOn!);
  }
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
