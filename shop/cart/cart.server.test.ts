import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";
import { products } from "../catalog/product.tables.ts";
import { addToCart, clearCart, countCart, getCart, removeCartLine, updateCartLine } from "./cart.server.ts";
import type { Buyer } from "./cart.ts";
import { cartItems } from "./cart.tables.ts";
import { cartTotals } from "./totals.ts";
import { setUnits } from "../../tests/support/stock.ts";

const kept = useFreshDatabase();
const idOf = async (slug: string) =>
  (await kept.db.select({ id: products.id }).from(products).where(eq(products.slug, slug)))[0]?.id ?? "";
const add = async (buyer: Buyer, slug: string, quantity: number) =>
  addToCart(kept.db, buyer, { productId: await idOf(slug), quantity });
const quantities = async (buyer: Buyer) =>
  (await getCart(kept.db, buyer)).lines.map((line) => [line.slug, line.quantity]);
let buyer: Buyer;

beforeEach(() => {
  buyer = { guestId: randomUUID() };
});

describe("adding", () => {
  it("puts one line a product and adds to it", async () => {
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
    expect(await countCart(kept.db, buyer)).toBe(0);
  });

  it("refuses a product that does not exist", async () => {
    expect(await addToCart(kept.db, buyer, { productId: randomUUID(), quantity: 1 })).toEqual({
      ok: false,
      reason: "not-found",
    });
  });

  it("answers with the cart as it then is, here and for the next statement", async () => {
    await add(buyer, "charging-dock", 2);
    await add({ guestId: randomUUID() }, "lid-gasket-set", 1);
    for (const [slug, quantity] of [
      ["travel-sleeve", 1],
      ["travel-sleeve", 30],
      ["charging-dock", 1],
    ] as const) {
      const added = await add(buyer, slug, quantity);
      expect(added).toMatchObject({ ok: true, cart: await getCart(kept.db, buyer) });
    }
    expect(await quantities(buyer)).toEqual([
      ["charging-dock", 3],
      ["travel-sleeve", 10],
    ]);
  });

  it("20 at once are one line, capped", async () => {
    await Promise.all(Array.from({ length: 20 }, () => add(buyer, "travel-sleeve", 1)));
    expect(await quantities(buyer)).toEqual([["travel-sleeve", 10]]);
  });
});

describe("changing", () => {
  const lineOf = async (owner: Buyer) => (await getCart(kept.db, owner)).lines[0]?.id ?? "";

  it.each([
    [4, [["lid-gasket-set", 3]]],
    [2, [["lid-gasket-set", 2]]],
    [99, [["lid-gasket-set", 3]]],
    [0, []],
    [-1, []],
  ])("a quantity of %i", async (quantity, expected) => {
    await add(buyer, "lid-gasket-set", 1);
    expect(await updateCartLine(kept.db, buyer, { itemId: await lineOf(buyer), quantity })).toBe(true);
    expect(await quantities(buyer)).toEqual(expected);
  });

  it("does not reach another buyer's line, guest or customer", async () => {
    await add(buyer, "travel-sleeve", 2);
    const itemId = await lineOf(buyer);
    const id = (buyer as { guestId: string }).guestId;
    for (const other of [{ guestId: randomUUID() }, { customerId: id }]) {
      expect(await updateCartLine(kept.db, other, { itemId, quantity: 9 })).toBe(false);
      expect(await removeCartLine(kept.db, other, itemId)).toBe(false);
      await clearCart(kept.db, other);
    }
    expect(await quantities(buyer)).toEqual([["travel-sleeve", 2]]);
    expect(await removeCartLine(kept.db, buyer, itemId)).toBe(true);
    expect(await kept.db.$count(cartItems, eq(cartItems.id, itemId))).toBe(0);
  });

  it("clears all of one's own", async () => {
    await add(buyer, "travel-sleeve", 2);
    await add(buyer, "charging-dock", 2);
    await clearCart(kept.db, buyer);
    expect(await countCart(kept.db, buyer)).toBe(0);
  });
});

describe("reading", () => {
  it("prices by the database's clock and adds up once", async () => {
    await add(buyer, "polara-pro-earth-green", 1);
    await add(buyer, "lid-gasket-set", 1);
    expect((await getCart(kept.db, buyer)).totals).toEqual(
      cartTotals([
        { unitPriceCents: 99_00, quantity: 1 },
        { unitPriceCents: 12_00, quantity: 1 },
      ]),
    );
    await kept.db
      .update(products)
      .set({ earlyBirdEndDate: new Date(Date.now() - 1) })
      .where(eq(products.slug, "polara-pro-earth-green"));
    expect((await getCart(kept.db, buyer)).totals.subtotalCents).toBe(161_00);
  });

  it("says what may be ordered now where stock has shrunk", async () => {
    await add(buyer, "charging-dock", 8);
    await setUnits(kept.pool, "charging-dock", 3);
    expect((await getCart(kept.db, buyer)).lines[0]).toMatchObject({ quantity: 8, maxQuantity: 3 });
  });

  it("nobody has an empty cart", async () => {
    expect(await getCart(kept.db, null)).toMatchObject({ lines: [], totals: { itemCount: 0, totalCents: 0 } });
  });
});
