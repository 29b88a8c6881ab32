import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../db/connection.server.ts";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";
import { products } from "../catalog/product.tables.ts";
import { posts } from "../content/texts.server.ts";
import { textDocuments } from "./documents.server.ts";
import { fillSearch, searchShop } from "./search.server.ts";
import { isLegal, plainTexts } from "../pages.ts";
import { setUnits } from "../../tests/support/stock.ts";

const kept = useFreshDatabase();
beforeAll(() => fillSearch(kept.db, textDocuments()));

const plain = (pieces: { text: string }[]) => pieces.map(({ text }) => text).join("");

async function search(query: string) {
  const { results, corrected } = await searchShop(kept.db, query);
  return {
    results,
    corrected,
    titles: results.map(({ title }) => plain(title)),
    paths: results.map(({ path }) => path),
  };
}

const pros = ["Polara Pro Midnight Black", "Polara Pro Earth Green", "Polara Pro Frost White"];
const filters = ["Ethylene Filter 2-Pack", "Ethylene Filter 6-Pack"];

describe("products by name come first", () => {
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
    // The whole word before the beginning of another: produce.
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
    // What is true of every bowl is answered on the page of the first one.
    ["clean", "/product/polara-pro-midnight-black#faqs"],
  ])("%s leads to %s", async (query, path) => {
    expect((await search(query)).paths[0]).toBe(path);
  });

  it("every post, plain text and section of a policy can be found", () => {
    const paths = new Set(textDocuments().map(({ path }) => path));
    for (const { slug } of posts) expect(paths).toContain(`/blog/${slug}`);
    for (const page of plainTexts) expect(paths).toContain(isLegal(page) ? `${page.path}#contact` : page.path);
    expect(paths).toContain("/warranty#out-of-warranty");
  });

  it("half a word is enough, where its stem is shorter too", async () => {
    for (const query of ["humid", "humidi", "humidit", "humidity"]) {
      expect((await search(query)).paths, query).toContain("/how-it-works");
    }
  });

  it("an excerpt marks what was asked for, and not the small words", async () => {
    const { results } = await search("how long does the battery last");
    const marked = results[0]?.title.filter(({ hit }) => hit).map(({ text }) => text);
    expect(marked).toEqual(["long", "battery", "last"]);
  });
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

  it.each(["fulltre", "grooon", "abcd", "blaaaack"])("%s is too far from any word to be corrected", async (query) => {
    expect((await search(query)).corrected).toBeNull();
  });

  it.each(["pg_trgm", "fuzzystrmatch"])("a database without %s searches on, without correcting", async (extension) => {
    const { db, pool } = openDatabase(kept.url, 1);
    await db.execute(sql`BEGIN`);
    await db.execute(sql.raw(`DROP EXTENSION ${extension} CASCADE`));
    expect((await searchShop(db, "filter")).results.length).toBeGreaterThan(2);
    expect(await searchShop(db, "erthh")).toEqual({ results: [], corrected: null });
    expect((await searchShop(db, "erth green")).results[0]?.path).toContain("green");
    await db.execute(sql`ROLLBACK`);
    await pool.end();
    expect((await search("erth green")).corrected).toBe("earth green");
  });
});

describe("nonsense is never an error", () => {
  it.each<[string, string]>([
    ["nothing", ""],
    ["spaces", "   "],
    ["unknown words", "xyzzy plugh"],
    ["signs", "& | ! ( ) <-> :* %_% \\ {}"],
    ["nulls and halves of letters", "\u0000\ufffd\ud800"],
    ["pictures", "🥬🍎"],
    ["another script", "保鲜盒 ﷺ ⅷ ٣ ñ"],
    ["a very long word", "q".repeat(10_000)],
    ["small words only", "of and is"],
  ])("%s: finds nothing", async (_name, query) => {
    expect(await searchShop(kept.db, query)).toEqual({ results: [], corrected: null });
  });

  it.each<[string, string]>([
    ["quotes", "''; DROP TABLE products; --"],
    ["the syntax of a tsquery", "filter:* & !green <-> (pro | 'x':A)"],
    ["the syntax of an array", '{"a","filter"}'],
    ["ten thousand letters in words", "filter ".repeat(1_500)],
  ])("%s: is searched as words", async (_name, query) => {
    expect((await searchShop(kept.db, query)).results.length).toBeGreaterThan(0);
  });

  it("a known word among unknown ones is found", async () => {
    expect((await search("green unicorn")).titles).toContain("Polara Pro Earth Green");
  });
});

