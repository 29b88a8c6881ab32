import { request } from "node:http";
import { desc } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { orders } from "#shop/orders/order.tables.ts";
import { dayText } from "#shop/policy-text.ts";
import { textOf } from "../support/page-data.ts";
import type { StaffMember } from "../support/staff-member.ts";
import { setUnits } from "../support/stock.ts";
import { useShop } from "../support/use-shop.ts";
import { address, aKey, Visitor } from "../support/visitor.ts";

const { shop, database, staff } = useShop();

const visitor = () => new Visitor(shop.url);
const lineId = (html: string) => /name="itemId" value="([^"]+)"/.exec(html)?.[1] ?? "";
const count = async (who: Visitor) =>
  ((await (await who.fetch("/personal")).json()) as { cartCount: number }).cartCount;

describe("a cross-site form", () => {
  it.each([
    ["another origin", () => "https://evil.example"],
    ["an opaque origin", () => "null"],
    ["the shop by another scheme", () => shop.url.replace("http:", "https:")],
    ["a user of the shop's host", () => shop.url.replace("//", "//user@")],
  ])("from %s is refused", async (_name, origin) => {
    const headers = { Origin: origin() };
    const guest = visitor();
    const productId = await guest.productId("travel-sleeve");
    for (const path of ["/cart/add", "/cart/update", "/cart/remove", "/cart/clear", "/checkout"]) {
      expect((await guest.post(path, { productId, quantity: "1" }, headers)).status, path).toBe(403);
    }
    expect(await count(guest)).toBe(0);
  });

  it("without any origin is refused", async () => {
    expect((await fetch(`${shop.url}/cart/clear`, { method: "POST" })).status).toBe(403);
  });
});

