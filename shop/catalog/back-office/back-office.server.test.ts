import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { addCopies } from "#tests/support/many-products.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { searchShop } from "#shop/search/search.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { dayText } from "#shop/policy-text.ts";
import { getProductPage, listFeedProducts, listProductDates, listProducts } from "../catalog.server.ts";
import { listShownColors } from "../colors.server.ts";
import { parseFilters } from "../filters.ts";
import { cardOf, productDetailsOf } from "../shown-product.ts";
import { productSchema, typedProduct } from "./product-form.ts";
import {
  changePictures,
  createProduct,
  deleteProduct,
  editProduct,
  getProductRecord,
  retireProduct,
  unretireProduct,
} from "./edit-product.server.ts";
import { listAllProducts } from "./product-list.server.ts";

const shop = useFreshDatabase();
let ada: Acting;
let bo: Acting;

async function staff(name: string): Promise<Acting> {
  const { rows } = await shop.pool.query<{ id: string }>(
    "INSERT INTO users (email, email_verified, name, first_name) VALUES ($1, true, $2, $2) RETURNING id",
    [`${name}@example.com`, name],
  );
  return { staffId: rows[0]!.id, role: "manager", address: "127.0.0.1", requestId: null };
}
const find = async (slug: string) => {
  const { rows } = await shop.pool.query<{ id: string }>("SELECT id FROM products WHERE slug = $1", [slug]);
  return (await getProductRecord(shop.db, rows[0]?.id ?? randomUUID()))!;
};
const valuesOf = (product: Awaited<ReturnType<typeof find>>) => {
  const { colorVariant: name, colorHex: hex } = product;
  return productSchema(name && hex ? [{ name, hex }] : []).parse(typedProduct(product));
};
const everything = { search: "", category: null, color: null, state: null, sort: "name", after: null } as const;

beforeAll(async () => {
  [ada, bo] = [await staff("Ada"), await staff("Bo")];
});

describe("an edit", () => {
  it("updates changed fields, counts its version, and is audited with before and after", async () => {
    const product = await find("charging-dock");
    const shipsFrom = daysAfter(newYorkDay(new Date()), 400);
    const values = { ...valuesOf(product), priceCents: 1_23, shipsFrom };
    const result = await editProduct(shop.db, ada, product.id, values, product.version);
    expect(result).toEqual({ ok: true, version: product.version + 1, changed: ["shipsFrom", "priceCents"] });
    const { rows } = await shop.pool.query("SELECT action, before, after FROM audit_log WHERE subject = $1", [
      `product:${product.id}`,
    ]);
    expect(rows).toEqual([
      {
        action: "product.edit",
        before: { priceCents: product.priceCents, shipsFrom: null, version: 1 },
        after: { priceCents: 1_23, shipsFrom, version: 2 },
      },
    ]);
    expect(productDetailsOf(await find("charging-dock")).stockMessage).toBe(`Ships ${dayText(shipsFrom)}`);
  });

  it("saves nothing without a change", async () => {
    const product = await find("polara-pro-earth-green");
    const result = await editProduct(shop.db, ada, product.id, valuesOf(product), product.version);
    expect(result).toEqual({ ok: true, version: product.version, changed: [] });
  });

  it("is never overwritten by a second one, which learns who changed what", async () => {
    const product = await find("travel-sleeve");
    const { id, version } = product;
    const first = await editProduct(shop.db, ada, id, { ...valuesOf(product), name: "Sleeve A" }, version);
    expect(first.ok).toBe(true);
    const theirs = { ...valuesOf(product), priceCents: 9_00 };
    const second = await editProduct(shop.db, bo, id, theirs, version);
    expect(second).toMatchObject({ reason: "changed", version: version + 1, by: [{ name: "Ada", fields: ["name"] }] });
    expect((await find("travel-sleeve")).name).toBe("Sleeve A");
    expect(await editProduct(shop.db, bo, id, theirs, version + 1)).toMatchObject({ ok: true });
  });

  it("is not refused for pictures that were changed meanwhile", async () => {
    const product = await find("travel-sleeve");
    const { id, version } = product;
    await changePictures(shop.db, bo, id, ({ images }) => ({ images, pictureAlts: { [images[0]!]: "A sleeve" } }));
    const edited = await editProduct(shop.db, ada, id, { ...valuesOf(product), priceCents: 9_50 }, version);
    expect(edited).toEqual({ ok: true, version: version + 2, changed: ["priceCents"] });
    expect((await find("travel-sleeve")).pictureAlts).not.toEqual({});
  });

  it("of two at once, one is refused with the other's change", async () => {
    const product = await find("travel-sleeve");
    const edits = [ada, bo].map((by, i) =>
      editProduct(shop.db, by, product.id, { ...valuesOf(product), priceCents: 10_00 + i }, product.version),
    );
    expect((await Promise.all(edits)).filter(({ ok }) => ok)).toHaveLength(1);
  });

  it("keeps a slug that orders use or another product has", async () => {
    const product = await find("travel-sleeve");
    await placedOrder(shop.db, { [product.slug]: 1 });
    const moved = { ...valuesOf(product), slug: "elsewhere" };
    expect(await editProduct(shop.db, ada, product.id, moved, product.version)).toMatchObject({ reason: "slug-fixed" });
    const dock = await find("charging-dock");
    const taken = { ...valuesOf(dock), slug: product.slug };
    expect(await editProduct(shop.db, ada, dock.id, taken, dock.version)).toMatchObject({ reason: "slug-taken" });
  });
});

