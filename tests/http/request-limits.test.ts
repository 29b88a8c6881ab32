/** Limits of requests, on a shop with a twentieth of them: 12 pages, 15 forms and 60 personal or live requests a minute. */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { openRateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { STAFF_COOKIE } from "../support/staff-member.ts";
import { AUTH_SECRET, useShop } from "../support/use-shop.ts";
import { Caller, Visitor } from "../support/visitor.ts";

const { shop, database, staff } = useShop({ RATE_LIMIT_SCALE: "0.05", TRUST_PROXY: "loopback" });
const [PAGES, WRITES, PERSONAL] = [12, 15, 60];

const from = (address: string) => ({ headers: { "X-Forwarded-For": address, Accept: "text/html" } });

it.each([
  ["pages that do not exist", (i: number) => `/no/such/page/${i}`],
  ["products that do not exist", (i: number) => `/product/no-such-bowl-${i}`],
  ["filters", (i: number) => `/shop?minPrice=${(i % 25) * 10}&maxPrice=${260 + Math.floor(i / 25) * 10}`],
  ["searches", (i: number) => `/search?q=bowl${i}`],
  ["suggestions", (i: number) => `/search.json?q=bowl${i}`],
  ["the catalog's API", (i: number) => `/api/products?minPrice=${(i % 25) * 10}&maxPrice=${260 + i}`],
  ["Markdown pages that do not exist", (i: number) => `/product/no-such-bowl-${i}.md`],
])("one network may have few pages rendered, and is told the wait: %s", async (name, path) => {
  const network = `2001:db8:${createHash("sha256").update(name).digest("hex").slice(0, 4)}:1`;
  const ask = (i: number) => fetch(shop.url + path(i), from(`${network}::${(i + 1).toString(16)}`));
  let refused = await ask(0);
  for (let i = 1; i < 2 * PAGES && refused.status !== 429; i++) refused = await ask(i);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  expect(Number(refused.headers.get("Retry-After"))).toBeLessThanOrEqual(60);
  expect(refused.headers.get("Cache-Control")).toContain("no-store");
  expect(await refused.text()).toMatch(/Wait \d+ seconds?, then try again\./);
  // Cached pages still answer, as do other networks.
  expect((await fetch(`${shop.url}/shop`, from("192.0.2.1"))).status).toBe(200);
  expect((await fetch(`${shop.url}/shop`, from(`${network}::1`))).status).toBe(200);
  expect((await fetch(shop.url + path(999), from("192.0.2.1"))).status).not.toBe(429);
  expect((await fetch(`${shop.url}/cart`, from(`${network}::1`))).status).toBe(200);
});

it("a household may have personal pages, but not without end", async () => {
  const answers = await Promise.all(
    Array.from({ length: PERSONAL + 10 }, () => fetch(`${shop.url}/personal.data`, from("198.51.100.7"))),
  );
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(PERSONAL / 2);
  expect(answers.some(({ status }) => status === 429)).toBe(true);
});

it.each([
  ["one address", "203.0.113.5", () => "203.0.113.5", "203.0.113.6"],
  ["one IPv6 line", "2001:db8:7:7::/64", (i: number) => `2001:db8:7:7::${i.toString(16)}`, "2001:db8:7:8::1"],
])("what other processes let through counts here: forms of %s", async (_what, subject, address, other) => {
  const elsewhere = openRateLimits(database.db, { scale: 1, secret: AUTH_SECRET });
  await elsewhere.consume([{ name: "writes", subject, points: WRITES, seconds: 60, cost: WRITES }]);
  const write = (at: string) => new Caller(shop.url, at).post("/cart/clear", {});
  let last = await write(address(0));
  for (let i = 1; i < WRITES - 2; i++) last = await write(address(i));
  expect([last.status, await last.text()]).toEqual([429, "That was a lot at once. Wait a minute, then try again."]);
  expect(Number(last.headers.get("Retry-After"))).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 60);
  expect((await write(other)).status).toBe(303);
  expect((await fetch(`${shop.url}/shop`, from(address(0)))).status).toBe(200);
});

/** The statuses of so many requests, each once. */
async function statuses(who: Visitor, path: string, times: number): Promise<number[]> {
  const seen = new Set<number>();
  for (let i = 0; i < times; i++) seen.add((await who.fetch(path)).status);
  return [...seen];
}

it("members have limits of their own, whoever shares their network; forged cookies do not", async () => {
  const [packer, owner] = [await staff("packer"), await staff("owner")];
  const [guest, forger] = [new Visitor(shop.url), new Visitor(shop.url)];
  expect(await statuses(guest, "/admin/orders", PAGES)).toEqual([404]);
  expect(await statuses(guest, "/admin/orders", 1)).toEqual([429]);
  expect(await statuses(packer.visitor, "/admin/orders", PAGES)).toEqual([200]);
  expect(await statuses(packer.visitor, "/admin/orders", 1)).toEqual([429]);
  expect(await statuses(owner.visitor, "/admin/orders", 1)).toEqual([200]);
  forger.carry(
    STAFF_COOKIE,
    owner.cookie.replace(/.$/, (last) => (last === "A" ? "E" : "A")),
  );
  expect(await statuses(forger, "/admin/orders", 1)).toEqual([429]);
});

it("requests for live updates are counted before the database is asked", async () => {
  const { visitor, sessionId } = await staff("packer");
  await database.pool.query("UPDATE staff_sessions SET ended_at = now(), end_reason = 'owner' WHERE id = $1", [
    sessionId,
  ]);
  for (let i = 0; i < 12; i++) expect(await (await visitor.fetch("/admin/live")).text()).toBe("retry: 20000\n\n");
  // The ended session is not seen anymore.
  for (let i = 12; i < PERSONAL; i++) await visitor.fetch("/admin/live");
  const limited = await visitor.fetch("/admin/live");
  expect([limited.status, limited.headers.get("Content-Type"), await limited.text()]).toEqual([
    200,
    "text/event-stream",
    "retry: 60000\n\n",
  ]);
});