describe("the cart without JavaScript", () => {
  it("adds, changes and removes by plain forms that redirect to /cart", async () => {
    const guest = visitor();
    const added = await guest.add("travel-sleeve", 2);
    expect([added.status, added.headers.get("Location")]).toEqual([303, "/cart?problem=cookies"]);
    const cookie = added.headers.get("Set-Cookie") ?? "";
    expect(cookie).toMatch(/^polara_guest=[0-9a-f-]{36}\.[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
    const next = added.headers.get("Location") ?? "";
    expect((await guest.fetch(next)).headers.get("Location")).toBe("/cart");
    expect(await (await visitor().fetch(next)).text()).toContain(
      "Your browser blocks cookies, and the cart needs one.",
    );
    const html = await (await guest.fetch("/cart")).text();
    expect(html).toContain("Travel Sleeve");
    for (const act of ["update", "remove", "clear"])
      expect(html).toMatch(new RegExp(`<form[^>]*action="/cart/${act}"`));
    expect((await guest.post("/cart/update", { itemId: lineId(html), quantity: "5" })).status).toBe(303);
    expect(await count(guest)).toBe(5);
    expect((await guest.post("/cart/remove", { itemId: lineId(html) })).status).toBe(303);
    expect(await (await guest.fetch("/cart")).text()).toContain("Your cart is empty");
  });

  it("refuses a product out of stock", async () => {
    const guest = visitor();
    const response = await guest.add("produce-basket");
    expect(response.headers.get("Location")).toBe("/cart?problem=out-of-stock");
    expect(await count(guest)).toBe(0);
  });

  it.each(["0", "-3", "1.5", "x", "99999999999"])("refuses a quantity of %s", async (quantity) => {
    const guest = visitor();
    await guest.post("/cart/add", { productId: await guest.productId("travel-sleeve"), quantity });
    expect(await count(guest)).toBe(0);
  });

  it.each([11, 999_999])("adds ten units where %s are asked for, and says so", async (quantity) => {
    const guest = visitor();
    const added = await guest.add("ethylene-filter-2-pack", quantity);
    expect(added.headers.get("Location")).toBe("/cart?problem=capped");
    expect(await count(guest)).toBe(10);
  });
});

describe("checkout", () => {
  it("invalid input returns with messages and everything typed", async () => {
    const guest = visitor();
    await guest.add("travel-sleeve", 1);
    const response = await guest.checkout({
      email: "not-an-address",
      phone: "123",
      shippingCity: "",
      shippingState: "ZZ",
      shippingLastName: "O'Typed <b>",
    });
    expect(response.status).toBe(400);
    const html = await response.text();
    for (const message of [
      "Invalid email address",
      "Phone number must be at least 10 digits",
      "City is required",
      "State is required",
    ])
      expect(html).toContain(message);
    expect(html).toContain('value="not-an-address"');
    expect(html).toMatch(/value="O(&#x27;|')Typed &lt;b&gt;"/);
    expect(await count(guest)).toBe(1);
  });

  it("a sold-out line is named, and nothing typed is lost", async () => {
    const guest = visitor();
    await guest.add("charging-dock", 2);
    const fields = await guest.checkoutFields();
    const before = await database.db.$count(orders);
    await setUnits(database.pool, "charging-dock", 0);
    const response = await guest.checkout(fields);
    await setUnits(database.pool, "charging-dock", 40);
    expect(response.status).toBe(409);
    const html = await response.text();
    expect(html).toContain("Charging Dock");
    expect(html).toContain("Out of stock. Remove it to check out.");
    expect(html).toContain('value="ada@example.com"');
    expect(await database.db.$count(orders)).toBe(before);
  });

  it("a guest agrees to the terms in force, whose date the order keeps", async () => {
    const guest = visitor();
    await guest.add("travel-sleeve", 1);
    const page = (await (await guest.fetch("/checkout")).text()).replaceAll("<!-- -->", "");
    expect(page).toMatch(/By placing your order, you agree to the <a href="\/terms"[^>]*><span>Terms of Service/);
    expect(page).toMatch(/ and <a href="\/privacy"[^>]*><span>Privacy Policy/);
    const changed = await guest.checkout({ seenTerms: "2024-01-01" });
    expect([changed.status, await changed.text()]).toEqual([
      409,
      expect.stringContaining("Terms of Service have changed"),
    ]);
    expect((await guest.checkout()).status).toBe(200);
    const [order] = await database.db.select().from(orders).orderBy(desc(orders.createdAt)).limit(1);
    const terms = await (await guest.fetch("/terms")).text();
    expect(terms).toContain(`Effective date: ${dayText(order?.termsVersion ?? "")}`);
  });

  it("a price sent by the browser is ignored", async () => {
    const guest = visitor();
    await guest.add("polara-classic-frost-white", 1);
    const { seen, checkoutKey } = await guest.checkoutFields();
    const response = await guest.checkout({ checkoutKey, seen: seen.replace(/:\d+$/, ":1") });
    expect(response.status).toBe(409);
    expect(await response.text()).toContain("The price is now $89.00 instead of $0.01");
  });

  it("an invalid key still places one order", async () => {
    const guest = visitor();
    await guest.add("travel-sleeve", 1);
    const fields = { ...(await guest.checkoutFields()), checkoutKey: "x" };
    const statuses = [(await guest.checkout(fields)).status, (await guest.checkout(fields)).status];
    expect(statuses).toEqual([200, 409]);
  });
});

it("an order shows as placed if its page cannot read the cart any more", async () => {
  await database.pool.query(`
    CREATE FUNCTION lose_pictures() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN ALTER TABLE products RENAME COLUMN thumbnail TO thumbnail_gone; RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER lose_pictures AFTER INSERT ON orders DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION lose_pictures()`);
  try {
    const guest = visitor();
    await guest.add("travel-sleeve");
    const placed = await guest.checkout();
    expect(placed.status).toBe(200);
    expect(await placed.text()).toContain("Order placed!");
  } finally {
    await database.pool.query("DROP FUNCTION lose_pictures CASCADE");
    await database.pool.query("ALTER TABLE products RENAME COLUMN thumbnail_gone TO thumbnail");
  }
});

/** By a cookie that goes with the visit, and no cache hands it to others. */
describe("the campaign of a visit", () => {
  /** The campaign that an order has after these pages. */
  async function orderAfter(...landings: string[]) {
    const guest = new Visitor(shop.url);
    for (const path of landings) expect((await guest.fetch(path)).status).toBe(200);
    await guest.add("travel-sleeve");
    const email = `ada-${aKey()}@example.com`;
    expect((await guest.checkout({ email })).status).toBe(200);
    const { rows } = await database.pool.query<{ utm_source: string | null; utm_campaign: string | null }>(
      "SELECT utm_source, utm_campaign FROM orders WHERE email = $1",
      [email],
    );
    return rows[0];
  }

  it.each([
    ["/?utm_source=mail&utm_campaign=spring", "mail", "spring"],
    ["/product/travel-sleeve?utm_source=friend", "friend", null],
    ["/cart?utm_campaign=fall", null, "fall"],
    ["/shop?utm_source=%E2%80%8B%01a%7Fb&color=Earth+Green", "ab", null],
    [`/?utm_source=${"x".repeat(500)}`, "x".repeat(200), null],
    ["/", null, null],
  ])("an order after %s", async (landing, source, campaign) => {
    expect(await orderAfter(landing, "/shop")).toEqual({ utm_source: source, utm_campaign: campaign });
  });

  it("the newest campaign of the visit is stored", async () => {
    expect(await orderAfter("/?utm_source=mail", "/science?utm_source=talk")).toMatchObject({ utm_source: "talk" });
  });

  it("a waitlist place stores it too, its own page's parameters first", async () => {
    const placeOf = async (fields: Record<string, string>) => {
      const guest = new Visitor(shop.url);
      await guest.fetch("/?utm_source=mail");
      const email = `ada-${aKey()}@example.com`;
      expect((await guest.post("/waitlist/join", { email, ...fields })).status).toBe(200);
      return (await database.pool.query("SELECT utm_source FROM waitlist WHERE email = $1", [email])).rows;
    };
    expect(await placeOf({})).toEqual([{ utm_source: "mail" }]);
    expect(await placeOf({ utm_source: "talk" })).toEqual([{ utm_source: "talk" }]);
  });

  it("the cookie ends with the browser session, and its response is not cached", async () => {
    const landing = await fetch(`${shop.url}/?utm_source=mail`);
    const [cookie = ""] = landing.headers.getSetCookie();
    expect(cookie).toMatch(/^polara_visit=/);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).not.toMatch(/Max-Age|Expires/);
    expect(landing.headers.get("Cache-Control")).toBe("private, no-cache");
    for (const path of ["/", "/?utm_source=", "/?utm_medium=x"]) {
      const plain = await fetch(shop.url + path);
      expect(plain.headers.getSetCookie(), path).toEqual([]);
      expect(plain.headers.get("Cache-Control"), path).toContain("public");
    }
  });
});

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
  await database.pool.query("DELETE FROM cart_items");
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

let manager: StaffMember;
const ids: Record<string, string> = {};

const BROWSER = { Accept: "text/html" };

beforeAll(async () => {
  manager = await staff("manager");
  const { rows } = await database.pool.query<{ slug: string; id: string }>("SELECT slug, id FROM products");
  for (const { slug, id } of rows) ids[slug] = id;
});

const make = async (intent: string, fields: Record<string, string>) =>
  textOf(await (await manager.visitor.post(`/admin/discounts?intent=${intent}`, fields, BROWSER)).text());

async function shopper(...slugs: string[]): Promise<Visitor> {
  const visitor = new Visitor(shop.url);
  for (const slug of slugs) await visitor.add(slug);
  return visitor;
}

const read = async (visitor: Visitor, path: string) => textOf(await (await visitor.fetch(path)).text());

const newest = async () =>
  (
    await database.pool.query<{ id: string; discount: number; discount_name: string; total: number }>(
      "SELECT id, discount, discount_name, total FROM orders ORDER BY created_at DESC LIMIT 1",
    )
  ).rows[0]!;

it.each<[fields: Record<string, string>, words: string]>([
  [{ discountCode: "%", off: "10%" }, "Use 2 to 30 letters, numbers and hyphens"],
  [{ discountCode: "SPRING10", off: "10" }, "Enter a percentage or an amount, such as 10% or $10.00"],
  [{ discountCode: "SPRING10", off: "101%" }, "Enter a percentage or an amount"],
  [{ discountCode: "SPRING10", off: "10%", freeShipping: "on" }, "A code frees shipping or lowers the price"],
  [
    { discountCode: "SPRING10", off: "10%", startsOn: "2027-02-01", endsOn: "2027-01-01" },
    "The last day is before the first",
  ],
  [{ discountCode: "SPRING10", off: "10%", endsOn: "2020-01-01" }, "The last day is over"],
  [{ discountCode: "SPRING10", off: "10%", endsOn: "soon" }, "Enter a date, or leave it empty"],
  [{ discountCode: "SPRING10", off: "10%", minimum: "lots" }, "Enter an amount such as 50.00, or leave it empty"],
  [{ discountCode: "SPRING10", off: "10%", maxUses: "-1" }, "Enter a number of orders, or leave it empty"],
  [{ discountCode: "SPRING10", off: "10%" }, "SPRING10 is ready."],
  [{ discountCode: "spring10", off: "20%" }, "There is a code of this name already"],
])("staff who send %o read %j", async (fields, words) => {
  const page = await make("code", fields);
  expect(page).toContain(words);
  expect(page).not.toContain("Confirm that it’s you");
});

it("staff read from which day a code counts, and its last day", async () => {
  const fields = { discountCode: "NEXT-CENTURY", off: "$5", startsOn: "2101-01-01", endsOn: "2101-01-31" };
  expect(await make("code", fields)).toMatch(/Scheduled\s*from Jan 1, 2101\s*until Jan 31, 2101/);
});

it("a code comes by link, counts in the cart, and stays with the order", async () => {
  const visitor = await shopper("polara-classic-frost-white");
  const answer = await visitor.fetch("/discount/spring10", { redirect: "manual" });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/shop"]);
  const elsewhere = await visitor.fetch("/discount/spring10?to=//evil.example", { redirect: "manual" });
  expect(elsewhere.headers.get("Location")).toBe("/");
  expect(await read(visitor, "/cart")).toMatch(/Discount \(SPRING10\)\s*−\$8\.90/);
  await visitor.checkout();
  const order = await newest();
  expect(order).toMatchObject({ discount: 8_90, discount_name: "SPRING10" });
  expect(await read(visitor, `/orders/${order.id}`)).toMatch(/Discount \(SPRING10\)\s*−\$8\.90/);
  expect(await read(manager.visitor, `/admin/orders/${order.id}`)).toMatch(/Discount \(SPRING10\)\s*-\$8\.90/);
  expect(await read(manager.visitor, "/admin/discounts")).toMatch(/SPRING10\s*10% off/);
});

it("a code that is typed at the checkout is looked up before anything is ordered, and nothing typed is lost", async () => {
  const visitor = await shopper("polara-classic-frost-white");
  const before = await newest();
  const sent = { ...(await visitor.checkoutFields()), shippingFirstName: "Grace", code: "spring10" };
  const answer = await visitor.post("/checkout", sent, BROWSER);
  const html = await answer.text();
  expect(answer.status).toBe(409);
  expect(textOf(html)).toContain("We looked up SPRING10. Check the summary, then place your order.");
  expect(html).toContain('value="Grace"');
  expect(textOf(html)).toMatch(/Discount \(SPRING10\)\s*−\$8\.90/);
  expect(await newest()).toEqual(before);
  await visitor.post("/checkout", { ...address, ...(await visitor.checkoutFields()), apply: "code" }, BROWSER);
  expect(await newest(), "Apply orders nothing").toEqual(before);
  await visitor.checkout();
  expect(await newest()).toMatchObject({ discount: 8_90 });
});

it("a code that has ended says so, and is not counted", async () => {
  const visitor = await shopper("polara-classic-frost-white");
  await visitor.post("/cart/code", { code: "SPRING10" });
  const seen = await visitor.checkoutFields();
  const [{ id }] = (await database.pool.query<{ id: string }>("SELECT id FROM discounts WHERE code = 'SPRING10'"))
    .rows as [{ id: string }];
  expect(await make("end", { id })).toContain("Ended. Orders that have it keep it.");
  expect(await read(visitor, "/cart")).toContain("SPRING10 has ended.");
  const answer = await visitor.checkout(seen);
  expect(answer.status).toBe(409);
  expect(textOf(await answer.text())).toContain("SPRING10 has ended. Check the summary, then place your order again.");
  expect(await read(visitor, "/cart")).not.toContain("SPRING10");
});

it("a bundle applies by itself", async () => {
  const bundle = { name: "A bowl and a filter", amount: "10.00", firstUnits: "1", secondUnits: "1" };
  const products = { first: ids["polara-classic-frost-white"]!, second: ids["ethylene-filter-2-pack"]! };
  expect(await make("bundle", { ...bundle, first: products.first })).toContain("Choose at least one product");
  const twice = { first: products.first, second: products.first };
  expect(await make("bundle", { ...bundle, ...twice })).toContain("A product can be in one part only");
  expect(await make("bundle", { ...bundle, ...products })).toContain("A bowl and a filter now applies by itself.");
  const visitor = await shopper("polara-classic-frost-white", "ethylene-filter-2-pack");
  expect(await read(visitor, "/cart")).toMatch(/Discount \(A bowl and a filter\)\s*−\$10\.00/);
  await visitor.checkout();
  expect(await newest()).toMatchObject({ discount: 10_00, discount_name: "A bowl and a filter" });
});
