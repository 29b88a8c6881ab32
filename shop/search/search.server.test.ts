import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { posts } from "#shop/content/texts.server.ts";
import { textDocuments } from "./documents.server.ts";
import { fillSearch, searchShop } from "./search.server.ts";
import { isLegal, plainTexts } from "#shop/pages.ts";
import { setUnits } from "#tests/support/stock.ts";

const shop = useFreshDatabase();
beforeAll(() => fillSearch(shop.db, textDocuments()));

const plain = (pieces: { text: string }[]) => pieces.map(({ text }) => text).join("");

async function search(query: string) {
  const { results, corrected } = await searchShop(shop.db, query);
  return {
    results,
    corrected,
    titles: results.map(({ title }) => plain(title)),
    paths: results.map(({ path }) => path),
  };
}

const pros = ["Polara Pro Midnight Black", "Polara Pro Earth Green", "Polara Pro Frost White"];
const filters = ["Ethylene Filter 2-Pack", "Ethylene Filter 6-Pack"];

describe("products found by name come first", () => {
  it.each<[string, string[]]>([
    ["filter", filters],
    ["filters", filters],
    ["FILTER", filters],
    ["filt", filters],
    ["ethylene filter", filters],
    ["filter ethylene", filters],
    ["6 pack", ["Ethylene Filter 6-Pack"]],
    ["2-pack", ["Ethylene Filter 2-Pack"]],
    ["earth green", ["Polara Pro Earth Green", "Polara Classic Earth Green", "Travel Sleeve"]],
    // Whole words come before prefixes: produce.
    ["pro", [...pros, "Produce Basket"]],
    ["gaskets", ["Lid Gasket Set"]],
    ["charging", ["Charging Dock"]],
    ["accessories", [...filters, "Charging Dock", "Travel Sleeve", "Produce Basket", "Lid Gasket Set"]],
  ])("%s", async (query, expected) => {
    const { titles, corrected } = await search(query);
    expect(titles.slice(0, expected.length)).toEqual(expected);
    expect(corrected).toBeNull();
  });
});

describe("texts", () => {
  it.each([
    ["how it works", "/how-it-works"],
    ["about", "/about"],
    ["chilling injury", "/science"],
    ["what one apple does", "/blog/what-one-apple-does-to-your-greens"],
    ["change the filter how", "/support#filter"],
    ["refunds", "/warranty#refunds"],
    ["cookies", "/privacy#cookies"],
    ["arbitr", "/terms#arbitration"],
    ["shipping", "/terms#shipping"],
    ["30 day returns", "/warranty#return-policy"],
    ["privacy policy", "/privacy"],
    // Questions about every bowl link to the first bowl's page.
    ["why not just the fridge", "/product/polara-pro-midnight-black#faqs"],
    ["how long does the battery last", "/product/polara-pro-midnight-black#faqs"],
  ])("%s leads to %s", async (query, path) => {
    expect((await search(query)).paths[0]).toBe(path);
  });

  it("legal texts that only mention a word come last", async () => {
    const { results } = await search("battery");
    const firstLegal = results.findIndex(({ kind }) => kind === "policy");
    expect(firstLegal).toBeGreaterThan(0);
    expect(results.slice(firstLegal).every(({ kind }) => kind === "policy")).toBe(true);
  });

  it("finds every post, page and policy section", () => {
    const paths = new Set(textDocuments().map(({ path }) => path));
    for (const { slug } of posts()) expect(paths).toContain(`/blog/${slug}`);
    for (const page of plainTexts) expect(paths).toContain(isLegal(page) ? `${page.path}#contact` : page.path);
    expect(paths).toContain("/warranty#out-of-warranty");
  });

  it("finds parts of words, also longer than the stem", async () => {
    for (const query of ["humid", "humidi", "humidit", "humidity"]) {
      expect((await search(query)).paths, query).toContain("/how-it-works");
    }
  });

  it("marks the words found in an excerpt, but not stop words", async () => {
    const { results } = await search("how long does the battery last");
    const marked = results[0]?.title.filter(({ hit }) => hit).map(({ text }) => text);
    expect(marked).toEqual(["long", "battery", "last"]);
  });
});

it("shows the short description of a product, whatever matched", async () => {
  const { results } = await search("usb-c cable");
  const excerpts = results.flatMap(({ product, excerpt }) => (product ? [plain(excerpt)] : []));
  expect(excerpts).toContain("Set the bowl down and it charges.");
  expect(excerpts.join(" ")).not.toContain("USB");
});

describe("misspelled", () => {
  it.each<[string, string, string]>([
    ["ethylen filtr", "ethylene filter", "Ethylene Filter 2-Pack"],
    ["erth green", "earth green", "Polara Pro Earth Green"],
    ["balck", "black", "Polara Pro Midnight Black"],
    ["midnihgt", "midnight", "Polara Pro Midnight Black"],
    ["slevee", "sleeve", "Travel Sleeve"],
    ["charger", "charge", "Charging Dock"],
    ["refnuds", "refunds", "Refunds"],
  ])("%s finds %s", async (query, corrected, first) => {
    const found = await search(query);
    expect(found.corrected).toBe(corrected);
    expect(found.titles[0]).toBe(first);
  });

  it.each(["fulltre", "grooon", "abcd", "blaaaack"])("%s is too far from any word", async (query) => {
    expect((await search(query)).corrected).toBeNull();
  });
});

