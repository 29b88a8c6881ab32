/** Parcels after they have left: undone, on their way, refused, lost, back, and sent again. */
import {
  decided,
  merge,
  NOTHING,
  refused,
  type DecidedBy,
  type Change,
  type Decision,
  type StockMove,
} from "../change.ts";
import { PROGRESS, type Facts, type Parcel, type Progress } from "../facts.ts";
import { isUnsent } from "../order.ts";
import { hasLeft, isAstray, isOwn, type OrderState, type ParcelStanding, type UnitState } from "../state.ts";
import { arrivedLate, cameBack } from "../unit-history.ts";
import { reopenAnswer } from "./delay.ts";

export const findParcel = ({ parcels }: OrderState, id: string) => parcels.find((parcel) => parcel.id === id);

/** The row of a parcel, with what changes of it. */
const changed = ({ facts }: OrderState, { id }: ParcelStanding, to: Partial<Parcel>): Pick<Change, "parcels"> => ({
  parcels: facts.parcels.filter((parcel) => parcel.id === id).map((parcel) => ({ ...parcel, ...to })),
});

/** Units that a parcel holds no more. */
export const released = ({ packed }: Facts, parcelId: string, act: DecidedBy) =>
  packed
    .filter((row) => row.parcelId === parcelId && row.releasedAt === null)
    .map((row) => ({ ...row, releasedAt: act.at }));

/** Stock moves of units of the catalog. */
export const stockOf = (units: readonly UnitState[], sign: 1 | -1, reason: StockMove["reason"]): StockMove[] =>
  units.flatMap(({ productId }) => (productId ? [{ productId, delta: sign, reason }] : []));

/**
 * Undoes a parcel that has not left: its units wait again, what they cost stays paid, and an open question about a delay
 * can be answered until the end of the next day. Refusals: 'unknown-shipment', 'under-way', 'not-in-transit' once it
 * arrived, 'scanned' once its carrier has it, 'refunded' if a unit of it was refunded, or is in a return or back.
 */
export function undoShipment(state: OrderState, { parcelId }: { parcelId: string }, act: DecidedBy): Decision {
  const parcel = findParcel(state, parcelId);
  if (!parcel) return refused("unknown-shipment");
  if (parcel.state === "failed") return NOTHING;
  if (parcel.state === "packing") return refused("under-way");
  if (parcel.state !== "shipped") return refused("not-in-transit");
  if (parcel.progress) return refused("scanned");
  const isElsewhere = parcel.held.some(({ place, inReturn }) => place !== "shipped" || inReturn !== null);
  if (parcel.owed.length < parcel.units.length || isElsewhere) return refused("refunded");
  const others = state.facts.parcels.filter((each) => each.id !== parcelId && hasLeft(each));
  const data = { shipmentId: parcelId };
  return decided(
    {
      ...changed(state, parcel, { state: "failed", shippedAt: null }),
      packed: released(state.facts, parcelId, act),
      events: [{ type: others.length > 0 ? "parcel-undone" : "shipment-undone", data }],
      emails: hasArrivedOtherwise(state, parcel) ? [] : [{ template: "shipment-undone", ...data }],
    },
    reopenAnswer(state.facts, act),
  );
}

/** All that it holds has reached its customer in another parcel, which was lost for a time. */
const hasArrivedOtherwise = ({ facts }: OrderState, { held }: ParcelStanding): boolean =>
  held.length > 0 && held.every(({ number }) => arrivedLate(facts, number));

export type News = { parcelId: string; state: "delivered" | "refused" | "lost"; at?: Date };

/** True for news that change a parcel: what is delivered, refused or sent back stays so; a lost one may turn up, or come back. */
const isNews = ({ state, held }: ParcelStanding, next: News["state"]) =>
  (state === "shipped" && (next === "delivered" || held.some(({ place }) => place === "shipped"))) || state === "lost";

const NEWS_EMAILS = { refused: { template: "parcel-refused" }, lost: { template: "parcel-lost" } } as const;

