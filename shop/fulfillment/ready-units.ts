/** Units of an order that may ship today: a pre-ordered line waits for its day unless staff choose otherwise. */
import { shipsLater } from "#shop/catalog/stock.ts";

type Line = { unitsLeft: number; shipsFrom: string | null };

/** The day, YYYY-MM-DD, that units of a line wait for; null if they may ship, or none is left. */
export const waitsFor = ({ unitsLeft, shipsFrom }: Line, now: Date): string | null =>
  unitsLeft > 0 && shipsLater({ shipsFrom }, now) ? shipsFrom : null;

/** Units left by line, without those that wait. */
export const unitsReady = (lines: readonly (Line & { id: string })[], now: Date): Record<string, number> =>
  Object.fromEntries(lines.map((line) => [line.id, waitsFor(line, now) ? 0 : line.unitsLeft]));

/** The first day on which something ships; null if something may ship today, or nothing is left. */
export function firstDay(lines: readonly Line[], now: Date): string | null {
  const left = lines.filter(({ unitsLeft }) => unitsLeft > 0);
  const days = left.flatMap((line) => waitsFor(line, now) ?? []);
  return days.length === left.length ? (days.toSorted()[0] ?? null) : null;
}
