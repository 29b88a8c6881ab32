/** Measured figures and their budgets. */
export type Row = {
  what: string;
  figures: Record<string, string>;
  budget?: string;
  /** Undefined for a figure without a budget. */
  holds?: boolean;
  note?: string;
};

export const round = (value: number, digits = 0): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });

type Unit = { unit: string; digits?: number };

export const figure = (what: string, value: number, { unit, digits = 0 }: Unit): Row => ({
  what,
  figures: { measured: `${round(value, digits)} ${unit}` },
});

export const atMost = (what: string, value: number, limit: number, unit: Unit): Row => ({
  ...figure(what, value, unit),
  budget: `≤ ${limit} ${unit.unit}`,
  holds: value <= limit,
});

export const atLeast = (what: string, value: number, limit: number, unit: Unit): Row => ({
  ...figure(what, value, unit),
  budget: `≥ ${limit} ${unit.unit}`,
  holds: value >= limit,
});

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
