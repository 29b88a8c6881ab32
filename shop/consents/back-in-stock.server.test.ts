import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { emailShop } from "#tests/support/outbox.ts";
import { someEmail } from "#tests/support/people.ts";
import { setUnits } from "#tests/support/stock.ts";
import { emails } from "#shop/emails.server.ts";
import { openRateLimits, type RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { askForStock, countWaiting, findAsked, sendBackInStock } from "./back-in-stock.server.ts";
import { consents } from "./consent.tables.ts";
import { withdrawConsent } from "./consents.server.ts";

const shop = useFreshDatabase();
const SLUG = "travel-sleeve";
let rateLimits: RateLimits;
let made = 0;

beforeAll(() => {
  rateLimits = openRateLimits(shop.db, { scale: 1, secret: emailShop.secret });
});
beforeEach(async () => {
  await shop.db.delete(consents);
  await shop.pool.query("DELETE FROM pgboss.job");
  await shop.pool.query("UPDATE products SET waitlist_only_until = NULL, retired_at = NULL, is_available = true");
  await shop.pool.query("UPDATE stock SET inventory_count = 0");
});

const ask = (email: string, slug = SLUG, network = `192.0.2.${made++}`) =>
  askForStock(shop.db, rateLimits, { email, slug }, network);
/** So many people who ask, in this order. */
async function people(count: number, slug = SLUG): Promise<string[]> {
  const all = Array.from({ length: count }, () => someEmail());
  for (const email of all) expect(await ask(email, slug)).toEqual({ ok: true });
  return all;
}
const queued = async () =>
  (
    await shop.pool.query<{ email: string; priority: number; id: string }>(
      `SELECT c.email, j.priority, c.id FROM pgboss.job j JOIN consents c ON c.id = (j.data->>'consentId')::uuid
       ORDER BY c.created_at, c.id`,
    )
  ).rows;
const told = async () => (await queued()).map(({ email }) => email);
const aDayLater = () => shop.pool.query("UPDATE consents SET told_at = told_at - interval '25 hours'");

describe("asking", () => {
  it("is noted once, and refused for what can be bought or is no longer sold", async () => {
    const email = someEmail();
    expect([await ask(email), await ask(email.toUpperCase())]).toEqual([{ ok: true }, { ok: true }]);
    const { id } = (await findAsked(shop.db, SLUG))!;
    expect(await countWaiting(shop.db, id)).toBe(1);
    await setUnits(shop.pool, SLUG, 1);
    expect(await ask(email)).toEqual({ ok: false, reason: "buyable" });
    await shop.pool.query("UPDATE products SET waitlist_only_until = now() + interval '1 day'");
    expect(await ask(email)).toEqual({ ok: true });
    await shop.pool.query("UPDATE products SET retired_at = now(), is_available = false WHERE slug = $1", [SLUG]);
    expect(await ask(email)).toEqual({ ok: false, reason: "gone" });
  });

  it("is limited by network and by inbox", async () => {
    const answers = [];
    for (let i = 0; i < 31; i++) answers.push(await ask(someEmail(), SLUG, "203.0.113.1"));
    expect(answers.map(({ ok }) => ok)).toEqual([...Array<boolean>(30).fill(true), false]);
    const inbox = someEmail();
    for (let i = 0; i < 20; i++) await ask(inbox.replace("@", `+${i}@`));
    expect(await ask(inbox)).toMatchObject({ ok: false, reason: "limited" });
  });
});

describe("sending", () => {
  it("tells three for each unit in the order of asking, once, and the next after a day", async () => {
    const all = await people(5);
    expect(await sendBackInStock(shop.db)).toBe(0);
    await setUnits(shop.pool, SLUG, 1);
    expect(await Promise.all([sendBackInStock(shop.db), sendBackInStock(shop.db)])).toContain(3);
    expect(await sendBackInStock(shop.db)).toBe(0);
    expect(await told()).toEqual(all.slice(0, 3));
    await aDayLater();
    expect(await sendBackInStock(shop.db)).toBe(2);
    expect(await told()).toEqual(all);
    expect(await ask(all[0]!)).toEqual({ ok: false, reason: "buyable" });
  });

  it("gives each product its own places, and skips whoever has withdrawn", async () => {
    const [sleeves, docks] = [await people(4), await people(4, "charging-dock")];
    await withdrawConsent(shop.db, sleeves[0]!, "back-in-stock");
    await setUnits(shop.pool, SLUG, 1);
    await setUnits(shop.pool, "charging-dock", 2);
    expect(await sendBackInStock(shop.db)).toBe(7);
    expect((await told()).toSorted()).toEqual([...sleeves.slice(1), ...docks].toSorted());
  });

  it("tells three for each unit at once when thousands wait", async () => {
    await shop.pool.query(
      `INSERT INTO consents (email, kind, product_id, words, page, created_at)
       SELECT 'waiting' || n || '@example.com', 'back-in-stock', id, 'w', '/', now() - n * interval '1 second'
       FROM products, generate_series(1, 4000) AS n WHERE slug = $1`,
      [SLUG],
    );
    await setUnits(shop.pool, SLUG, 2);
    const begun = Date.now();
    expect(await sendBackInStock(shop.db)).toBe(6);
    expect(Date.now() - begun).toBeLessThan(2_000);
    expect(await told()).toEqual([4000, 3999, 3998, 3997, 3996, 3995].map((n) => `waiting${n}@example.com`));
    await setUnits(shop.pool, SLUG, 500);
    expect(await sendBackInStock(shop.db)).toBe(300);
  });

  it("waits while a product is hidden or for the waitlist first", async () => {
    await people(1);
    await setUnits(shop.pool, SLUG, 1);
    for (const [column, value] of [
      ["is_available", "false"],
      ["waitlist_only_until", "now() + interval '1 day'"],
    ]) {
      await shop.pool.query(`UPDATE products SET ${column} = ${value}`);
      expect(await sendBackInStock(shop.db), column).toBe(0);
      await shop.pool.query("UPDATE products SET waitlist_only_until = NULL, is_available = true");
    }
    expect(await sendBackInStock(shop.db)).toBe(1);
  });

  it("queues behind all other emails, and writes nothing to whoever withdraws in between", async () => {
    const [first, second] = await people(2);
    await setUnits(shop.pool, SLUG, 1);
    await sendBackInStock(shop.db);
    const [one, other] = await queued();
    expect([one?.priority, other?.priority]).toEqual([-1, -1]);
    const write = (consentId = "") => emails["back-in-stock"].write(shop.db, { consentId }, emailShop);
    const email = await write(one?.id);
    expect(email).toMatchObject({ to: first, subject: expect.stringContaining("Travel Sleeve is available") });
    expect(email?.headers).toMatchObject({ "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" });
    await withdrawConsent(shop.db, second!, "back-in-stock");
    expect(await write(other?.id)).toBeNull();
  });

  it("waits for the next units if the product has sold out before the email is written", async () => {
    const [first, second] = await people(2);
    await setUnits(shop.pool, SLUG, 1);
    expect(await sendBackInStock(shop.db)).toBe(2);
    await setUnits(shop.pool, SLUG, 0);
    expect(await ask(second!)).toEqual({ ok: true });
    for (const { id: consentId } of await queued())
      expect(await emails["back-in-stock"].write(shop.db, { consentId }, emailShop)).toBeNull();
    await shop.pool.query("DELETE FROM pgboss.job");
    await setUnits(shop.pool, SLUG, 1);
    expect(await sendBackInStock(shop.db)).toBe(2);
    expect(await told()).toEqual([first, second]);
  });
});
