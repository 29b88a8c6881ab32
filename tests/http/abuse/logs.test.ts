/** The log has causes and places, and nothing that was typed, also under failures. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { Actor } from "../../support/actors.ts";
import { administer } from "../../support/database.setup.ts";
import { formsOf } from "../../support/forms.ts";
import { pages as siteMap } from "../../support/site-map.ts";
import { useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const { shop, database, actor } = useShop({ SMTP_URL: "smtp://127.0.0.1:9" });

/** Part of everything typed here. */
const TELLTALE = "Telltale";
const EMAIL = `${TELLTALE}@example.com`;
const PASSWORD = `${TELLTALE} passphrase`;

const forms = formsOf({ word: TELLTALE, email: EMAIL, password: PASSWORD });

const pages = [
  `/search?q=${TELLTALE}`,
  `/search.json?q=${TELLTALE}`,
  `/shop?utm_source=${TELLTALE}`,
  `/auth/verify?token=${TELLTALE}`,
  `/reset-password?token=${TELLTALE}`,
  `/orders/${randomUUID()}?k=${TELLTALE}`,
  `/product/${EMAIL}`,
  `/product/${encodeURIComponent(EMAIL)}.md`,
  `/api/products/${EMAIL}`,
  `/none/${encodeURIComponent(encodeURIComponent(EMAIL))}?x=${TELLTALE}`,
  `/api/auth/callback/google?code=${TELLTALE}&state=${TELLTALE}`,
  "/cart",
  "/checkout",
  "/account",
  "/personal",
];

const INSIDES = /relation "|SELECT |DELETE FROM|postgres|node_modules|\.ts:\d|at async/;

/** Sends everything, as a guest and as a customer. What is sent unchanged is answered without the shop's insides. */
async function sendAll(change?: (value: string) => string): Promise<void> {
  const sendBy = async (who: Visitor) => {
    who.carry("telltale", TELLTALE);
    for (const page of pages) {
      const answer = await who.fetch(page);
      expect(await answer.text(), page).not.toMatch(INSIDES);
    }
    for (const { path, fields } of forms) {
      const filled = Object.entries(fields);
      if (filled.length > 0) expect(await (await who.post(path, fields)).text(), path).not.toMatch(INSIDES);
      if (!change) continue;
      // The customer spoils each field alone, the guest all of them.
      const names = filled.map(([name]) => [name]);
      for (const spoiled of who === customer.visitor ? names : [names.flat()])
        await who.post(path, {
          ...fields,
          ...Object.fromEntries(spoiled.map((name) => [name, change(fields[name]!)])),
        });
    }
  };
  await Promise.all([new Visitor(shop.url), customer.visitor].map(sendBy));
}

let customer: Actor;
beforeAll(async () => {
  customer = await actor("customer");
});

/** Log lines of one request. */
async function logged(): Promise<string> {
  const mark = `/none/${randomUUID()}`;
  await fetch(shop.url + mark);
  await expect.poll(() => shop.output()).toContain(mark);
  return shop.output();
}

async function expectNothingTyped(): Promise<string> {
  const output = await logged();
  const betraying = output.split("\n").filter((line) => new RegExp(`${TELLTALE}|555 ?0100`, "i").test(line));
  expect(betraying.map((line) => line.slice(0, 500))).toEqual([]);
  for (const own of [customer.name, customer.email]) expect(output.includes(own)).toBe(false);
  return output;
}

describe("the log", () => {
  it("is checked after every form of the site map", () => {
    const sent = forms.map(({ path }) => path.replace(/\?.*/, ""));
    const all = siteMap.filter(({ hasAction }) => hasAction).map(({ path }) => path);
    expect([...new Set(sent)].toSorted()).toEqual(all.toSorted());
  });

  it("has a JSON line for each request, with an id, its time in UTC and the path without its query, for any URL", async () => {
    await fetch(`${shop.url}/shop?utm_source=${TELLTALE}`);
    await fetch(`${shop.url}/marked%0a%7b%22level%22:60%7d%1b[31m`);
    const written = (await logged()).split("\n").filter((line) => line.includes('"method":'));
    const lines = written.map((line) => JSON.parse(line) as Record<"request" | "path" | "time", string>);
    for (const { request, time } of lines) {
      expect(request).toMatch(/^[\da-f-]{13}$/);
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    expect(lines).toContainEqual(expect.objectContaining({ path: "/shop" }));
    const marked = lines.filter(({ path }) => path.startsWith("/marked"));
    expect(marked).toMatchObject([{ level: 30, method: "GET", status: 400 }]);
    expect(new Set(lines.map(({ request }) => request)).size).toBe(lines.length);
  });

  it("has nothing typed when NUL, line ends and quotes are in every field", async () => {
    await sendAll((value) => `\0"${value}"\r\n    at ${TELLTALE} (file:///x.ts:1:1)`);
    await expectNothingTyped();
  });

  it("has nothing typed when tables are broken, but the cause", async () => {
    const tables =
      `orders contact_messages waitlist consents users verifications profiles carts cart_items search_documents
      rate_limits`.split(/\s+/);
    const rename = async (from: string, to: string) => {
      for (const table of tables)
        await database.pool.query(`ALTER TABLE IF EXISTS ${table}${from} RENAME TO ${table}${to}`);
    };
    await rename("", "_gone");
    await sendAll();
    await rename("_gone", "");
    const output = await expectNothingTyped();
    expect(output).toContain("42P01");
    expect(output).toContain("Failed query");
    expect(output).toContain("$1");
  });

  it("has nothing typed while the database is down, and an answer names its log lines", async () => {
    const name = new URL(database.url).pathname.slice(1);
    await administer(inject("databaseServer"), `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await administer(
      inject("databaseServer"),
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    let down: Response;
    try {
      await sendAll();
      down = await fetch(`${shop.url}/search?q=${TELLTALE}`);
    } finally {
      await administer(inject("databaseServer"), `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    }
    const output = await expectNothingTyped();
    expect(down.status).toBeGreaterThanOrEqual(500);
    const id = down.headers.get("X-Request-Id") ?? "none";
    const lines = output.split("\n").filter((line) => line.includes(`"request":"${id}"`));
    expect(lines.length).toBeGreaterThanOrEqual(2);
  });

  it("has only JSON lines after those of the start", async () => {
    const opening = /^ {2}(?:Polara is open|Mail it sends|Become its owner|Data): /;
    const whole = (await logged()).split("\n").slice(0, -1);
    const others = whole.filter((line) => line !== "" && !opening.test(line));
    expect(others).not.toEqual([]);
    for (const line of others) expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) });
  });

  it("has forms of other sites, with the address they came from", async () => {
    await new Visitor(shop.url).post("/cart/clear", {}, { Origin: "https://evil.example" });
    const line = (await logged()).split("\n").find((each) => each.includes("form-of-another-site")) ?? "{}";
    const event = JSON.parse(line) as Record<string, string>;
    expect(event).toMatchObject({ path: "/cart/clear", address: expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/) });
  });
});
