/** The docs lead somewhere: what they link to and the files that they name are there. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { acts, type Act } from "../scripts/order/acts.ts";
import { emails } from "../shop/emails.server.ts";
import { ORDER_STATUSES, statusesBefore } from "../shop/orders/lifecycle.ts";

const pages = globSync(["*.md", "{docs,bench,art,deploy}/**/*.md"]);
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

it.each(pages)("%s links to what is there", (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  expect(links.filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(page, link))).toEqual([]);
});

const FILE = /`((?:app|shop|server|db|tests|bench|scripts|docs|art|public)\/[\w./*{},:$-]*)`/g;

it.each(pages)("%s names files that are there", (page) => {
  const files = [...read(page).matchAll(FILE)].map(([, file = ""]) => file);
  // {name} stands for whatever it is.
  const isThere = (file: string) => globSync(file.replace(/\{\w+\}/g, "*")).length > 0;
  expect(files.filter((file) => !isThere(file))).toEqual([]);
});

const operations = read("docs/operations.md");
const rowsOf = (section: string) => {
  const [, rest = ""] = operations.split(`\n## ${section}\n`);
  return [...(rest.split("\n## ")[0] ?? "").matchAll(/^\| (`[^|]+) \|/gm)].map(([, first = ""]) => first);
};
const inQuotes = (text: string) => [...text.matchAll(/`([\w-]+)`/g)].map(([, name = ""]) => name);

it("docs/operations.md explains each setting, and no other", () => {
  const settings = ["config", "payment-config", "picture-config"].flatMap((name) =>
    [...read(`server/${name}.ts`).matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, setting]) => setting),
  );
  expect(settings.length).toBeGreaterThan(10);
  expect(rowsOf("Environment").flatMap(inQuotes).toSorted()).toEqual(settings.toSorted());
});

it("docs/operations.md lists each event of the security log", () => {
  const logged = globSync("{app,shop,server}/**/*.{ts,tsx}").flatMap((file) =>
    [...read(file).matchAll(/\b(?:securityEvent|repeatedEvent)\(\s*"([a-z-]+)"/g)].map(([, name = ""]) => name),
  );
  expect(logged.length).toBeGreaterThan(20);
  const listed = new Set(rowsOf("Health and stopping").flatMap(inQuotes));
  expect(logged.filter((name) => !listed.has(name))).toEqual([]);
});

it("a decision that a file names by its number is there, and each number is used once", () => {
  const numbers = globSync("docs/decisions/*.md").map((file) => /(\d{3})-/.exec(file)?.[1]);
  expect(new Set(numbers).size).toBe(numbers.length);
  const named = globSync([
    "*.md",
    "{app,shop,server,db,tests,bench,scripts,docs,art}/**/*.{ts,tsx,mjs,md,mdx,sql}",
  ]).flatMap((file) => [...read(file).matchAll(/\bdecisions?[ /](\d{3})\b/g)].map(([, number]) => ({ file, number })));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ number }) => !numbers.includes(number))).toEqual([]);
});

it("docs/operations.md lists each act on an order, where it may be done, what it writes and mails", () => {
  const rows = rowsOf("Orders").map((first) => /^`([a-z-]+)/.exec(first)?.[1]);
  expect(rows).toEqual(["list", ...Object.keys(acts)]);
  for (const [name, { events }] of Object.entries<Act>(acts)) {
    const row = operations.split("\n").find((line) => line.startsWith(`| \`${name}`)) ?? "";
    const [, , statuses = "", written = "", mailed = ""] = row.split("|");
    expect(inQuotes(written), name).toEqual(events);
    const before = new Set(events.filter((event) => event !== "capture-failed").flatMap(statusesBefore));
    if (before.size === 0 || before.size === ORDER_STATUSES.length) expect(statuses, name).toContain("any");
    else expect(new Set(statuses.match(new RegExp(ORDER_STATUSES.join("|"), "g"))), name).toEqual(before);
    for (const template of inQuotes(mailed)) expect(Object.keys(emails), name).toContain(template);
  }
});

it("docs/payment-sandbox.md lists what the sandbox is believed to do as Stripe does, and nothing else", () => {
  const believed = globSync("tests/payment-contract/*.test.ts").flatMap((file) =>
    [...read(file).matchAll(/\bbelieved(?:\.each\((?:[^()]|\([^()]*\))*\))?\(\s*(["`])(.+?)\1/g)].map(
      ([, , name = ""]) => name,
    ),
  );
  expect(believed.length).toBeGreaterThan(30);
  const [, section = ""] = read("docs/payment-sandbox.md").split("\n## Believed, not checked against Stripe\n");
  const listed = [...section.matchAll(/^- (.+)$/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(believed.toSorted());
});
