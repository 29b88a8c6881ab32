import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { inboxOf } from "#shop/mail/enqueue-email.server.ts";
import { inboxOfColumn } from "#shop/mail/inbox.sql.ts";
import { readCode } from "./discount.ts";
import { findDiscount } from "./discounts.server.ts";
import { discounts } from "./discount.tables.ts";

const shop = useFreshDatabase();
const HOUR = 3_600_000;
const at = (ms: number) => new Date(Date.now() + ms);
const ASKED = { shippingCents: 9_99, owner: null };
const CODE = { code: "SPRING10", name: "SPRING10", kind: "percent", value: 10 } as const;

beforeEach(async () => {
  await shop.db.execute(sql`TRUNCATE discounts, orders CASCADE`);
});

it.each([
  ["", null],
  ["spring10", "SPRING10"],
  [" Spring-10 ", "SPRING-10"],
  ["10% off", null],
  ["A", null],
  ["X".repeat(31), null],
])("reads %j as %j", (typed, code) => expect(readCode(typed)).toBe(code));

it.each<[name: string, set: Partial<typeof discounts.$inferInsert>, problem: string | null]>([
  ["a code of now", { startsAt: at(-HOUR), endsAt: at(HOUR) }, null],
  ["an unknown code", { code: "OTHER" }, "We don’t know the code SPRING10. Check the spelling."],
  ["a code of tomorrow", { startsAt: at(24 * HOUR) }, "SPRING10 isn’t valid yet."],
  ["a code of yesterday", { endsAt: at(-24 * HOUR) }, "SPRING10 has ended."],
])("%s", async (_name, set, problem) => {
  await shop.db.insert(discounts).values({ ...CODE, ...set });
  const [product] = await shop.db.select().from(products).where(eq(products.slug, "charging-dock"));
  const lines = [{ productId: product!.id, unitPriceCents: 39_00, quantity: 1 }];
  expect(await findDiscount(shop.db, { ...ASKED, lines, code: "SPRING10" })).toMatchObject({ problem });
});

it("a bundle counts only between its days", async () => {
  const lines = [{ productId: randomUUID(), unitPriceCents: 39_00, quantity: 1 }];
  const bundle = [{ productIds: [lines[0]!.productId], units: 1 }];
  const values = { name: "One", kind: "amount" as const, value: 5_00, bundle };
  await shop.db
    .insert(discounts)
    .values([
      { ...values, name: "Over", value: 9_00, endsAt: at(-HOUR) },
      { ...values, name: "Early", value: 9_00, startsAt: at(HOUR) },
      values,
    ]);
  expect(await findDiscount(shop.db, { ...ASKED, lines, code: null })).toMatchObject({
    applied: { name: "One", cents: 5_00 },
  });
});

it.each([
  "ada@example.com",
  "Ada+shop@Example.com",
  "a.d.a+x@gmail.com",
  "ada@googlemail.com",
  "+only@example.com",
  "o'neil@example.com",
])("the inbox of %s is the same in SQL", async (email) => {
  const { rows } = await shop.db.execute<{ inbox: string }>(sql`SELECT ${inboxOfColumn(sql`${email}::text`)} AS inbox`);
  expect(rows[0]!.inbox).toBe(inboxOf(email));
});