describe("several processes on one database", () => {
  it("a new name, and a new price, are found at once", async () => {
    const is = eq(products.slug, "travel-sleeve");
    await kept.db.update(products).set({ name: "Picnic Holster", priceCents: 21_00 }).where(is);
    const { results, titles } = await search("holster");
    expect(titles).toEqual(["Picnic Holster"]);
    expect(results[0]?.product?.priceCents).toBe(21_00);
    expect((await search("travel sleeve")).titles[0]).not.toBe("Travel Sleeve");
    // The new word is known to the corrections too.
    expect((await search("holsetr")).corrected).toBe("holster");
    await kept.db.update(products).set({ name: "Travel Sleeve", priceCents: 19_00 }).where(is);
  });

  it("a product comes and goes", async () => {
    const [made] = await kept.db
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
    await kept.db.delete(products).where(eq(products.id, made?.id ?? ""));
    expect((await search("zester")).paths).toEqual([]);
  });

  it("an early-bird price shows while it runs, and not after", async () => {
    const is = eq(products.slug, "charging-dock");
    const inAnHour = new Date(Date.now() + 3_600_000);
    await kept.db.update(products).set({ earlyBirdPriceCents: 29_00, earlyBirdEndDate: inAnHour }).where(is);
    expect((await search("dock")).results[0]?.product).toMatchObject({ priceCents: 39_00, earlyBirdPriceCents: 29_00 });
    await kept.db
      .update(products)
      .set({ earlyBirdEndDate: new Date(0) })
      .where(is);
    expect((await search("dock")).results[0]?.product).toMatchObject({ priceCents: 39_00, earlyBirdPriceCents: null });
  });

  it("starts that overlap leave each text once, and texts that are gone are forgotten", async () => {
    const texts = textDocuments();
    const gone = { ...texts[0]!, id: "/gone", path: "/gone", title: "Gone fishing" };
    await Promise.all([fillSearch(kept.db, [...texts, gone]), fillSearch(kept.db, texts), fillSearch(kept.db, texts)]);
    await fillSearch(kept.db, texts);
    expect((await search("fishing")).paths).not.toContain("/gone");
    const { rows } = await kept.pool.query(
      "SELECT count(*)::int AS count FROM search_documents WHERE product_id IS NULL",
    );
    expect(rows).toEqual([{ count: texts.length }]);
  });

  it("a sale writes nothing for the search", async () => {
    const stamp = () => kept.pool.query("SELECT xmin, ctid FROM search_documents WHERE kind = 'product' ORDER BY id");
    const before = (await stamp()).rows;
    await setUnits(kept.pool, "charging-dock", 12);
    expect((await stamp()).rows).toEqual(before);
  });
});

describe("among many products", () => {
  /** The beginning of the id says whether a product is one of the sample. */
  const add = (
    count: number,
    { name, begin = "ff", featured = false }: { name: string; begin?: string; featured?: boolean },
  ) =>
    kept.pool.query(
      `INSERT INTO products (id, name, slug, short_description, description, price, category, featured)
       SELECT ($1 || substr(gen_random_uuid()::text, 3))::uuid, $2 || ' ' || n, gen_random_uuid()::text, '', '', 100, 'Accessories', $3
       FROM generate_series(1, $4::int) AS n`,
      [begin, name, featured, count],
    );
  beforeAll(async () => {
    await add(60, { name: "Quilted Lampshade", begin: "01" });
    await add(200, { name: "Quilted Lampshade" });
    await add(1, { name: "Quilted Zeppelin" });
    await add(1, { name: "Quilted Lampshade of the Season", featured: true });
    await add(60, { name: "Brass Candlestick", begin: "01" });
    await add(1, { name: "Brass Lampshade" });
    await add(1, { name: "Brass Periscope", begin: "01" });
    await add(1, { name: "Quilted Periscope" });
  });

  it.each([
    ["what many are named", "lampshade", 24, "Lampshade"],
    ["what many are named, half typed", "lampsh", 24, "Lampshade"],
    ["the only one of its name", "zeppelin", 1, "Quilted Zeppelin 1"],
    ["the only one, half typed beside a word of many", "quilt zepp", 1, "Quilted Zeppelin 1"],
    ["the only one of a name of few, of whom one is in the sample", "quilted periscope", 1, "Quilted Periscope 1"],
    ["the only one that has two words of many", "brass lampshade", 1, "Brass Lampshade 1"],
  ])("%s", async (_, query, count, name) => {
    const { titles, corrected } = await search(query);
    expect(corrected).toBeNull();
    expect(titles).toHaveLength(count);
    if (count === 1) expect(titles).toEqual([name]);
    else for (const title of titles) expect(title).toContain(name);
  });

  it("what is featured comes first, wherever it stands", async () => {
    expect((await search("lampshade")).titles[0]).toBe("Quilted Lampshade of the Season 1");
  });

  it("where nothing has all the words, what has one of them", async () => {
    const { titles } = await search("zeppelin candlestick");
    expect(titles).toHaveLength(24);
    for (const title of titles) expect(title).toMatch(/Zeppelin|Candlestick/);
  });
});
