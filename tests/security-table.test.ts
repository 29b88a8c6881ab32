/** docs/security.md lists how each requirement of ASVS 5.0.0, level 1 and 2, is met, and by which tests. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEFAULT_ADDRESSES } from "#shop/contact-addresses.ts";

/** Requirements of each level in the standard. */
const LEVELS = { 1: 70, 2: 183 };
/** Requirements of documentation or operation, which a section meets. */
const WRITTEN = 27;

type Row = { id: string; level: string; applies: string; how: string; cells: string[] };

const page = readFileSync("docs/security.md", "utf8");
const rows: Row[] = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \|(.*)\|$/gm)].map(([, id = "", rest = ""]) => {
  const [level = "", applies = "", how = "", test = ""] = rest.split(/(?<!\\)\|/).map((cell) => cell.trim());
  return { id, level, applies, how, cells: test.split("<br>").map((cell) => cell.trim()) };
});
const applicable = rows.filter(({ applies }) => applies === "yes");
const sections = new Set([...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title));

const source = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");

/** A title as it stands in quotes in the source of a test. */
function hasTitle(file: string, title: string): boolean {
  return ['"', "'", "`"].some((quote) => source(file).includes(quote + title.replaceAll(quote, `\\${quote}`) + quote));
}

/** The problem of a test cell, or null. */
function problemOf(cell: string, id: string): string | null {
  if (cell.startsWith("§ ")) return sections.has(cell.slice(2)) ? null : `there is no section '${cell.slice(2)}'`;
  const [, file = "", title = ""] = /^`(\S+\.test\.ts) › (.+)`$/.exec(cell) ?? [];
  if (!file) return `'${cell}' is neither a test nor a section`;
  if (!source(file)) return `there is no file ${file}`;
  return hasTitle(file, title) ? null : `${file} has no test '${title}' (${id})`;
}

describe("the table of security requirements", () => {
  it("has every requirement once", () => {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const [level, count] of Object.entries(LEVELS))
      expect(rows.filter((row) => row.level === level)).toHaveLength(count);
  });

  it("says how each requirement is met, or why it does not apply", () => {
    for (const { id, applies, how, cells } of rows) {
      expect(["yes", "no"], id).toContain(applies);
      expect(how, id).toMatch(/^[A-Z0-9`].*\.$/s);
      if (applies === "no") expect(cells, id).toEqual(["-"]);
    }
  });

  it.each(applicable.map((row) => [row.id, row] as const))("%s names tests that exist", (id, { cells }) => {
    expect(cells.map((cell) => problemOf(cell, id)).filter((problem) => problem !== null)).toEqual([]);
  });

  it("meets every requirement but those of documentation by tests", () => {
    const isTested = ({ cells }: Row) => cells.some((cell) => cell.startsWith("`"));
    expect(applicable.filter((row) => !isTested(row)).length).toBeLessThanOrEqual(WRITTEN);
  });

  it("has the totals of its introduction", () => {
    const open = applicable.filter(({ cells }) => cells.some((cell) => cell.startsWith("?")));
    const sums = [rows.length, applicable.length, applicable.length - open.length, rows.length - applicable.length];
    const said = /(\d+) requirements, (\d+) apply, (\d+) are met, (\d+) do not apply\./
      .exec(page)
      ?.slice(1)
      .map(Number);
    expect(said).toEqual(sums);
  });
});

it("SECURITY.md has the support email of the shop", () => {
  expect(readFileSync("SECURITY.md", "utf8")).toContain(DEFAULT_ADDRESSES.supportEmail);
});
