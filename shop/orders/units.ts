/** The units of an order's lines. */
import { shareOut } from "#shop/money.ts";

type Line = { id: string; priceCents: number; quantity: number; taxCents: number };
export type NewUnit = { number: number; orderItemId: string; priceCents: number; taxCents: number };
export const UNIT_COLUMNS = ["number", "orderItemId", "priceCents", "taxCents"] as const;

/**
 * The tax of a line shared out over its units, none a cent off its part, so that the first units of a line have together the
 * share that is charged if the others are canceled.
 */
export function taxOfUnits({ taxCents, quantity }: Pick<Line, "taxCents" | "quantity">): number[] {
  const shareOf = (first: number) => shareOut(taxCents, [first, quantity - first])[0]!;
  return Array.from({ length: quantity }, (_, place) => shareOf(place + 1) - shareOf(place));
}

/** Units of new lines, numbered in their order. */
export function unitsOfLines(lines: readonly Line[]): NewUnit[] {
  const units = lines.flatMap(({ id, priceCents, ...line }) =>
    taxOfUnits(line).map((taxCents) => ({ orderItemId: id, priceCents, taxCents })),
  );
  return units.map((unit, place) => ({ number: place + 1, ...unit }));
}
