/** Launch day: more visitors at once than the shop admits. */
import { request } from "node:http";
import { expect, it } from "vitest";
import { useShop } from "../support/use-shop.ts";

const { shop, database } = useShop();

const VISITORS = 1_200;
/** Answers to visitors over the concurrency limit, and to those who wait too long for the database. */
const REFUSED = "503 5";
const TOO_LATE = "303 /cart?problem=add";
const DONE = "303 /cart?problem=cookies";

/** The answer to a visitor on a connection of their own: a redirect, or the seconds to wait. */
function add(productId: string): Promise<string> {
  const headers = { Origin: shop.url, Accept: "text/html", "Content-Type": "application/x-www-form-urlencoded" };
  return new Promise((done) => {
    const sent = request(`${shop.url}/cart/add`, { method: "POST", agent: false, headers }, (response) => {
      response.resume();
      const { statusCode, headers } = response;
      response.on("end", () => done(`${statusCode} ${headers.location ?? headers["retry-after"]}`));
    });
    sent.on("error", ({ message }) => done(message));
    sent.end(new URLSearchParams({ productId, quantity: "1" }).toString());
  });
}

it(`${VISITORS} concurrent visitors each get an answer: added, or refused`, async () => {
  const { rows } = await database.pool.query<{ id: string }>("SELECT id FROM products WHERE slug = 'travel-sleeve'");
  const answers = await Promise.all(Array.from({ length: VISITORS }, () => add(rows[0]?.id ?? "")));
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  const { rowCount: kept } = await database.pool.query("SELECT FROM cart_items");
  const { [DONE]: done = 0, [TOO_LATE]: late = 0 } = counts;
  expect(Object.keys(counts).filter((answer) => ![DONE, TOO_LATE, REFUSED].includes(answer))).toEqual([]);
  expect(done, JSON.stringify(counts)).toBeGreaterThan(0);
  // Visitors who waited too long may find it in the cart all the same.
  expect(kept).toBeGreaterThanOrEqual(done);
  expect(kept).toBeLessThanOrEqual(done + late);
});
