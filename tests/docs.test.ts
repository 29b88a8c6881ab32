/** The docs lead somewhere: what they link to and the files that they name are there. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { contactPolicy } from "#shop/policies.ts";

const pages = globSync(["*.md", "{docs,bench,art,deploy,sandboxes}/**/*.md"]);
const read = (file: string) => readFileSync(file, "utf8");

/** A heading as an address names it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

const anchorsIn = (file: string) =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));

function leadsSomewhere(from: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const file = path === "" ? from : join(dirname(from), path);
  return existsSync(file) && (!anchor || anchorsIn(file).includes(anchor));
}

it.each(pages)("%s has working links", (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  expect(links.filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(page, link))).toEqual([]);
});

const FILE = /`((?:app|platform|shop|server|sandboxes|db|tests|bench|scripts|docs|art|public)\/[\w./*{},:$-]*)`/g;

it.each(pages)("%s names existing files", (page) => {
  const files = [...read(page).matchAll(FILE)].map(([, file = ""]) => file);
  // {name} stands for whatever it is.
  const isThere = (file: string) => globSync(file.replace(/\{\w+\}/g, "*")).length > 0;
  expect(files.filter((file) => !isThere(file))).toEqual([]);
});

it("SECURITY.md has the support email of the shop", () => {
  expect(read("SECURITY.md")).toContain(contactPolicy.supportEmail);
});

const operations = read("docs/operations.md");
const rowsOf = (section: string) => {
  const [, rest = ""] = operations.split(`\n## ${section}\n`);
  return [...(rest.split("\n## ")[0] ?? "").matchAll(/^\| (`[^|]+) \|/gm)].map(([, first = ""]) => first);
};
const inQuotes = (text: string) => [...text.matchAll(/`([\w-]+)`/g)].map(([, name = ""]) => name);

it("docs/operations.md explains exactly the settings", () => {
  const settings = [
    "environment",
    "payment-environment",
    "carrier-environment",
    "google-environment",
    "picture-environment",
    "inbox-environment",
  ].flatMap((name) =>
    [...read(`platform/${name}.ts`).matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, setting]) => setting),
  );
  expect(settings.length).toBeGreaterThan(10);
  expect(rowsOf("Environment").flatMap(inQuotes).toSorted()).toEqual(settings.toSorted());
});

it("docs/operations.md lists each event of the security log", () => {
  const logged = globSync("{app,platform,shop,server}/**/*.{ts,tsx}").flatMap((file) =>
    [...read(file).matchAll(/\b(?:securityEvent|repeatedEvent)\(\s*"([a-z-]+)"/g)].map(([, name = ""]) => name),
  );
  expect(logged.length).toBeGreaterThan(20);
  const listed = new Set(rowsOf("Health and stopping").flatMap(inQuotes));
  expect(logged.filter((name) => !listed.has(name))).toEqual([]);
});

it("decisions that are cited exist, each with its own number", () => {
  const numbers = globSync("docs/decisions/*.md").map((file) => /(\d{3})-/.exec(file)?.[1]);
  expect(new Set(numbers).size).toBe(numbers.length);
  const named = globSync([
    "*.md",
    "{app,platform,shop,server,sandboxes,db,tests,bench,scripts,docs,art}/**/*.{ts,tsx,mjs,md,mdx,sql}",
  ]).flatMap((file) => [...read(file).matchAll(/\bdecisions?[ /](\d{3})\b/g)].map(([, number]) => ({ file, number })));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ number }) => !numbers.includes(number))).toEqual([]);
});
