/** docs/security.md says how each requirement of ASVS 5.0.0, level 1 and 2, is met: all of them, by tests that exist. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { brand } from "../shop/brand.ts";

const LEVEL_1 = `
  1.2.1 1.2.2 1.2.3 1.2.4 1.2.5 1.3.1 1.3.2 1.5.1
  2.1.1 2.2.1 2.2.2 2.3.1
  3.2.1 3.2.2 3.3.1 3.4.1 3.4.2 3.5.1 3.5.2 3.5.3
  4.1.1 4.4.1
  5.2.1 5.2.2 5.3.1 5.3.2
  6.1.1 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.3.1 6.3.2 6.4.1 6.4.2
  7.2.1 7.2.2 7.2.3 7.2.4 7.4.1 7.4.2
  8.1.1 8.2.1 8.2.2 8.3.1
  9.1.1 9.1.2 9.1.3 9.2.1
  10.4.1 10.4.2 10.4.3 10.4.4 10.4.5
  11.3.1 11.3.2 11.4.1
  12.1.1 12.2.1 12.2.2
  13.4.1
  14.2.1 14.3.1
  15.1.1 15.2.1 15.3.1`;
const LEVEL_2 = `
  1.1.1 1.1.2 1.2.6 1.2.7 1.2.8 1.2.9 1.3.3 1.3.4 1.3.5 1.3.6 1.3.7 1.3.8 1.3.9 1.3.10 1.3.11 1.4.1 1.4.2
  1.4.3 1.5.2
  2.1.2 2.1.3 2.2.3 2.3.2 2.3.3 2.3.4 2.4.1
  3.3.2 3.3.3 3.3.4 3.4.3 3.4.4 3.4.5 3.4.6 3.5.4 3.5.5 3.7.1 3.7.2
  4.1.2 4.1.3 4.2.1 4.3.1 4.3.2 4.4.2 4.4.3 4.4.4
  5.1.1 5.2.3 5.4.1 5.4.2 5.4.3
  6.1.2 6.1.3 6.2.9 6.2.10 6.2.11 6.2.12 6.3.3 6.3.4 6.4.3 6.4.4 6.5.1 6.5.2 6.5.3 6.5.4 6.5.5 6.6.1 6.6.2
  6.6.3 6.8.1 6.8.2 6.8.3 6.8.4
  7.1.1 7.1.2 7.1.3 7.3.1 7.3.2 7.4.3 7.4.4 7.4.5 7.5.1 7.5.2 7.6.1 7.6.2
  8.1.2 8.2.3 8.4.1
  9.2.2 9.2.3 9.2.4
  10.1.1 10.1.2 10.2.1 10.2.2 10.3.1 10.3.2 10.3.3 10.3.4 10.4.6 10.4.7 10.4.8 10.4.9 10.4.10 10.4.11 10.5.1
  10.5.2 10.5.3 10.5.4 10.5.5 10.6.1 10.6.2 10.7.1 10.7.2 10.7.3
  11.1.1 11.1.2 11.2.1 11.2.2 11.2.3 11.3.3 11.4.2 11.4.3 11.4.4 11.5.1 11.6.1
  12.1.2 12.1.3 12.3.1 12.3.2 12.3.3 12.3.4
  13.1.1 13.2.1 13.2.2 13.2.3 13.2.4 13.2.5 13.3.1 13.3.2 13.4.2 13.4.3 13.4.4 13.4.5
  14.1.1 14.1.2 14.2.2 14.2.3 14.2.4 14.3.2 14.3.3
  15.1.2 15.1.3 15.2.2 15.2.3 15.3.2 15.3.3 15.3.4 15.3.5 15.3.6 15.3.7
  16.1.1 16.2.1 16.2.2 16.2.3 16.2.4 16.2.5 16.3.1 16.3.2 16.3.3 16.3.4 16.4.1 16.4.2 16.4.3 16.5.1 16.5.2
  16.5.3
  17.1.1 17.2.1 17.2.2 17.2.3 17.2.4 17.3.1 17.3.2`;

/** What asks for something written down, or for what the operator does: a section is its proof. */
const WRITTEN = `
  2.1.1 2.1.2 2.1.3
  6.1.1 6.1.2 6.1.3 6.4.4
  7.1.1 7.1.2 7.1.3 7.4.5
  8.1.2
  11.1.1 11.1.2
  12.1.1 12.1.2 12.2.2 12.3.3 12.3.4
  13.1.1
  14.1.1 14.1.2
  15.1.1 15.1.2 15.1.3 15.2.1
  16.1.1 16.2.3 16.4.2 16.4.3`;

