/** Many visitors in the same moment, each on a connection of their own. */
import { request } from "node:http";
import { expect, it } from "vitest";
import { useShop } from "../support/use-shop.ts";

const VISITORS = 1_200;
const { shop, database } = useShop();

type Answer = { status: number; retryAfter: string | undefined };

function add(productId: string): Promise<Answer> {
  const headers = { Origin: shop.url, Accept: "text/html", "Content-Type": "application/x-www-form-urlencoded" };
  return new Promise((done, failed) => {
    const sent = request(`${shop.url}/cart/add`, { method: "POST", agent: false, headers }, (response) => {
      response.resume();
      const { statusCode = 0, headers } = response;
      response.on("end", () => done({ status: statusCode, retryAfter: headers["retry-after"] }));
    });
    sent.on("error", failed);
    sent.end(new URLSearchParams({ productId, quantity: "1" }).toString());
  });
}

it("1,200 at once are each answered: done, or told to come back", async () => {
  const { rows } = await database.pool.query<{ id: string }>("SELECT id FROM products WHERE slug = 'travel-sleeve'");
  const answers = await Promise.all(Array.from({ length: VISITORS }, () => add(rows[0]?.id ?? "")));
  const done = answers.filter(({ status }) => status === 303);
  const refused = answers.filter(({ status }) => status === 503);
  expect(done.length + refused.length).toBe(VISITORS);
  expect(done.length).toBeGreaterThan(0);
  for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeGreaterThan(0);
  expect((await database.pool.query("SELECT FROM cart_items")).rowCount).toBe(done.length);
});
