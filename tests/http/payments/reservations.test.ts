/** Reservations without payment are limited by network; buyers who pay are not, and staff see who was refused. */
import { expect, it } from "vitest";
import { makeStaff } from "../../support/staff-member.ts";
import { Caller, newAddress } from "../../support/visitor.ts";
import { usePayingShop } from "../../support/paying-shop.ts";
import { payOnPage } from "../../support/pay-page.ts";
import { setUnits, unitsOf } from "../../support/stock.ts";
import { AUTH_SECRET } from "../../support/use-shop.ts";

const { shop, database, query, until, sandbox } = usePayingShop({
  RATE_LIMIT_SCALE: "1",
  TRUST_PROXY: "loopback",
  AUTH_SECRET,
});
const SLUG = "travel-sleeve";

async function tryToReserve(from: string) {
  const guest = new Caller(shop.url, from);
  await guest.add(SLUG);
  const email = `${crypto.randomUUID()}@example.com`;
  const answer = await guest.checkout({ email });
  return { email, status: answer.status, url: answer.headers.get("Location"), html: await answer.text() };
}

async function pay({ email, url }: Awaited<ReturnType<typeof tryToReserve>>) {
  await payOnPage(url ?? "");
  const [order] = await query<{ id: string }>("SELECT id FROM orders WHERE email = $1", [email]);
  await until(order?.id ?? "", "processing");
}

it("one address that does not pay reserves a part of the stock, a payment makes room, and staff see the refusals", async () => {
  await setUnits(database.pool, SLUG, 30);
  const from = newAddress();
  const answers = [];
  for (let i = 0; i < 20; i++) answers.push(await tryToReserve(from));
  const placed = answers.filter(({ status }) => status === 303);
  const refused = answers.filter(({ status }) => status === 429);
  expect([placed.length, refused.length]).toEqual([10, 10]);
  for (const { html } of refused) expect(html).toContain("Lower the quantity and order the rest once you’ve paid");
  expect(await unitsOf(database.pool, SLUG)).toBe(20);
  expect((await tryToReserve(newAddress())).status).toBe(303);
  await pay(placed[0]!);
  await expect.poll(async () => (await tryToReserve(from)).status).toBe(303);
  expect((await sandbox.books()).captured).toBe(0);
  const owner = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "owner");
  await expect
    .poll(async () => (await owner.visitor.fetch("/admin")).text(), { timeout: 15_000 })
    .toMatch(/Orders refused by limits.*1\d orders refused/s);
});
