/** What a measurement says, beside its budget. */
export type Row = {
  what: string;
  figures: string[];
  budget?: string;
  /** Missing where there is no budget: the row is there to be compared with. */
  holds?: boolean;
  note?: string;
};

export const round = (value: number, digits = 0) =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });

type Unit = { unit: string; digits?: number };

export function atMost(what: string, value: number, limit: number, { unit, digits = 0 }: Unit): Row {
  return {
    what,
    figures: [`${round(value, digits)} ${unit}`],
    budget: `≤ ${round(limit)} ${unit}`,
    holds: value <= limit,
  };
}

export function atLeast(what: string, value: number, limit: number, { unit, digits = 0 }: Unit): Row {
  return {
    what,
    figures: [`${round(value, digits)} ${unit}`],
    budget: `≥ ${round(limit)} ${unit}`,
    holds: value >= limit,
  };
}

export function compared(what: string, value: number, { unit, digits = 0 }: Unit): Row {
  return { what, figures: [`${round(value, digits)} ${unit}`] };
}

/** Names the columns of the rows under it. */
export const heading = (what: string, ...figures: string[]): Row => ({ what, figures });

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The longest that 95 of 100 took. */
export function p95(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? NaN;
}

const verdict = (row: Row) => (row.holds === undefined ? "" : row.holds ? "holds" : "SHORT");

export function printTable(title: string, rows: Row[]): void {
  const columns = Math.max(...rows.map(({ figures }) => figures.length));
  const cells = rows.map((row) => [
    row.what,
    ...Array.from({ length: columns }, (_, column) => row.figures[column] ?? ""),
    row.budget ?? "",
    verdict(row),
    row.note ?? "",
  ]);
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  // Words begin at the left, figures end at the right.
  const isWords = (column: number) => column === 0 || column > columns + 1;
  console.log(`\n${title}`);
  for (const line of cells) {
    const padded = line.map((cell, column) => {
      const width = widths[column] ?? 0;
      return isWords(column) ? cell.padEnd(width) : cell.padStart(width);
    });
    console.log(`  ${padded.join("  ")}`.trimEnd());
  }
}

export function printSummary(rows: Row[]): void {
  const budgeted = rows.filter((row) => row.holds !== undefined);
  const short = budgeted.filter((row) => !row.holds);
  console.log(`\n${budgeted.length - short.length} of ${budgeted.length} budgets hold.`);
  for (const row of short) console.log(`  short: ${row.what}: ${row.figures.join(", ")} (${row.budget})`);
}
