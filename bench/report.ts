/** What a measurement says, beside the budget that DESIGN section 8 gives it. */
export type Row = {
  what: string;
  figure: string;
  budget?: string;
  /** Missing where there is no budget: the row is there to be compared with. */
  holds?: boolean;
};

export const round = (value: number, digits = 0) =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });

type Unit = { unit: string; digits?: number };

export function atMost(what: string, value: number, limit: number, { unit, digits = 0 }: Unit): Row {
  return {
    what,
    figure: `${round(value, digits)} ${unit}`,
    budget: `≤ ${round(limit)} ${unit}`,
    holds: value <= limit,
  };
}

export function atLeast(what: string, value: number, limit: number, { unit, digits = 0 }: Unit): Row {
  return {
    what,
    figure: `${round(value, digits)} ${unit}`,
    budget: `≥ ${round(limit)} ${unit}`,
    holds: value >= limit,
  };
}

export function compared(what: string, value: number, { unit, digits = 0 }: Unit): Row {
  return { what, figure: `${round(value, digits)} ${unit}` };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const verdict = (row: Row) => (row.holds === undefined ? "" : row.holds ? "holds" : "SHORT");

export function printTable(title: string, rows: Row[]): void {
  const cells = [
    ["", "figure", "budget", ""],
    ...rows.map((row) => [row.what, row.figure, row.budget ?? "", verdict(row)]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  console.log(`\n${title}`);
  for (const [what = "", figure = "", budget = "", held = ""] of cells) {
    const [first = 0, second = 0, third = 0] = widths;
    console.log(`  ${what.padEnd(first)}  ${figure.padStart(second)}  ${budget.padStart(third)}  ${held}`.trimEnd());
  }
}

export function printSummary(rows: Row[]): void {
  const budgeted = rows.filter((row) => row.holds !== undefined);
  const short = budgeted.filter((row) => !row.holds);
  console.log(`\n${budgeted.length - short.length} of ${budgeted.length} budgets hold.`);
  for (const row of short) console.log(`  short: ${row.what}: ${row.figure} (${row.budget})`);
}
