/** A period of two days that staff choose. */
import { isDay } from "#shop/new-york-time.ts";
import type { FilterField } from "#app/ui/admin/filters.tsx";

type Dates = { from: string; to: string; problem?: string | undefined };

export const dateFields = ({ from, to, problem }: Dates): FilterField[] => [
  { name: "from", label: "From", type: "date", initial: from },
  { name: "to", label: "To", type: "date", initial: to, error: problem },
];

/** The days of these fields, YYYY-MM-DD; the usual ones without a query, and beside a problem. */
export function readDates(query: URLSearchParams, usual: Dates): Dates {
  const { from, to } = { from: query.get("from") ?? usual.from, to: query.get("to") ?? usual.to };
  if (!isDay(from) || !isDay(to)) return { ...usual, problem: "Enter both dates" };
  if (to < from) return { ...usual, problem: "“To” is before “From”" };
  return { from, to };
}
