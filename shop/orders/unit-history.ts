/** History of one unit: the parcels that held it, its returns, and its charge. Times decide, as ids have no order. */
import type { ChargeItem, Facts, PackedUnit, Parcel, ReturnedUnit, Unit } from "./facts.ts";

/** States of a parcel that brings its units to their buyer. */
const BRINGS: readonly Parcel["state"][] = ["shipped", "delivered"];

/** Parcels of a unit: the one that holds it, and the one that brought it first. */
export function parcelsOf(
  { packed, parcels }: Facts,
  unit: number,
): { parcel: Parcel | null; firstParcel: Parcel | null } {
  const rows = packed.filter((each) => each.unit === unit);
  const holding = rows.find(({ releasedAt }) => releasedAt === null);
  const [firstParcel = null] = parcels
    .filter(({ id, state }) => BRINGS.includes(state) && rows.some(({ parcelId }) => parcelId === id))
    .toSorted((one, other) => one.shippedAt!.getTime() - other.shippedAt!.getTime());
  return { parcel: parcels.find(({ id }) => id === holding?.parcelId) ?? null, firstParcel };
}

/** A return has brought a unit of a parcel to the shop before it was taken out of that. */
export function cameBack({ parcels, returned }: Facts, { parcelId, unit, releasedAt }: PackedUnit): boolean {
  const { createdAt } = parcels.find(({ id }) => id === parcelId)!;
  return returned.some(
    ({ unit: number, receivedAt }) =>
      number === unit &&
      receivedAt !== null &&
      receivedAt >= createdAt &&
      (releasedAt === null || receivedAt <= releasedAt),
  );
}

/** A unit in a parcel that arrived after all, though another one was to be sent in its place. */
export const arrivedLate = (facts: Facts, unit: number): PackedUnit | undefined =>
  facts.packed.find(
    (row) =>
      row.unit === unit &&
      row.releasedAt !== null &&
      facts.parcels.some(({ id, state }) => id === row.parcelId && state === "delivered") &&
      !cameBack(facts, row),
  );

/** The last return of a unit that has arrived. One that is not over is later than all that are. */
export function lastOf(returns: readonly ReturnedUnit[]): ReturnedUnit | undefined {
  const open = returns.find(({ endedAt }) => endedAt === null);
  if (open?.receivedAt) return open;
  return returns
    .filter(({ receivedAt }) => receivedAt !== null)
    .toSorted((one, other) => one.receivedAt!.getTime() - other.receivedAt!.getTime())
    .at(-1);
}

/** A unit set aside for an exchange replaces nothing until that is decided, which sets the worth that it carries over. */
export const isDecided = ({ isReserved, carriedCents }: Unit): boolean => !isReserved || carriedCents > 0;

/** Charge that holds an item of the order: announced, or made. */
export function chargeOf({ charges, chargeItems }: Facts, isItem: (item: ChargeItem) => boolean) {
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
export const isOwed = ({ charges }: Facts, returnId: string): boolean =>
  charges.some((each) => each.returnId === returnId && each.by === "link" && each.state === "asked");

/** Worth that a unit carries over from the one that it replaces. */
export const carriedBy = ({ units }: Facts, unit: number): number =>
  units.find(({ number }) => number === unit)?.carriedCents ?? 0;

/** What a discount took off the price of a unit, which a unit in its place has too; 0 for none. */
export function discountOf({ units, lines }: Facts, unit: number | null): number {
  const found = units.find(({ number }) => number === unit);
  const line = lines.find(({ id }) => id === found?.lineId);
  return found && line ? line.priceCents - found.priceCents : 0;
}
