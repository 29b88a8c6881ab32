/** What stands in the log when everything fails: what went wrong and where, and nothing that a person typed. */
import { randomUUID } from "node:crypto";
import { inject, describe, expect, it } from "vitest";
import { makeActor } from "../../support/actors.ts";
import { administer } from "../../support/database.setup.ts";
import { pages as siteMap } from "../../support/site-map.ts";
import { useShop } from "../../support/use-shop.ts";
import { address, Visitor } from "../../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, database } = useShop({ AUTH_SECRET, SMTP_URL: "smtp://127.0.0.1:9" });

/** In everything that is typed here; whatever case or encoding it is written in, it is found again. */
const TELLTALE = "Telltale";
const EMAIL = `${TELLTALE}@example.com`;
const PASSWORD = `${TELLTALE} passphrase`;
const NUL = "\0";

const forms: Record<string, Record<string, string>> = {
  "/checkout": {
    ...address,
    email: EMAIL,
    phone: `+1 212 555 0100`,
    shippingFirstName: `${TELLTALE}First`,
    shippingLastName: `${TELLTALE}Last`,
    shippingAddressLine1: `${TELLTALE} Street 1`,
    shippingAddressLine2: `${TELLTALE} Floor`,
    shippingCity: `${TELLTALE} City`,
    checkoutKey: randomUUID(),
  },
  "/support": { name: `${TELLTALE} Name`, email: EMAIL, message: `${TELLTALE} wrote a message that is long enough.` },
  "/waitlist/join": { email: EMAIL, phone: "+1 212 555 0100", utm_source: TELLTALE, utm_campaign: TELLTALE },
  "/auth": { intent: "sign-in", email: EMAIL, password: PASSWORD },
  "/auth?tab=sign-up": {
    intent: "sign-up",
    firstName: TELLTALE,
    lastName: TELLTALE,
    email: EMAIL,
    password: PASSWORD,
    confirmPassword: PASSWORD,
    terms: "on",
  },
  "/auth/two-factor": { code: "123456" },
  "/admin/sign-in": { email: EMAIL, password: PASSWORD, code: "123456" },
  [`/auth/verify?token=${TELLTALE}`]: { password: PASSWORD },
  "/reset-password": { email: EMAIL },
  "/orders/find": { number: "8f3a61c2", email: EMAIL },
  [`/reset-password?token=${TELLTALE}`]: { password: PASSWORD, confirmPassword: PASSWORD },
  "/cart/add": { productId: randomUUID(), quantity: "1" },
  "/account": { intent: "profile", firstName: TELLTALE, lastName: TELLTALE, phone: "+1 212 555 0100" },
  "/account/download": { password: PASSWORD },
};

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

/** Forms in which nothing is typed. */
const WITHOUT_WORDS = [
  "/personal",
  "/cart/update",
  "/cart/remove",
  "/cart/clear",
  "/wishlist/add",
  "/wishlist/remove",
  "/wishlist/join",
  "/admin/join",
  "/orders/claim",
  "/orders/:orderId",
  "/auth/resend",
  "/auth/sign-out",
];

/** Sends everything, as a guest and as a customer. */
async function sendAll(change: (value: string) => string = (value) => value): Promise<void> {
  const customer = await customers;
  for (const who of [new Visitor(shop.url), customer.visitor]) {
    who.carry("telltale", TELLTALE);
    for (const page of pages) await (await who.fetch(page)).text();
    for (const [path, fields] of Object.entries(forms)) {
      await who.post(path, fields);
      for (const name of Object.keys(fields)) await who.post(path, { ...fields, [name]: change(fields[name] ?? "") });
    }
  }
}

let customers: ReturnType<typeof makeActor>;

/** What stands in the log once a request of now does. */
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
  const { name, email } = await customers;
  expect(output.includes(name)).toBe(false);
  expect(output.includes(email)).toBe(false);
  return output;
}

describe("the log", () => {
  it("is asked about after every form in which something is typed", () => {
    const asked = Object.keys(forms).map((path) => path.replace(/\?.*/, ""));
    const all = siteMap.filter(({ hasAction }) => hasAction).map(({ path }) => path);
    expect([...new Set([...asked, ...WITHOUT_WORDS])].toSorted()).toEqual(all.toSorted());
  });

  it("is JSON lines, each of a request with an id and a path without its query", async () => {
    customers = makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
    await customers;
    await fetch(`${shop.url}/shop?utm_source=${TELLTALE}`);
    const lines = (await logged()).split("\n").filter((line) => line.includes('"method":'));
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({ request: expect.stringMatching(/^[\da-f-]{13}$/) });
    expect(lines.map((line) => (JSON.parse(line) as { path: string }).path)).toContain("/shop");
    expect(new Set(lines.map((line) => (JSON.parse(line) as { request: string }).request)).size).toBe(lines.length);
  });

  it("holds nothing typed while all is well", async () => {
    await sendAll();
    await expectNothingTyped();
  });

  it("holds nothing typed where NUL, line ends and quotes are sent in every field", async () => {
    await sendAll((value) => `${value}${NUL}`);
    await sendAll((value) => `${NUL}"${value}"\r\n    at ${TELLTALE} (file:///x.ts:1:1)`);
    await expectNothingTyped();
  });

  it("holds nothing typed where tables are broken, and says what went wrong", async () => {
    const tables = [
      "orders",
      "contact_messages",
      "waitlist",
      "users",
      "verifications",
      "profiles",
      "carts",
      "cart_items",
    ];
    for (const table of [...tables, "search_documents", "rate_limits"])
      await database.pool.query(`ALTER TABLE IF EXISTS ${table} RENAME TO ${table}_gone`);
    await sendAll();
    for (const table of [...tables, "search_documents", "rate_limits"])
      await database.pool.query(`ALTER TABLE IF EXISTS ${table}_gone RENAME TO ${table}`);
    const output = await expectNothingTyped();
    expect(output).toContain("42P01");
    expect(output).toContain("Failed query");
    expect(output).toContain("$1");
  });

  it("holds nothing typed while the database is down, and an answer names the lines of its request", async () => {
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

  it("is nothing but JSON lines, after those that say where the shop is", async () => {
    const opening = /^ {2}(?:Polara is open|Mail it sends|Become its owner|Data): /;
    const whole = (await logged()).split("\n").slice(0, -1);
    const others = whole.filter((line) => line !== "" && !opening.test(line));
    expect(others).not.toEqual([]);
    for (const line of others) expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) });
  });

  it("tells of a form that another site sent, and from which address it came", async () => {
    await new Visitor(shop.url).post("/cart/clear", {}, { Origin: "https://evil.example" });
    const line = (await logged()).split("\n").find((each) => each.includes("form-of-another-site")) ?? "{}";
    const event = JSON.parse(line) as Record<string, string>;
    expect(event).toMatchObject({ path: "/cart/clear", address: expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/) });
  });
});