const numbers = (text: string) => text.trim().split(/\s+/);
const levels = new Map([
  ...numbers(LEVEL_1).map((id) => [id, "1"] as const),
  ...numbers(LEVEL_2).map((id) => [id, "2"] as const),
]);
const written = new Set(numbers(WRITTEN));

type Row = { id: string; level: string; applies: string; how: string; cells: string[] };

const page = readFileSync("docs/security.md", "utf8");
const rows: Row[] = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \|(.*)\|$/gm)].map(([, id = "", rest = ""]) => {
  const [level = "", applies = "", how = "", test = ""] = rest.split(/(?<!\\)\|/).map((cell) => cell.trim());
  return { id, level, applies, how, cells: test.split("<br>").map((cell) => cell.trim()) };
});
const applicable = rows.filter(({ applies }) => applies === "yes");
const sections = new Set([...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title));

const sources = new Map<string, string>();
const source = (file: string) => {
  if (!sources.has(file)) sources.set(file, existsSync(file) ? readFileSync(file, "utf8") : "");
  return sources.get(file) ?? "";
};

/** A title as it stands in quotes in the source of a test. */
function hasTitle(file: string, title: string): boolean {
  return ['"', "'", "`"].some((quote) => source(file).includes(quote + title.replaceAll(quote, `\\${quote}`) + quote));
}

/** What is wrong with one cell of the column 'test', or null. */
function problemOf(cell: string, id: string): string | null {
  if (cell.startsWith("§ ")) return sections.has(cell.slice(2)) ? null : `there is no section '${cell.slice(2)}'`;
  const [, file = "", title = ""] = /^`(\S+\.test\.ts) › (.+)`$/.exec(cell) ?? [];
  if (!file) return `'${cell}' is neither a test nor a section`;
  if (!source(file)) return `there is no file ${file}`;
  return hasTitle(file, title) ? null : `${file} has no test '${title}' (${id})`;
}

describe("the table", () => {
  it("has every requirement once, with its level", () => {
    expect(rows.map(({ id }) => id).toSorted()).toEqual([...levels.keys()].toSorted());
    for (const { id, level } of rows) expect([id, level]).toEqual([id, levels.get(id)]);
  });

  it("says of each whether it applies, and how it is met or why not", () => {
    for (const { id, applies, how, cells } of rows) {
      expect(["yes", "no"], id).toContain(applies);
      expect(how, id).toMatch(/^[A-Z0-9`].*\.$/s);
      if (applies === "no") expect(cells, id).toEqual(["-"]);
    }
  });

  it.each(applicable.map((row) => [row.id, row] as const))("%s is held by tests that exist", (id, { cells }) => {
    expect(cells.map((cell) => problemOf(cell, id)).filter((problem) => problem !== null)).toEqual([]);
    if (!written.has(id)) expect(cells.some((cell) => cell.startsWith("`"))).toBe(true);
  });

  it("names files that exist", () => {
    const named = [...page.matchAll(/`([\w./-]+\/[\w.-]+\.(?:ts|tsx|mjs|md))`|\]\(\.\.\/([\w./-]+)\)/g)];
    expect(named.length).toBeGreaterThan(50);
    for (const [, quoted, linked] of named) {
      const file = quoted ?? linked ?? "";
      expect(existsSync(file) || existsSync(`docs/${file}`), file).toBe(true);
    }
  });

  it("adds up to what its head says", () => {
    const open = applicable.filter(({ cells }) => cells.some((cell) => cell.startsWith("?")));
    const sums = [rows.length, applicable.length, applicable.length - open.length, rows.length - applicable.length];
    const said = /(\d+) requirements, (\d+) apply, (\d+) are met, (\d+) do not apply\./
      .exec(page)
      ?.slice(1)
      .map(Number);
    expect(said).toEqual(sums);
  });
});

it("SECURITY.md says where to report, to whom the shop's mail goes", () => {
  expect(readFileSync("SECURITY.md", "utf8")).toContain(brand.supportEmail);
});
