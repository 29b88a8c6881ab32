/** Amounts with their unit, as people read them. */

/** From the least to the most of something, both included. */
export type Range = { min: number; max: number };
export type Unit = "minute" | "hour" | "day" | "business day" | "month" | "year" | "degree";

/** "30 days", "1 year", "5-7 business days"; "1 business day" where both ends are one. */
export function withUnit(amount: number | Range, unit: Unit): string {
  const { min, max } = typeof amount === "number" ? { min: amount, max: amount } : amount;
  const text = min === max ? String(min) : `${min}-${max}`;
  return `${text} ${unit}${max === 1 ? "" : "s"}`;
}
