/** Many concurrent visitors, each on a connection of their own. */
import { request } from "node:http";
import { expect, it } from "vitest";
import { useShop } from "../support/use-shop.ts";

const VISITORS = 1_200;
const { shop, database } = useShop();

/** The answer: a redirect, or the seconds to wait. */
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

const DONE = "303 /cart";
/** The concurrency limit, or a timeout while waiting for a connection. */
const NOT_DONE = ["503 5", "303 /cart?problem=add"];

it("1,200 concurrent visitors each get an answer: added, or refused", async () => {
  const { rows } = await database.pool.query<{ id: string }>("SELECT id FROM products WHERE slug = 'travel-sleeve'");
  const answers = await Promise.all(Array.from({ length: VISITORS }, () => add(rows[0]?.id ?? "")));
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  const { rowCount: kept } = await database.pool.query("SELECT FROM cart_items");
  const { [DONE]: done = 0 } = counts;
  const others = Object.keys(counts).filter((answer) => answer !== DONE && !NOT_DONE.includes(answer));
  expect({ others, kept, isSome: done > 0 }, JSON.stringify(counts)).toEqual({ others: [], kept: done, isSome: true });
});
