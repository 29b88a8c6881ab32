/**
 * Growth: a shop with 10,000 products and 1,000,000 orders against a small one, and the SQL of back office and jobs.
 */
import { openDatabase } from "#db/connection.server.ts";
import { CATEGORIES } from "#shop/catalog/product.ts";
import { SORTS } from "#shop/catalog/filters.ts";
import { registerRequest } from "#shop/privacy/requests.server.ts";
import { makeActor } from "#tests/support/actors.ts";
import { makeStaff } from "#tests/support/staff-member.ts";
import { backOffice } from "./back-office.ts";
import { fillShop, LARGE, SMALL } from "./large-shop.ts";
import {
  AUTH_SECRET,
  compare,
  freshDatabase,
  get,
  load,
  serveShop,
  type Bench,
  type Load,
  type Step,
} from "./measured.ts";
import { add, order, productsOf } from "./orders.ts";
import { atMost, round, type Row } from "./report.ts";

const TIMES = 1.5;
const AMOUNT = 200;
const CONNECTIONS = 4;

/** Bounds that exclude nothing make distinct URLs. */
const MAX_PRICES = [400, 410, 420, 430, 440, 450, 460, 470, 480, 490];
const lists = (...queries: string[]): Step =>
  get(
    ...queries.flatMap((query) =>
      SORTS.flatMap((sort) => MAX_PRICES.map((max) => `/shop?sort=${sort}&maxPrice=${max}&${query}`)),
    ),
  );
const searches = (...words: string[]): Step =>
  get(...words.map((word) => `/search.json?q=${encodeURIComponent(word)}`));

export async function growth(bench: Bench): Promise<Row[]> {
  const small = await openShop(bench, SMALL);
  const large = await openShop(bench, LARGE);
  const rows: Row[] = [];
  const rate = ({ perSecond }: Load) => `${round(perSecond)} a second`;
  const cpu = ({ cpuMsEach }: Load) => `${round(cpuMsEach, 1)} ms`;
  for (const [what, run] of Object.entries(small.work)) {
    const { one, other, ratio } = await compare(run, large.work[what]!);
    rows.push({
      ...atMost(what, ratio, TIMES, { unit: "times", digits: 2 }),
      figures: {
        small: rate(one),
        large: rate(other),
        "CPU small": cpu(one),
        "CPU large": cpu(other),
        "slower by": `${round(ratio, 2)} times`,
      },
    });
  }
  await small.stop();
  rows.push(...(await large.screens()));
  await large.stop();
  return rows;
}

async function openShop(bench: Bench, size: typeof SMALL) {
  const { url, drop } = await freshDatabase(bench);
  const { db, pool } = openDatabase(url, 2, null);
  const shop = await serveShop({ DATABASE_URL: url, TRUST_PROXY: "loopback" });
  const { visitor, userId } = await makeActor(pool, shop.url, AUTH_SECRET, "customer");
  const addresses = await fillShop(url, size, userId);
  const products = await productsOf(db);
  const run =
    (steps: Step | Step[], headers: Record<string, string> = {}) =>
    (): Promise<Load> =>
      load(shop, { amount: AMOUNT, connections: CONNECTIONS, headers, steps });

  const work: Record<string, () => Promise<Load>> = {
    "a product's page, rendered": run(get(...addresses)),
    "the list, rendered": run(lists("minPrice=0", "minPrice=10", "minPrice=20")),
    "the list's next pages, rendered": run(lists("page=2", "page=3", "page=4", "page=5")),
    "the list of a color and a category, rendered": run(
      lists(
        ...CATEGORIES.flatMap((category) => [
          `color=Frost+White&category=${category}`,
          `color=Earth+Green&category=${category}`,
        ]),
      ),
    ),
    "search for a model's name": run(searches("travel sleeve kobabababa", "gasket demubababa")),
    "search for a word of every twelfth product": run(searches("sleeve", "dock", "basket", "gasket")),
    "search for a misspelled word": run(searches("sleave", "baskit", "gaskett")),
    "add to cart": run(add(shop, products)),
    "add and place an order": run([add(shop, products), order(shop)]),
    "order history": run(get("/account?tab=orders"), { Cookie: visitor.cookieHeader() }),
  };

  async function screens(): Promise<Row[]> {
    const owner = await makeStaff({ db, pool }, { url: shop.url, secret: AUTH_SECRET }, "owner");
    const by = { staffId: owner.staffId, role: owner.role, address: "203.0.113.7", requestId: null };
    const asked = { kind: "data", law: "gdpr", channel: "letter", email: "grace@example.com", note: null } as const;
    await registerRequest(db, by, { ...asked, receivedOn: new Date() }, AUTH_SECRET);
    return backOffice(bench.admin, { url, db, pool, owner: owner.visitor });
  }

  return {
    work,
    screens,
    async stop() {
      await shop.stop();
      await pool.end();
      await drop();
    },
  };
}
