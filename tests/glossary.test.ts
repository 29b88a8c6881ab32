/** Names of files and exports use the terms of docs/glossary.md. */
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const rows = readFileSync("docs/glossary.md", "utf8").matchAll(/^\| (?!term|---)([^|]+) \|[^|]+\| ([^|]*)\|$/gm);
const avoided = [...rows].flatMap(([, term = "", words = ""]) =>
  words
    .split(",")
    .map((word) => word.trim().toLowerCase())
    .filter(Boolean)
    .map((word) => ({ term, word })),
);

/** "checkCart" and "check-cart" as " check cart ". */
const wordsOf = (name: string) => ` ${name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/\W+|_/g, " ")} `.toLowerCase();
const isIn = (word: string, name: string) =>
  wordsOf(name).includes(` ${word} `) || wordsOf(name).includes(` ${word}s `);

const files = globSync("{app,platform,shop,server,sandboxes,db,scripts,bench,tests}/**/*.{ts,tsx,mjs}");
const names = files.flatMap((file) => {
  const exported = readFileSync(file, "utf8").matchAll(/^export (?:async )?(?:function|const|class|type) (\w+)/gm);
  return [file, ...[...exported].map(([, name = ""]) => name)].map((name) => ({ file, name }));
});

it("the glossary and the names are read", () => {
  expect(avoided.length).toBeGreaterThan(10);
  expect(names.length).toBeGreaterThan(1000);
});

it.each(avoided)("$word is called $term", ({ word }) => {
  expect(names.filter(({ name }) => isIn(word, name)).map(({ file, name }) => `${file} ${name}`)).toEqual([]);
});