describe("a product in a new color", () => {
  const coral = { name: "Sunset Coral", hex: "#e58a6f" };
  const colored = async (slug: string, anotherColor: { name: string; hex: string }) => ({
    ...valuesOf(await find("polara-pro-earth-green")),
    name: "Polara Pro Sunset Coral",
    slug,
    colorVariant: anotherColor.name,
    anotherColor,
  });

  it("is in lists, filters, search and its model's colors", async () => {
    expect(await listShownColors(shop.db)).not.toContainEqual(coral);
    await createProduct(shop.db, ada, await colored("polara-pro-sunset-coral", coral), []);
    const colors = ["Frost White", "Earth Green", "Midnight Black", "Sunset Coral"];
    expect((await listShownColors(shop.db)).map(({ name }) => name)).toEqual(colors);
    const filters = parseFilters(new URLSearchParams("color=Sunset+Coral"), await listShownColors(shop.db));
    const { products, count } = await listProducts(shop.db, filters);
    expect(count).toBe(1);
    expect(cardOf(products[0]!)).toMatchObject({ colorVariant: "Sunset Coral", colorHex: "#e58a6f" });
    expect((await getProductPage(shop.db, "polara-pro-earth-green"))?.colors).toContainEqual({
      slug: "polara-pro-sunset-coral",
      colorVariant: "Sunset Coral",
      colorHex: "#e58a6f",
    });
    expect(JSON.stringify(await searchShop(shop.db, "sunset coral"))).toContain("polara-pro-sunset-coral");
  });

  it("changes the swatch of an existing color, which is audited", async () => {
    const again = await colored("polara-pro-coral", { name: "SUNSET coral", hex: "#ff0000" });
    const made = await createProduct(shop.db, ada, again, []);
    expect(made.ok).toBe(true);
    expect((await find("polara-pro-coral")).colorVariant).toBe("Sunset Coral");
    expect((await find("polara-pro-sunset-coral")).colorHex).toBe("#ff0000");
    const { rows } = await shop.pool.query(
      "SELECT action, before, after FROM audit_log WHERE subject = 'color:Sunset Coral' ORDER BY id",
    );
    expect(rows).toEqual([
      { action: "color.create", before: null, after: { hex: "#e58a6f" } },
      { action: "color.edit", before: { hex: "#e58a6f" }, after: { hex: "#ff0000" } },
    ]);
  });

  it("disappears from the filters with its last product", async () => {
    for (const slug of ["polara-pro-sunset-coral", "polara-pro-coral"]) {
      await deleteProduct(shop.db, ada, (await find(slug)).id);
    }
    expect((await listShownColors(shop.db)).map(({ name }) => name)).not.toContain("Sunset Coral");
  });
});