describe("a meaningless query is not an error", () => {
  it.each<[string, string]>([
    ["nothing", ""],
    ["spaces", "   "],
    ["unknown words", "xyzzy qwrtz"],
    ["signs", "& | ! ( ) <-> :* %_% \\ {}"],
    ["nulls and halves of letters", "\u0000\ufffd\ud800"],
    ["pictures", "🥬🍎"],
    ["another script", "保鲜盒 ﷺ ⅷ ٣ ñ"],
    ["a very long word", "q".repeat(10_000)],
    ["small words only", "of and is"],
  ])("%s: finds nothing", async (_name, query) => {
    expect(await searchShop(shop.db, query)).toEqual({ results: [], corrected: null });
  });

  it.each<[string, string]>([
    ["quotes", "''; DROP TABLE products; --"],
    ["the syntax of a tsquery", "filter:* & !green <-> (pro | 'x':A)"],
    ["the syntax of an array", '{"a","filter"}'],
    ["ten thousand letters in words", "filter ".repeat(1_500)],
  ])("%s: is searched as words", async (_name, query) => {
    expect((await searchShop(shop.db, query)).results.length).toBeGreaterThan(0);
  });

  it("finds a known word among unknown ones", async () => {
    expect((await search("green unicorn")).titles).toContain("Polara Pro Earth Green");
  });
});

describe("several processes", () => {
  it("find a new name and a new price at once", async () => {
    const is = eq(products.slug, "travel-sleeve");
    await shop.db.update(products).set({ name: "Picnic Holster", priceCents: 21_00 }).where(is);
    const { results, titles } = await search("holster");
    expect(titles).toEqual(["Picnic Holster"]);
    expect(results[0]?.product?.priceCents).toBe(21_00);
    expect((await search("travel sleeve")).titles[0]).not.toBe("Travel Sleeve");
    // Corrections know the new word.
    expect((await search("holsetr")).corrected).toBe("holster");
    await shop.db.update(products).set({ name: "Travel Sleeve", priceCents: 19_00 }).where(is);
  });

  it("find a product until it is removed", async () => {
    const [made] = await shop.db
      .insert(products)
      .values({
        name: "Zester",
        slug: "zester",
        shortDescription: "For limes.",
        description: "Sharp.",
        priceCents: 9_00,
        category: "Accessories",
      })
      .returning();
    expect((await search("zester")).paths).toEqual(["/product/zester"]);
    await shop.db.delete(products).where(eq(products.id, made?.id ?? ""));
    expect((await search("zester")).paths).toEqual([]);
  });

  it("show an early-bird price until its end", async () => {
    const is = eq(products.slug, "charging-dock");
    const inAnHour = new Date(Date.now() + 3_600_000);
    await shop.db.update(products).set({ earlyBirdPriceCents: 29_00, earlyBirdEndDate: inAnHour }).where(is);
    expect((await search("dock")).results[0]?.product).toMatchObject({ priceCents: 39_00, earlyBirdPriceCents: 29_00 });
    await shop.db
      .update(products)
      .set({ earlyBirdEndDate: new Date(0) })
      .where(is);
    expect((await search("dock")).results[0]?.product).toMatchObject({ priceCents: 39_00, earlyBirdPriceCents: null });
  });

  it("index each text once when they start together, and remove deleted texts", async () => {
    const texts = textDocuments();
    const gone = { ...texts[0]!, id: "/gone", path: "/gone", title: "Gone fishing" };
    await Promise.all([fillSearch(shop.db, [...texts, gone]), fillSearch(shop.db, texts), fillSearch(shop.db, texts)]);
    await fillSearch(shop.db, texts);
    expect((await search("fishing")).paths).not.toContain("/gone");
    const { rows } = await shop.pool.query(
      "SELECT count(*)::int AS count FROM search_documents WHERE product_id IS NULL",
    );
    expect(rows).toEqual([{ count: texts.length }]);
  });

  it("a sale changes nothing in the search index", async () => {
    const stamp = () => shop.pool.query("SELECT xmin, ctid FROM search_documents WHERE kind = 'product' ORDER BY id");
    const before = (await stamp()).rows;
    await setUnits(shop.pool, "charging-dock", 12);
    expect((await stamp()).rows).toEqual(before);
  });
});

describe("among many products", () => {
  const add = (count: number, name: string, featured = false) =>
    shop.pool.query(
      `INSERT INTO products (name, slug, short_description, description, price, category, featured)
       SELECT $1 || ' ' || n, gen_random_uuid()::text, '', '', 100, 'Accessories', $2 FROM generate_series(1, $3::int) AS n`,
      [name, featured, count],
    );
  beforeAll(async () => {
    await add(260, "Quilted Lampshade");
    await add(1, "Quilted Zeppelin");
    await add(1, "Quilted Lampshade of the Season", true);
    await add(60, "Brass Candlestick");
    await add(1, "Brass Lampshade");
    await add(1, "Quilted Periscope");
  });

  it.each([
    ["what many are named", "lampshade", 24, "Lampshade"],
    ["what many are named, half typed", "lampsh", 24, "Lampshade"],
    ["the only one of its name", "zeppelin", 1, "Quilted Zeppelin 1"],
    ["the only one, half typed, with a word of many", "quilt zepp", 1, "Quilted Zeppelin 1"],
    ["the only one that has two words of many", "brass lampshade", 1, "Brass Lampshade 1"],
  ])("%s", async (_, query, count, name) => {
    const { titles, corrected } = await search(query);
    expect(corrected).toBeNull();
    expect(titles).toHaveLength(count);
    if (count === 1) expect(titles).toEqual([name]);
    else for (const title of titles) expect(title).toContain(name);
  });

  it("featured products come first", async () => {
    expect((await search("lampshade")).titles[0]).toBe("Quilted Lampshade of the Season 1");
  });

  it("without a match of all words, matches of one are found", async () => {
    const { titles } = await search("zeppelin candlestick");
    expect(titles).toHaveLength(24);
    for (const title of titles) expect(title).toMatch(/Zeppelin|Candlestick/);
  });
});
