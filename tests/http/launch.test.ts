/** Launch day: more visitors at once than the shop admits, and far more buyers than units while others read and add to carts. */
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { expect, it } from "vitest";
import { getCart } from "#shop/cart/cart.server.ts";
import { formatExpectedLines } from "#shop/checkout/expected-lines.ts";
import { guestCookie } from "../support/actors.ts";
import { setUnits, unitsOf } from "../support/stock.ts";
import { useShop } from "../support/use-shop.ts";
import { address } from "../support/visitor.ts";

const SLUG = "polara-classic-frost-white";
const UNITS = 50;
/** BUYERS=500 is a launch; fewer ask the same. */
const BUYERS = Number(process.env.BUYERS ?? 250);
/** A fifth of the shop's concurrency limit (server/router.ts), so that a busy machine refuses nobody. */
const AT_ONCE = 200;
const READERS = 4;
const ADDERS = 4;
const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, database } = useShop({ AUTH_SECRET });

type Answer = { status: number; text: string };

/** Posts as the page's script does; reads the page without fields. */
function send(path: string, fields?: Record<string, string>, guestId = "", agent?: Agent): Promise<Answer> {
  const headers = {
    Origin: shop.url,
    "Content-Type": "application/x-www-form-urlencoded",
    ...(guestId && { Cookie: `polara_guest=${guestCookie(guestId, AUTH_SECRET)}` }),
  };
  return new Promise((done, failed) => {
    const options = fields ? { method: "POST", headers, agent: agent ?? false } : { agent: agent ?? false };
    const sent = request(shop.url + path + (fields ? ".data" : ""), options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => done({ status: response.statusCode ?? 0, text }));
    });
    sent.on("error", failed);
    sent.end(fields && new URLSearchParams(fields).toString());
  });
}

/** Repeats a request on one connection until stopped. */
function repeat(once: (agent: Agent) => Promise<Answer>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: Answer[] = [];
  let isOn = true;
  const ended = (async () => {
    while (isOn) answers.push(await once(agent));
    agent.destroy();
  })();
  return {
    async stop() {
      isOn = false;
      await ended;
      return answers;
    },
  };
}

const count = async (what: string) => (await database.pool.query<{ n: number }>(`SELECT ${what} AS n`)).rows[0]?.n;
const tally = (answers: Answer[]) => Object.groupBy(answers, ({ status }) => status);

const VISITORS = 1_200;
/** Answers to visitors over the concurrency limit, and to those who wait too long for the database. */
const REFUSED = "503 5";
const TOO_LATE = "303 /cart?problem=add";
const DONE = "303 /cart";

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

it(`${BUYERS} buyers of ${UNITS} units: ${UNITS} orders and clear refusals`, async () => {
  await setUnits(database.pool, SLUG, UNITS);
  const guests = Array.from({ length: BUYERS }, () => randomUUID());
  const { rows } = await database.pool.query<{ id: string }>("SELECT id FROM products WHERE slug = $1", [SLUG]);
  const productId = rows[0]?.id ?? "";
  await database.pool.query(
    "INSERT INTO cart_items (session_id, product_id, quantity) SELECT unnest($1::uuid[]), $2, 1",
    [guests, productId],
  );
  const seen = formatExpectedLines((await getCart(database.db, { guestId: guests[0] ?? "" })).lines);
  await send(`/product/${SLUG}`);

  const readers = Array.from({ length: READERS }, () =>
    repeat((agent) => send(`/product/${SLUG}`, undefined, "", agent)),
  );
  const adders = Array.from({ length: ADDERS }, () =>
    repeat((agent) => send("/cart/add", { productId, quantity: "1" }, randomUUID(), agent)),
  );
  let next = 0;
  const bought: Answer[] = [];
  const lane = async () => {
    for (let guest = guests[next++]; guest; guest = guests[next++]) {
      const fields = { ...address, email: `${guest}@example.com`, checkoutKey: randomUUID(), seen };
      let answer = await send("/checkout", fields, guest);
      // A shop that is too busy asks to press again.
      while (answer.status === 503) answer = await send("/checkout", fields, guest);
      bought.push(answer);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const read = (await Promise.all(readers.map(({ stop }) => stop()))).flat();
  const added = (await Promise.all(adders.map(({ stop }) => stop()))).flat();

  const { 200: placed = [], 409: refused = [] } = tally(bought);
  expect(placed).toHaveLength(UNITS);
  expect(refused).toHaveLength(BUYERS - UNITS);
  for (const { text } of refused) expect(text).toContain("Out of stock. Remove it to check out.");
  expect(Object.keys(tally(read))).toEqual(["200"]);
  expect(Object.keys(tally(added)).filter((status) => !["200", "409", "503"].includes(status))).toEqual([]);
  expect(await unitsOf(database.pool, SLUG)).toBe(0);
  expect(await count("(SELECT count(*)::int FROM orders)")).toBe(UNITS);
  expect(await count("(SELECT sum(quantity)::int FROM order_items)")).toBe(UNITS);
  // Connections report their statistics when they end, at the latest.
  await shop.stop();
  expect(await count("(SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database())")).toBe(0);
});
