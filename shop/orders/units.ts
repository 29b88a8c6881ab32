/** The units of an order's lines. */
import { shareOut } from "#shop/money.ts";

type Line = { id: string; priceCents: number; quantity: number; taxCents: number };
export type NewUnit = { number: number; orderItemId: string; priceCents: number; taxCents: number };

/**
 * Units of new lines, numbered in their order. The tax of a line is shared out over its units, none a cent off its part, so
 * that the first units of a line have together the share that is charged if the others are canceled.
 */
export function unitsOfLines(lines: readonly Line[]): NewUnit[] {
  const units = lines.flatMap(({ id, priceCents, quantity, taxCents }) => {
    const shareOf = (first: number) => shareOut(taxCents, [first, quantity - first])[0]!;
    return Array.from({ length: quantity }, (_, place) => ({
      orderItemId: id,
      priceCents,
      taxCents: shareOf(place + 1) - shareOf(place),
    }));
  });
  return units.map((unit, place) => ({ number: place + 1, ...unit }));
}
