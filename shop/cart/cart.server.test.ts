import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { products } from "#shop/catalog/product.tables.ts";
import {
  addToCart,
  clearCart,
  findFilterForFreeShipping,
  getCart,
  removeCartLine,
  sumCart,
  updateCartLine,
} from "./cart.server.ts";
import type { Buyer } from "./cart.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { cartTotals } from "./totals.ts";
import { setUnits } from "#tests/support/stock.ts";

const shop = useFreshDatabase();
const idOf = async (slug: string) =>
  (await shop.db.select({ id: products.id }).from(products).where(eq(products.slug, slug)))[0]?.id ?? "";
const add = async (buyer: Buyer, slug: string, quantity: number) =>
  addToCart(shop.db, buyer, { productId: await idOf(slug), quantity });
const quantities = async (buyer: Buyer) =>
  (await getCart(shop.db, buyer)).lines.map((line) => [line.slug, line.quantity]);
let buyer: Buyer;

beforeEach(() => {
  buyer = { guestId: randomUUID() };
});

describe("adding", () => {
  it("makes one line per product", async () => {
    await add(buyer, "travel-sleeve", 2);
    await add(buyer, "charging-dock", 1);
    expect(await add(buyer, "travel-sleeve", 3)).toMatchObject({ ok: true, quantity: 5, capped: false });
    expect(await quantities(buyer)).toEqual([
      ["travel-sleeve", 5],
      ["charging-dock", 1],
    ]);
  });

  it.each([
    ["travel-sleeve", [10, 1], 10, true],
    ["travel-sleeve", [6, 6], 10, true],
    ["polara-pro-frost-white", [5, 5], 7, true],
    ["lid-gasket-set", [3], 3, false],
    ["lid-gasket-set", [4], 3, true],
  ])("%s in steps of %j ends at %i", async (slug, steps, end, capped) => {
    let last;
    for (const step of steps) last = await add(buyer, slug, step);
    expect(last).toMatchObject({ ok: true, quantity: end, capped });
  });

  it.each([
    ["polara-classic-earth-green", "out-of-stock"],
    ["produce-basket", "out-of-stock"],
  ])("refuses %s: %s", async (slug, reason) => {
    expect(await add(buyer, slug, 1)).toEqual({ ok: false, reason });
    expect(await sumCart(shop.db, buyer)).toEqual({ count: 0, subtotalCents: 0 });
  });

  it("refuses a product that does not exist", async () => {
    expect(await addToCart(shop.db, buyer, { productId: randomUUID(), quantity: 1 })).toEqual({
      ok: false,
      reason: "not-found",
    });
  });

  it("returns the cart after the change", async () => {
    await add({ guestId: randomUUID() }, "lid-gasket-set", 1);
    await add(buyer, "charging-dock", 2);
    expect(await add(buyer, "travel-sleeve", 30)).toMatchObject({ ok: true, cart: await getCart(shop.db, buyer) });
    const { itemCount, subtotalCents } = (await getCart(shop.db, buyer)).totals;
    expect(await sumCart(shop.db, buyer)).toEqual({ count: itemCount, subtotalCents });
    expect(await quantities(buyer)).toEqual([
      ["charging-dock", 2],
      ["travel-sleeve", 10],
    ]);
  });

  it("20 concurrent adds are one capped line", async () => {
    await Promise.all(Array.from({ length: 20 }, () => add(buyer, "travel-sleeve", 1)));
    expect(await quantities(buyer)).toEqual([["travel-sleeve", 10]]);
  });
});

