/** Shipping: units leave in a parcel, once what they cost is paid. */
import { decided, merge, NOTHING, refused, type DecidedBy, type Change, type Decision, type Parcel } from "../facts.ts";
import { centsOf, isWaiting, type OrderState, type UnitState } from "../state.ts";
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
 * 'on-hold', 'under-way', 'nothing-left', 'nothing-chosen', 'units' that do not wait, and 'not-paid'.
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
    progressAt: null,
    deliveredAt: null,
    returnedAt: null,
    resentAt: null,
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

/** The units of the parcel, by the kept card as it was announced, or by a payment that the buyer made meanwhile. */
function chargeOfParcel(state: OrderState, chosen: readonly UnitState[], act: DecidedBy): Money {
  const unpaid = chosen.filter(({ isPaid, valueCents }) => !isPaid && valueCents > 0);
  if (unpaid.length === 0) return { chargeId: null, change: {} };
  const numbers = unpaid.map(({ number }) => number);
  const announced = state.charges.filter(
    (charge) =>
      charge.state === "announced" && charge.items.some(({ unit }) => unit !== null && numbers.includes(unit)),
  );
  const shipping = state.shipping.charged;
  const isShippingDue = shipping === null || announced.some(({ id }) => id === shipping.chargeId);
  const items = [...unpaid.map(unitItem), ...(isShippingDue ? shippingOf(state) : [])];
  const { id, change } = newCharge(items, { state: "asked", by: "ship" }, act);
  const taken = takeMoney(state, id, centsOf(items), { mayUseCard: true }, act);
  if (!taken) return refused("not-paid");
  const released = announced.map((charge) => releaseItems(charge, numbers, isShippingDue, act));
  return { chargeId: id, change: merge(...released, change, taken) };
}

const shippingOf = (state: OrderState) =>
  state.shipping.charged
    ? [
        {
          kind: "shipping" as const,
          unit: null,
          cents: state.shipping.charged.cents,
          taxCents: state.shipping.charged.taxCents,
        },
      ]
    : shippingItems(state);
