/** Discount codes and bundles, without JavaScript. */
import { beforeAll, expect, it } from "vitest";
import { textOf } from "../support/page-data.ts";
import type { StaffMember } from "../support/staff-member.ts";
import { useShop } from "../support/use-shop.ts";
import { address, Visitor } from "../support/visitor.ts";

const { shop, database, staff } = useShop();
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
