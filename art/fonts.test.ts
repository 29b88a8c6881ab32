import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const RANGE = /url\("\.\/fonts\/([\w-]+)\.woff2"\)[^}]*?unicode-range:([^;]+);/g;

const css = readFileSync("app/font.css", "utf8");

/** By file, the characters that a page fetches it for. */
const faces = new Map(
  [...css.matchAll(RANGE)].map(([, file = "", range = ""]) => [
    file,
    new Set(
      range.split(",").flatMap((part) => {
        const [first = "", last = first] = part.trim().replace("U+", "").split("-");
        const [from, to] = [parseInt(first, 16), parseInt(last, 16)];
        return Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i));
      }),
    ),
  ]),
);

it("all that the shop writes itself is in the first file of its typeface", () => {
  const more = faces.get("instrument-sans-more") ?? new Set();
  expect(more).toContain("é");
  const texts = globSync("{app,shop}/**/*.{ts,tsx,mdx}").filter((file) => !/\.test\.|\/admin\//.test(file));
  expect(texts.length).toBeGreaterThan(300);
  const elsewhere = texts.flatMap((file) =>
    [...new Set(readFileSync(file, "utf8"))].filter((sign) => more.has(sign)).map((sign) => `${sign} in ${file}`),
  );
  expect(elsewhere).toEqual([]);
});

it("no character is in both files, and all that one types are in the first", () => {
  const [first = new Set<string>(), more = new Set<string>()] = [...faces.values()];
  expect([...first].filter((sign) => more.has(sign))).toEqual([]);
  for (let code = 0x20; code < 0x7f; code++) expect(first).toContain(String.fromCodePoint(code));
});

it("each file is a family of its own", () => {
  // Laying out the first screen of the list took two and a half times as long where both were one (`bench tasks`).
  const families = [...css.matchAll(/font-family: ([^;]+);/g)].map(([, family]) => family);
  expect(families.length).toBeGreaterThan(faces.size);
  expect(new Set(families).size).toBe(families.length);
  const used = /--font-sans: ([^;]+);/.exec(readFileSync("app/theme.css", "utf8"))?.[1] ?? "";
  expect(families.filter((family = "") => !used.includes(family))).toEqual([]);
});