describe("the filter that makes shipping free", () => {
  it.each([
    ["$1 is missing", "polara-pro-midnight-black", 1, "ethylene-filter-2-pack"],
    ["$43 is missing", "travel-sleeve", 3, "ethylene-filter-6-pack"],
    ["more is missing than a filter costs", "travel-sleeve", 1, undefined],
    ["shipping is free already", "polara-pro-midnight-black", 2, undefined],
  ])("%s", async (_, slug, quantity, expected) => {
    await add(buyer, slug, quantity);
    const cart = await getCart(shop.db, buyer);
    expect((await findFilterForFreeShipping(shop.db, cart))?.slug).toBe(expected);
  });

  it("ships now, so that it makes no order wait", async () => {
    const shipOn = (day: string | null) =>
      shop.db.execute(sql`UPDATE products SET ships_from = ${day}::date WHERE slug = 'ethylene-filter-2-pack'`);
    await add(buyer, "polara-pro-midnight-black", 1);
    await shipOn("2100-01-12");
    const offer = await findFilterForFreeShipping(shop.db, await getCart(shop.db, buyer));
    await shipOn(null);
    expect(offer?.slug).toBe("ethylene-filter-6-pack");
  });
});

describe("changing", () => {
  const lineOf = async (owner: Buyer) => (await getCart(shop.db, owner)).lines[0]?.id ?? "";

  it.each([
    [4, [["lid-gasket-set", 3]]],
    [2, [["lid-gasket-set", 2]]],
    [99, [["lid-gasket-set", 3]]],
    [0, []],
    [-1, []],
  ])("a quantity of %i", async (quantity, expected) => {
    await add(buyer, "lid-gasket-set", 1);
    expect(await updateCartLine(shop.db, buyer, { itemId: await lineOf(buyer), quantity })).toBe(true);
    expect(await quantities(buyer)).toEqual(expected);
  });

  it("changes only the buyer's own lines", async () => {
    await add(buyer, "travel-sleeve", 2);
    const itemId = await lineOf(buyer);
    const id = (buyer as { guestId: string }).guestId;
    for (const other of [{ guestId: randomUUID() }, { customerId: id }]) {
      expect(await updateCartLine(shop.db, other, { itemId, quantity: 9 })).toBe(false);
      expect(await removeCartLine(shop.db, other, itemId)).toBe(false);
      await clearCart(shop.db, other);
    }
    expect(await quantities(buyer)).toEqual([["travel-sleeve", 2]]);
    await add(buyer, "charging-dock", 2);
    expect(await removeCartLine(shop.db, buyer, itemId)).toBe(true);
    // Removed in another tab, say.
    expect(await removeCartLine(shop.db, buyer, itemId)).toBe(true);
    expect(await updateCartLine(shop.db, buyer, { itemId, quantity: 0 })).toBe(true);
    expect(await updateCartLine(shop.db, buyer, { itemId, quantity: 2 })).toBe(false);
    expect(await quantities(buyer)).toEqual([["charging-dock", 2]]);
    await clearCart(shop.db, buyer);
    expect(await sumCart(shop.db, buyer)).toEqual({ count: 0, subtotalCents: 0 });
  });
});

describe("reading", () => {
  it("prices by the database's clock", async () => {
    await add(buyer, "polara-pro-earth-green", 1);
    await add(buyer, "lid-gasket-set", 1);
    expect((await getCart(shop.db, buyer)).totals).toEqual(
      cartTotals(FIRST_SETTINGS.shipping, [
        { unitPriceCents: 99_00, quantity: 1 },
        { unitPriceCents: 12_00, quantity: 1 },
      ]),
    );
    await shop.db
      .update(products)
      .set({ earlyBirdEndDate: new Date(Date.now() - 1) })
      .where(eq(products.slug, "polara-pro-earth-green"));
    expect((await getCart(shop.db, buyer)).totals.subtotalCents).toBe(161_00);
  });

  it("caps maxQuantity by current stock", async () => {
    await add(buyer, "charging-dock", 8);
    await setUnits(shop.pool, "charging-dock", 3);
    expect((await getCart(shop.db, buyer)).lines[0]).toMatchObject({ quantity: 8, maxQuantity: 3 });
  });

  it("is empty without a buyer", async () => {
    expect(await getCart(shop.db, null)).toMatchObject({ lines: [], totals: { itemCount: 0, totalCents: 0 } });
  });
});
