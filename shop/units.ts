/** Amounts with units. */

/** An inclusive range. */
export type Range = { min: number; max: number };
export type Unit = "minute" | "hour" | "day" | "business day" | "month" | "year" | "degree";

/** A number of things: "1 person", "1,204 people". The plural is the word with an s unless it is given. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;

/** Formats "30 days", "1 year" or "5-7 business days". */
export function withUnit(amount: number | Range, unit: Unit): string {
  const { min, max } = typeof amount === "number" ? { min: amount, max: amount } : amount;
  const text = min === max ? String(min) : `${min}-${max}`;
  return `${text} ${unit}${max === 1 ? "" : "s"}`;
}
