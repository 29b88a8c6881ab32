/** Reservations without payment are limited: five per network, one per buyer. */
import { expect, it } from "vitest";
import { Caller, newAddress } from "../../support/visitor.ts";
import { usePayingShop } from "../../support/paying-shop.ts";
import { payOnPage } from "../../support/pay-page.ts";
import { setUnits, unitsOf } from "../../support/stock.ts";

const { shop, database, query, until, sandbox } = usePayingShop({ RATE_LIMIT_SCALE: "1", TRUST_PROXY: "loopback" });
const SLUG = "travel-sleeve";

async function tryToReserve(from: string, i: number) {
  const guest = new Caller(shop.url, from);
  await guest.add(SLUG);
  const email = `hoarder-${from}-${i}@example.com`;
  const answer = await guest.checkout({ email });
  return { email, status: answer.status, url: answer.headers.get("Location"), html: await answer.text() };
}

it("of 50 unpaid orders from one address five are reserved, and a payment makes room", async () => {
  await setUnits(database.pool, SLUG, 100);
  const from = newAddress();
  const answers = [];
  for (let i = 0; i < 50; i++) answers.push(await tryToReserve(from, i));
  const placed = answers.filter(({ status }) => status === 303);
  expect([placed.length, answers.filter(({ status }) => status === 429).length]).toEqual([5, 45]);
  for (const { html } of answers.slice(5)) expect(html).toContain("are waiting for payment. Pay for one of them first");
  expect(await unitsOf(database.pool, SLUG)).toBe(95);
  const points = async () =>
    (
      await query<{ points: number }>(
        "SELECT points FROM rate_limits WHERE key = ANY (SELECT hold_key FROM payments WHERE hold_key IS NOT NULL)",
      )
    )[0]?.points;
  expect(await points()).toBe(5);
  await payOnPage(placed[0]?.url ?? "");
  const [paid] = await query<{ id: string }>("SELECT id FROM orders WHERE email = $1", [placed[0]?.email]);
  await until(paid?.id ?? "", "processing");
  await expect.poll(points).toBe(4);
  expect((await sandbox.books()).captured).toBe(0);
});