describe("a retired product", () => {
  it("leaves every list, count and search, keeps its page, and can return", async () => {
    const product = await find("polara-pro-frost-white");
    const count = async () => (await listProductDates(shop.db)).length;
    const all = await count();
    const isListed = async () => ({
      inShop: (await listProducts(shop.db, parseFilters(new URLSearchParams("color=Frost+White")))).products.some(
        ({ id }) => id === product.id,
      ),
      inFeed: (await listFeedProducts(shop.db)).some(({ id }) => id === product.id),
      inColors: (await getProductPage(shop.db, "polara-pro-earth-green"))?.colors.some(
        ({ slug }) => slug === product.slug,
      ),
      inSearch: JSON.stringify(await searchShop(shop.db, "frost white")).includes(product.slug),
      count: await count(),
    });
    expect(await isListed()).toEqual({ inShop: true, inFeed: true, inColors: true, inSearch: true, count: all });
    expect(await retireProduct(shop.db, ada, product.id)).toEqual({ ok: true });
    expect(await isListed()).toEqual({
      inShop: false,
      inFeed: false,
      inColors: false,
      inSearch: false,
      count: all - 1,
    });
    const page = await getProductPage(shop.db, product.slug);
    expect(page && productDetailsOf(page.product)).toMatchObject({ stockMessage: "No longer sold", isInStock: false });
    const out = await listProducts(shop.db, parseFilters(new URLSearchParams("availability=out-of-stock")));
    expect(out.count).toBe(out.products.length);
    await unretireProduct(shop.db, ada, product.id);
    expect(await isListed()).toEqual({ inShop: true, inFeed: true, inColors: true, inSearch: true, count: all });
    expect((await find(product.slug)).isAvailable).toBe(false);
  });

  it("has at most six pictures, and is deleted only if nobody ordered it", async () => {
    const values = { ...valuesOf(await find("charging-dock")), slug: "new-one" };
    const made = await createProduct(shop.db, ada, values, ["u-1"]);
    if (!made.ok) throw new Error("not made");
    expect(await createProduct(shop.db, ada, values, [])).toEqual({ ok: false, reason: "slug-taken" });
    const many = ["1", "2", "3", "4", "5", "6", "7"];
    expect(await changePictures(shop.db, ada, made.id, () => ({ images: many, pictureAlts: {} }))).toMatchObject({
      reason: "too-many",
    });
    await changePictures(shop.db, ada, made.id, (now) => ({ ...now, images: ["u-2", ...now.images] }));
    expect(await find("new-one")).toMatchObject({ images: ["u-2", "u-1"], thumbnail: "u-2", inventoryCount: 0 });
    await placedOrder(shop.db, { "new-one": 1 });
    expect(await deleteProduct(shop.db, ada, made.id)).toMatchObject({ reason: "ordered" });
    await shop.pool.query("DELETE FROM order_items WHERE product_id = $1", [made.id]);
    expect(await deleteProduct(shop.db, ada, made.id)).toMatchObject({ ok: true });
    expect(await getProductRecord(shop.db, made.id)).toBeNull();
  });
});

describe("the list", () => {
  it.each(["name", "stock", "updated"] as const)("lists each product once across pages, by %s", async (sort) => {
    if (sort === "name") await addCopies(shop.pool, 12);
    const seen: string[] = [];
    let after: string | null = null;
    let total: number;
    do {
      const page: Awaited<ReturnType<typeof listAllProducts>> = await listAllProducts(shop.db, {
        ...everything,
        sort,
        after,
      });
      expect(page.rows.length).toBeLessThanOrEqual(50);
      seen.push(...page.rows.map(({ id }) => id));
      ({ next: after, count: total } = page);
    } while (after);
    expect(new Set(seen).size).toBe(total);
    expect(seen).toHaveLength(total);
  });

  it.each([
    [{ search: "POLARA pro" }, ({ name }: { name: string }) => name.startsWith("Polara Pro")],
    [{ search: "100%" }, () => false],
    [{ state: "retired" as const }, ({ isRetired }: { isRetired: boolean }) => isRetired],
    [{ state: "none" as const, category: "Pro" as const }, ({ units }: { units: number }) => units === 0],
    [{ color: "Earth Green" as const }, ({ color }: { color: string | null }) => color === "Earth Green"],
  ])("filters by %o", async (filter, passes) => {
    const { rows } = await listAllProducts(shop.db, { ...everything, ...filter });
    expect(rows.every(passes as never)).toBe(true);
  });

  it("ignores an invalid cursor", async () => {
    const first = await listAllProducts(shop.db, { ...everything, sort: "stock" });
    for (const after of ["x", `${randomUUID()} 99999999999`])
      expect((await listAllProducts(shop.db, { ...everything, sort: "stock", after })).rows).toEqual(first.rows);
  });
});