/** Records where a parcel ended, as its carrier or staff say. Refusals: 'unknown-shipment', 'not-in-transit'. */
export function parcelNews(state: OrderState, { parcelId, state: next, at }: News, act: DecidedBy): Decision {
  const parcel = findParcel(state, parcelId);
  if (!parcel) return refused("unknown-shipment");
  if (parcel.state === next) return NOTHING;
  if (!isNews(parcel, next)) return refused("not-in-transit");
  const data = { shipmentId: parcelId };
  // Units of a lost parcel were refunded or sent again, and their buyer was told what follows.
  const isSettled = (parcel.state === "lost" && parcel.owed.length === 0) || hasArrivedOtherwise(state, parcel);
  const time = next === "delivered" ? { deliveredAt: at ?? act.at } : { progressAt: at ?? act.at };
  const is = changed(state, parcel, { state: next, ...time });
  if (next === "delivered") return decided(is, { events: [{ type: "parcel-delivered", data }] });
  const type = `parcel-${next}` as const;
  return isSettled
    ? decided(is, { events: [{ type, data: { ...data, isSettled } }] })
    : decided(is, { events: [{ type, data }], emails: [{ ...NEWS_EMAILS[next], ...data }] });
}

/** Records how far a parcel is on its way. Scans never go back. Refusals: 'unknown-shipment', 'not-in-transit'. */
export function parcelProgress(
  state: OrderState,
  { parcelId, progress, at }: { parcelId: string; progress: Progress; at: Date },
): Decision {
  const parcel = findParcel(state, parcelId);
  if (!parcel) return refused("unknown-shipment");
  const isLater = parcel.progress === null || PROGRESS.indexOf(progress) > PROGRESS.indexOf(parcel.progress);
  if (parcel.state !== "shipped" || !isLater) return refused("not-in-transit");
  return decided(changed(state, parcel, { progress, progressAt: at }));
}

/** Corrects the number of a parcel in transit. Refusals: 'unknown-shipment', 'under-way', 'not-in-transit' once it arrived. */
export function correctTracking(
  state: OrderState,
  { parcelId, carrier, trackingNumber }: Pick<Parcel, "carrier" | "trackingNumber"> & { parcelId: string },
): Decision {
  const parcel = findParcel(state, parcelId);
  if (!parcel) return refused("unknown-shipment");
  if (parcel.state === "packing") return refused("under-way");
  if (parcel.state !== "shipped") return refused("not-in-transit");
  if (parcel.carrier === carrier && parcel.trackingNumber === trackingNumber) return NOTHING;
  const data = { shipmentId: parcelId };
  return decided(changed(state, parcel, { carrier, trackingNumber, progress: null, progressAt: null }), {
    events: [{ type: "tracking-corrected", data }],
    emails: [{ template: "tracking-corrected", ...data }],
  });
}

/**
 * Units for the shelf in a parcel that did not arrive, also if others were sent in their place. The rest a return has brought
 * before, or is the customer's own.
 */
export const unitsOfStock = (state: OrderState, { id, units }: ParcelStanding): UnitState[] =>
  units.filter((unit) => {
    const row = state.facts.packed.find(({ parcelId, unit: number }) => parcelId === id && number === unit.number)!;
    return !cameBack(state.facts, row) && (row.releasedAt !== null || !isOwn(unit));
  });

/**
 * Records that a refused or lost parcel is back; its units are restocked or written off, but for those that a return brought
 * before, and the customer's own, which wait to be sent again. Nothing is given back with it. Refusals: 'not-refused', 'no-stock'
 * if nothing in it is for the shelf.
 */
