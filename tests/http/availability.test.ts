/** Availability in every place where one buys: one rule, and never a later day beside 'In Stock'. */
import { beforeAll, describe, expect, it } from "vitest";
import { emailTo } from "../support/mailbox.ts";
import { textOf } from "../support/page-data.ts";
import { someEmail, useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const { shop, database } = useShop();
const DAY = "January 12, 2100";
const SHIPS = `Ships ${DAY}`;

type Is = { words: string; note: string | null; schema: string; feed: string };
const PRODUCTS: [slug: string, columns: string | null, is: Is][] = [
  ["polara-classic-midnight-black", null, { words: "In Stock", note: null, schema: "InStock", feed: "in_stock" }],
  [
    "polara-pro-midnight-black",
    "ships_from = '2100-01-12'",
    { words: SHIPS, note: SHIPS, schema: "PreOrder", feed: "preorder" },
  ],
  [
    "polara-pro-frost-white",
    "ships_from = '2100-01-12'",
    {
      words: `Only 7 left, ships ${DAY}`,
      note: `Only 7 left, ships ${DAY}`,
      schema: "PreOrder",
      feed: "preorder",
    },
  ],
  [
    "polara-classic-earth-green",
    "ships_from = '2100-01-12'",
    { words: "Out of Stock", note: "Out of Stock", schema: "OutOfStock", feed: "out_of_stock" },
  ],
  [
    "charging-dock",
    "waitlist_only_until = '2100-01-12 17:00Z'",
    {
      words: `Waitlist first: by invitation now, for everyone starting ${DAY}`,
      note: "Waitlist first",
      schema: "OutOfStock",
      feed: "out_of_stock",
    },
  ],
];

beforeAll(async () => {
  for (const [slug, columns] of PRODUCTS) {
    if (columns) await database.pool.query(`UPDATE products SET ${columns} WHERE slug = '${slug}'`);
  }
});

const get = async (path: string) => (await fetch(shop.url + path)).text();
/** Words as they are read. */
const blocks = (html: string, from: string, to: string) =>
  html
    .split(from)
    .slice(1)
    .map((rest) => rest.split(to)[0]);
/** The block whose first link leads to the product; the others of a card lead to its other colors. */
const blockOf = (slug: string, found: (string | undefined)[]) =>
  textOf(found.find((block) => /href="\/product\/([^"]+)"/.exec(block ?? "")?.[1] === slug));
/** 'In Stock', a ship day, or both, which nothing may say. */
const said = (text: string) =>
  new Set(text.match(/In Stock|[Ss]hips (?=January)/g)?.map((words) => words.toLowerCase()));
const nameOf = (slug: string) => slug.replaceAll("-", " ");

type Found = { results: { path: string; product: { note: string | null } | null }[] };

/** Places with the whole words, and those with a note in place of 'In Stock'. */
const PLACES: [place: string, isNote: boolean, read: (slug: string) => Promise<string>][] = [
  ["a card", true, async (slug) => blockOf(slug, blocks(await get("/shop"), "<article", "</article>"))],
  [
    "the product page",
    false,
    async (slug) => textOf(blocks(await get(`/product/${slug}`), '<section aria-label="Buy"', "</section>")[0]),
  ],
  [
    "a search result",
    true,
    async (slug) => blockOf(slug, blocks(await get(`/search?q=${nameOf(slug)}`), "<li", "</li>")),
  ],
  [
    "a search suggestion",
    true,
    async (slug) => {
      const { results } = JSON.parse(await get(`/search.json?q=${nameOf(slug)}`)) as Found;
      return results.find(({ path }) => path === `/product/${slug}`)?.product?.note ?? "";
    },
  ],
  ["the Markdown page", false, (slug) => get(`/product/${slug}.md`)],
  [
    "the Markdown list",
    false,
    async (slug) => (await get("/shop.md")).split("\n").find((row) => row.includes(`/${slug}.md`)) ?? "",
  ],
  [
    "the catalog API",
    false,
    async (slug) => (JSON.parse(await get(`/api/products/${slug}`)) as { stockMessage: string }).stockMessage,
  ],
];

describe.each(PRODUCTS)("%s", (slug, _columns, { words, note, schema, feed }) => {
  it.each(PLACES)("says so in %s", async (_place, isNote, read) => {
    const text = await read(slug);
    expect(text).toContain((isNote ? note : words) ?? "");
    expect(said(text)).toEqual(said((isNote ? note : words) ?? ""));
  });

  it("says so to programs", async () => {
    expect(await get(`/product/${slug}`)).toContain(`"availability":"https://schema.org/${schema}"`);
    const item = blocks(await get("/feeds/google.xml"), "<item>", "</item>").find((one) => one?.includes(`>${slug}<`));
    expect(item).toContain(`<g:availability>${feed}</g:availability>`);
    const { availability, shipsFrom } = JSON.parse(await get(`/api/products/${slug}`)) as Record<string, unknown>;
    expect([availability, shipsFrom]).toEqual([feed, feed === "preorder" ? "2100-01-12" : null]);
  });
});

it("the bar of a phone names the day of a pre-order only", async () => {
  const bar = async (slug: string) => textOf(blocks(await get(`/product/${slug}`), '<div class="buy-bar', "<form")[0]);
  expect(await bar("polara-pro-midnight-black")).toContain(SHIPS);
  for (const [slug] of PRODUCTS.filter(([, , { feed }]) => feed !== "preorder")) {
    expect(said(await bar(slug))).toEqual(new Set());
  }
});

it("the comparison names what each model says", async () => {
  const table = textOf(
    blocks(await get("/product/polara-pro-midnight-black"), '<table class="w-full table-fixed', "</table>")[0],
  );
  expect(table).toMatch(new RegExp(`\\$99.00 .*\\$89.00 .* Availability ${SHIPS} .*In Stock`));
});

it("home says it beside Pre-Order, and for the chosen color", async () => {
  const hero = async () => textOf(blocks(await get("/"), ">Pre-Order<", "</section>")[0]);
  expect(await hero()).toContain("In stock in Earth Green. Nothing to pay today.");
  const chosen = textOf(blocks(await get("/"), 'id="featured"', "</section>")[0]);
  expect(chosen).toContain(SHIPS);
  expect(chosen).not.toContain("In Stock");
  await database.pool.query("UPDATE products SET ships_from = '2100-01-12' WHERE slug = 'polara-pro-earth-green'");
  await expect.poll(hero).toContain(`${SHIPS}. `);
  expect(await hero()).not.toMatch(/in stock|nothing to pay/i);
});

it("cart, checkout, confirmation and the order's page keep the promise of the day of the order", async () => {
  const promise = `Pre-order, ships ${DAY}`;
  const guest = new Visitor(shop.url);
  await guest.add("polara-pro-midnight-black");
  await guest.add("travel-sleeve");
  const times = async (path: string) => textOf(await (await guest.fetch(path)).text()).split(promise).length - 1;
  // At checkout also above the summary, which a phone folds.
  expect([await times("/cart"), await times("/checkout")]).toEqual([1, 2]);
  const email = someEmail();
  expect((await guest.checkout({ email })).status).toBe(200);
  await database.pool.query("UPDATE products SET ships_from = NULL");
  const confirmation = await emailTo(shop.url, email, "Your Polara order");
  expect(confirmation.text.split(promise)).toHaveLength(2);
  const { pathname, search } = new URL(confirmation.links.find((link) => link.includes("?k="))!);
  await guest.fetch(pathname + search);
  expect(textOf(await (await guest.fetch(pathname)).text()).split(promise)).toHaveLength(2);
});
