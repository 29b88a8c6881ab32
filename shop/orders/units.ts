/** The units of an order's lines. */
import { shareOut } from "#shop/money.ts";

type Line = {
  id: string;
  priceCents: number;
  quantity: number;
  taxCents: number;
  /** Off all its units. */
  discountCents?: number;
};
export type NewUnit = { number: number; orderItemId: string; priceCents: number; taxCents: number };
export const UNIT_COLUMNS = ["number", "orderItemId", "priceCents", "taxCents"] as const;

/**
 * Cents of a line shared out over its units, none a cent off its part, so that the first units of a line have together the
 * share that is charged if the others are canceled.
 */
export function sharesOfUnits(cents: number, quantity: number): number[] {
  const shareOf = (first: number) => shareOut(cents, [first, quantity - first])[0]!;
  return Array.from({ length: quantity }, (_, place) => shareOf(place + 1) - shareOf(place));
}

/** Units of new lines, numbered in their order. */
export function unitsOfLines(lines: readonly Line[]): NewUnit[] {
  const units = lines.flatMap(({ id, priceCents, taxCents, quantity, discountCents = 0 }) => {
    const off = sharesOfUnits(discountCents, quantity);
    return sharesOfUnits(taxCents, quantity).map((tax, place) => ({
      orderItemId: id,
      priceCents: priceCents - off[place]!,
      taxCents: tax,
    }));
  });
  return units.map((unit, place) => ({ number: place + 1, ...unit }));
}