export function receiveBack(
  state: OrderState,
  { parcelId, restocks }: { parcelId: string; restocks: boolean },
  act: DecidedBy,
): Decision {
  const parcel = findParcel(state, parcelId);
  if (!parcel) return refused("unknown-shipment");
  if (parcel.returnedAt) return NOTHING;
  if (parcel.state !== "refused" && parcel.state !== "lost") return refused("not-refused");
  const units = unitsOfStock(state, parcel);
  if (restocks && units.length === 0) return refused("no-stock");
  const returnsStock = units.length > 0 ? restocks : null;
  return decided({
    ...changed(state, parcel, { state: "refused", returnedAt: act.at }),
    stock: restocks ? stockOf(units, 1, "returned") : [],
    events: [{ type: "parcel-returned", data: { shipmentId: parcelId, returnsStock } }],
  });
}

/**
 * Has what is owed of a lost parcel, or of a refused one that is back, wait again: other units leave the stock, but for the
 * customer's own that came back, and nothing is charged again. Refusals: 'unknown-shipment', 'not-lost', 'refunded'.
 */
export function sendAgain(
  state: OrderState,
  { parcelId, shipBy }: { parcelId: string; shipBy: string },
  act: DecidedBy,
): Decision {
  const parcel = findParcel(state, parcelId);
  if (!parcel) return refused("unknown-shipment");
  if (!(parcel.state === "lost" || parcel.returnedAt)) return refused("not-lost");
  if (parcel.isSentAgain) return NOTHING;
  if (parcel.owed.length === 0) return refused("refunded");
  const isAnew = !isUnsent(state);
  const taken = parcel.owed.filter((unit) => !parcel.returnedAt || !isOwn(unit));
  return decided(
    {
      units: state.facts.units
        .filter(({ number }) => taken.some((unit) => unit.number === number))
        .map((unit) => ({ ...unit, isOwn: false })),
      packed: released(state.facts, parcelId, act).filter(({ unit }) =>
        parcel.owed.some(({ number }) => number === unit),
      ),
      stock: stockOf(taken, -1, "resent"),
      events: [{ type: "parcel-resent", data: { shipmentId: parcelId, startsAnew: isAnew } }],
    },
    // A new promise begins; a rest that waited before keeps its own.
    isAnew ? { order: { shipBy, promisedAt: act.at } } : {},
  );
}

/**
 * Has what a return sends wait for its parcel: units that were set aside for it, and the customer's own ones that go back.
 * A promise begins, unless something else waits already.
 */
export function sendForReturn(state: OrderState, returnId: string, act: DecidedBy): Change {
  const { facts } = state;
  const reserved = facts.units.filter((unit) => unit.returnId === returnId && unit.isReserved && !unit.canceledAt);
  const own = facts.returned.filter((row) => row.returnId === returnId && row.goesBackAt && !row.endedAt);
  if (reserved.length + own.length === 0) return {};
  return merge(
    {
      units: reserved.map((unit) => ({ ...unit, isReserved: false })),
      packed: facts.packed
        .filter(({ unit, releasedAt }) => releasedAt === null && own.some((row) => row.unit === unit))
        .map((row) => ({ ...row, releasedAt: act.at })),
    },
    isUnsent(state) ? {} : { order: { shipBy: act.shipBy(facts.order), promisedAt: act.at } },
  );
}

/**
 * Marks what is on its way as arrived. Refusals: 'status', 'units-left' if something is left to ship, 'not-in-transit' if
 * no parcel is on its way.
 */
export function deliverAll(state: OrderState, _input: object, act: DecidedBy): Decision {
  if (state.stage === "delivered") return NOTHING;
  if (state.stage === "partly-shipped") return refused("units-left");
  if (state.stage !== "shipped") return refused("status");
  const onTheWay = state.facts.parcels.filter(({ state: is }) => is === "shipped");
  if (onTheWay.length === 0) return refused("not-in-transit");
  const parcels = onTheWay.map((parcel) => ({ ...parcel, state: "delivered" as const, deliveredAt: act.at }));
  // The order waits for what is lost or on its way back.
  if (state.units.some(isAstray))
    return decided({
      parcels,
      events: parcels.map(({ id }) => ({ type: "parcel-delivered", data: { shipmentId: id } })),
    });
  return decided({ parcels, events: [{ type: "delivered" }], emails: [{ template: "order-delivered" }] });
}
