/** Cells of the back office's CSV files, as a spreadsheet shows them and not as it guesses them. */
import { decimalMoney } from "./money.ts";
import { newYorkField } from "./new-york-time.ts";

type Cell = string | number | Date | null | undefined;
/** A row of a file, by the heading of each column. */
export type Cells = Record<string, Cell>;

/** Text that Excel, Numbers or Sheets reads as a number, a date, a time, a truth value or a formula. */
const GUESSED = [
  /^[=+\-@|＝＋－＠\t\r]/,
  // 02116, 9e004855, 1-2, 3/4, 12:30, $5, 50%, 1 1/2, (512)
  /^(?=\D*\d)\(?[\s\d.,:/\-$€£¥%e+]+\)?$/i,
  /^\d.*\b[ap]\.?m?\.?$/i,
  /^(?=\D*\d)[\d\s.,/-]*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\d\s.,/-]*$/i,
  /^(?:true|false)$/i,
];
const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * A moment is "2026-11-28 14:05" in New York, a day stays YYYY-MM-DD, a number is one. Text that a spreadsheet would change
 * begins with an apostrophe, which keeps it as it is everywhere.
 */
export function csvCell(value: Cell): string | number {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return value;
  if (value instanceof Date) return newYorkField(value).replace("T", " ");
  const text = value.trim();
  return !DAY.test(text) && GUESSED.some((form) => form.test(text)) ? `'${value}` : value;
}

/** "#9e004855": with its sign, no order number of digits and an e is read as a huge number. */
export const orderCell = (orderId: string): string => `#${orderId.slice(0, 8)}`;

/** "(512) 555-0123", which is no number; as typed if it is none of the United States. */
export function phoneCell(phone: string): string {
  const [, area, exchange, line] = /^1?(\d{3})(\d{3})(\d{4})$/.exec(phone.replaceAll(/\D/g, "")) ?? [];
  return line ? `(${area}) ${exchange}-${line}` : phone;
}

/** Cents as dollars: a number, which a spreadsheet can sum. */
export const dollarCell = (cents: number): number => Number(decimalMoney(cents));
