import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PRODUCT_FIELDS } from "#shop/catalog/back-office/product-form.ts";
import { shipDayWords } from "#shop/catalog/stock.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { fieldsOf } from "../support/page-data.ts";
import type { StaffMember } from "../support/staff-member.ts";
import { useShop } from "../support/use-shop.ts";

const folder = mkdtempSync(join(tmpdir(), "polara-products-"));
const { shop, database, staff } = useShop({ DATA_DIR: folder });
let manager: StaffMember;
let packer: StaffMember;

beforeAll(async () => {
  [manager, packer] = [await staff("manager"), await staff("packer")];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const one = async (slug: string) => {
  const { rows } = await database.pool.query("SELECT * FROM products WHERE slug = $1", [slug]);
  return rows[0];
};
const pathOf = async (slug: string) => `/admin/products/${(await one(slug)).id}`;
const text = (html: string) => html.replaceAll(/<!--.*?-->/g, "").replaceAll("&#x27;", "'");

/** The unchanged product form. */
const formOf = async (member: StaffMember, slug: string) =>
  fieldsOf(await (await member.visitor.fetch(await pathOf(slug))).text(), "edit");

/** A low one is encoded soon. */
const picture = (width = 1300, height = 400) =>
  sharp({ create: { width, height, channels: 3, background: "#7b8467" } })
    .withExif({ IFD0: { Copyright: "where I live" } })
    .jpeg()
    .toBuffer();

function upload(member: StaffMember, path: string, fields: Record<string, string>, files: Uint8Array[]) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  for (const [index, file] of files.entries()) {
    body.append("pictures", new Blob([new Uint8Array(file)], { type: "image/jpeg" }), `${index}.jpg`);
  }
  return member.visitor.fetch(path, { method: "POST", body, headers: { Origin: shop.url, Accept: "text/html" } });
}

it("filters the list by its address", async () => {
  const html = await (await manager.visitor.fetch("/admin/products?q=polara+pro&color=Earth+Green")).text();
  expect(html).toContain("Polara Pro Earth Green");
  expect(html).not.toContain("Travel Sleeve");
});

it("says the same of a sold-out product in the list and on its page", async () => {
  const list = await (await manager.visitor.fetch("/admin/products?q=polara+classic+earth")).text();
  const page = await (await manager.visitor.fetch(await pathOf("polara-classic-earth-green"))).text();
  for (const html of [list, page]) expect(text(html)).toMatch(/>Sold out<\/span>/);
  const available = await (await manager.visitor.fetch("/admin/products?q=polara+classic&state=available")).text();
  expect(available).not.toContain("Polara Classic Earth Green");
});

describe("an edit", () => {
  it("reaches shoppers within two seconds", async () => {
    const fields = { ...(await formOf(manager, "travel-sleeve")), price: "21.50" };
    const page = async () => (await fetch(`${shop.url}/product/travel-sleeve`)).text();
    expect(await page()).toContain("$19.00");
    const done = await manager.visitor.post(`${await pathOf("travel-sleeve")}?intent=edit`, fields);
    expect([done.status, text(await done.text())]).toEqual([
      200,
      expect.stringContaining("Saved price. Changes are live."),
    ]);
    await expect.poll(page, { timeout: 2_000, interval: 50 }).toContain("$21.50");
  });

  it("needs a recent verification for a price, but not for text", async () => {
    const stale = await staff("manager", { isFresh: false });
    const path = `${await pathOf("charging-dock")}?intent=edit`;
    const fields = { ...(await formOf(stale, "charging-dock")), shortDescription: "Down it goes." };
    expect((await stale.visitor.post(path, fields)).status).toBe(200);
    const dearer = { ...(await formOf(stale, "charging-dock")), price: "45" };
    const refused = await stale.visitor.post(path, dearer);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('value="45"');
    expect((await one("charging-dock")).price).toBe(39_00);
    expect((await stale.visitor.post(path, { ...dearer, code: await stale.code() })).status).toBe(200);
    expect((await one("charging-dock")).price).toBe(45_00);
  });

  it("keeps what was typed, with errors at their fields", async () => {
    const fields = { ...(await formOf(manager, "charging-dock")), name: "Dock of mine", price: "cheap" };
    const answer = await manager.visitor.post(`${await pathOf("charging-dock")}?intent=edit`, fields);
    const html = text(await answer.text());
    expect(answer.status).toBe(400);
    for (const part of ["Enter a price in dollars", 'value="cheap"', 'value="Dock of mine"'])
      expect(html).toContain(part);
  });

  it("has its tax code in a fold, which an error opens", async () => {
    const path = await pathOf("charging-dock");
    const fold = (html: string) => /<details[^>]*>(?=<summary[^>]*>More<)/.exec(html)?.[0];
    expect(fold(await (await manager.visitor.fetch(path)).text())).not.toContain("open");
    const fields = { ...(await formOf(manager, "charging-dock")), taxCode: "wine" };
    const refused = await manager.visitor.post(`${path}?intent=edit`, fields);
    expect(fold(await refused.text())).toContain("open");
  });

  it("after a colleague's names what they changed, and may overwrite it", async () => {
    const fields = await formOf(manager, "charging-dock");
    const second = await staff("owner", { name: "Olive" });
    const path = `${await pathOf("charging-dock")}?intent=edit`;
    await second.visitor.post(path, { ...(await formOf(second, "charging-dock")), name: "Dock of Olive" });
    const answer = await manager.visitor.post(path, { ...fields, description: "Mine." });
    const html = text(await answer.text());
    expect(answer.status).toBe(409);
    expect(html).toContain("Olive changed name");
    expect(html).toContain(">Mine.</textarea>");
    const over = /value="(\d+)"[^>]*name="over"/.exec(html)?.[1] ?? "";
    expect((await manager.visitor.post(path, { ...fields, description: "Mine.", over })).status).toBe(200);
    expect((await one("charging-dock")).description).toBe("Mine.");
  });

  it("is previewed as shoppers would see it", async () => {
    const { id } = await one("polara-pro-earth-green");
    const fields = {
      ...(await formOf(manager, "polara-pro-earth-green")),
      name: "Polara Pro Next",
      earlyBirdPrice: "88",
    };
    const answer = await manager.visitor.post(`/admin/products/preview?intent=preview&id=${id}`, fields);
    const html = text(await answer.text());
    expect(answer.status).toBe(200);
    for (const part of ["Polara Pro Next", "$88.00", "pro-earth-green-hero-800.webp", "Early Bird Ends In"])
      expect(html).toContain(part);
    expect((await one("polara-pro-earth-green")).early_bird_price).toBe(99_00);
  });
});

describe("stock", () => {
  it("is adjusted by packers, who edit nothing", async () => {
    const path = await pathOf("polara-pro-frost-white");
    const html = await (await packer.visitor.fetch(path)).text();
    expect(html).not.toContain("intent=edit");
    expect(html).toContain("battery life: 48 hours");
    const steps = async ({ visitor }: StaffMember) => text(await (await visitor.fetch("/admin")).text());
    expect(await steps(manager)).toContain("Check your products");
    expect(await steps(packer)).not.toContain("Prices, stock, texts");
    const formKey = /name="formKey" value="([^"]+)"/.exec(html)?.[1] ?? "";
    const move = { reason: "received", units: "20", note: "Pallet 4", formKey };
    const answer = await packer.visitor.post(`${path}?intent=stock`, move);
    expect(text(await answer.text())).toContain("20 units more: 27 units available.");
  });
});

it.each(["/admin/products/new", "polara-classic-earth-green"])(
  "the form at %s has an input for each field",
  async (at) => {
    const path = at.startsWith("/") ? at : await pathOf(at);
    const html = await (await manager.visitor.fetch(path)).text();
    // A missing input would be read as an empty one, and clear its column.
    for (const field of PRODUCT_FIELDS) expect(html, field).toContain(`name="${field}"`);
  },
);

describe("a new product", () => {
  const shipsFrom = daysAfter(newYorkDay(new Date()), 400);
  const typed = {
    name: "Polara Mini",
    slug: "polara-mini",
    shortDescription: "The small one.",
    description: "It is smaller.",
    specs: "weight lb: 2",
    category: "Classic",
    colorVariant: "",
    price: "59",
    compareAtPrice: "",
    earlyBirdPrice: "",
    earlyBirdEnd: "",
    shipsFrom,
    isAvailable: "on",
  };
  const NEW = "/admin/products/new?intent=create";

  it.each([
    [
      "a file that is no picture",
      async () => Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
      "can’t read this picture",
    ],
    ["one too small", () => picture(800, 800), "800 pixels wide"],
    ["one of too many pixels", () => picture(7_800, 7_800), "too many pixels"],
    ["one too narrow", () => picture(1300, 200), "too long and narrow"],
    ["one cut off", async () => (await picture()).subarray(0, 2_000), "Picture 1:"],
    ["one too large", async () => Buffer.alloc(11 * 1024 * 1024), "larger than 10 MB"],
  ])("is refused with %s", async (_, make, why) => {
    const answer = await upload(manager, NEW, typed, [await make()]);
    expect(answer.status).toBe(400);
    expect(text(await answer.text())).toContain(why);
    expect(await one("polara-mini")).toBeUndefined();
  });

  it("shows its pictures in every size of the storefront, without metadata", async () => {
    const answer = await upload(manager, NEW, { ...typed, stock: "40" }, [await picture(), await picture(1700, 500)]);
    expect(answer.status).toBe(302);
    const html = await (await fetch(`${shop.url}/product/polara-mini`)).text();
    expect(html).toContain(`Ships ${shipDayWords({ shipsFrom }, new Date())}`);
    expect(html).toContain("schema.org/PreOrder");
    const files = [...new Set(html.match(/\/images\/u-[\w-]+\.(?:avif|webp|jpg)/g))];
    expect(files.filter((file) => file.endsWith(".avif"))).toHaveLength(8);
    const shared = files.find((file) => file.endsWith("-og.jpg")) ?? "";
    // Emails show the one that is square.
    for (const file of [...files, shared.replace("-og.", "-mail.")]) {
      const response = await fetch(shop.url + file);
      expect([file, response.status]).toEqual([file, 200]);
      expect(response.headers.get("Cache-Control")).toContain("immutable");
      const { width, exif } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      const [, size = ""] = /-(\d+|og|mail)\.\w+$/.exec(file) ?? [];
      expect([file, width]).toEqual([file, { og: 1_200, mail: 144 }[size] ?? Number(size)]);
      expect(exif).toBeUndefined();
    }
    expect(await (await fetch(`${shop.url}/feeds/google.xml`)).text()).toContain(
      files[0]?.replace(/-(?:\d+|og)\.\w+$/, "-1200.webp"),
    );
    expect((await fetch(`${shop.url}/images/u-..%2f..%2fauth-secret`)).status).toBe(404);
  });

  it("whose pictures are moved, described and removed shows them so", async () => {
    const path = `${await pathOf("polara-mini")}?intent=picture`;
    const [first = "", second = ""] = (await one("polara-mini")).images as string[];
    const arrange = async (to: string, alts: [string, string]) => {
      const body = [
        ["do", to],
        ["key", first],
        ["alt", alts[0]],
        ["key", second],
        ["alt", alts[1]],
      ];
      const answer = await manager.visitor.fetch(path, {
        method: "POST",
        body: new URLSearchParams(body),
        headers: { Origin: shop.url, Accept: "text/html" },
      });
      expect(answer.status).toBe(200);
      const { images, thumbnail, picture_alts } = await one("polara-mini");
      return { images, thumbnail, alts: picture_alts };
    };
    expect(await arrange(`${second}:0`, ["On a \0table", "From above"])).toEqual({
      images: [second, first],
      thumbnail: second,
      alts: { [first]: "On a  table", [second]: "From above" },
    });
    const html = await (await fetch(`${shop.url}/product/polara-mini`)).text();
    expect(html).toContain('alt="From above"');
    expect(await arrange(`${second}:remove`, ["On a table", "From above"])).toEqual({
      images: [first],
      thumbnail: first,
      alts: { [first]: "On a table" },
    });
  });

  it("that is another color begins with the texts, specs and prices of the first", async () => {
    const { id, description } = await one("polara-pro-earth-green");
    const html = await (await manager.visitor.fetch(`/admin/products/new?from=${id}`)).text();
    for (const part of [description, "battery life hours: 48", 'value="149.00"', 'value="Polara Pro"'])
      expect(text(html)).toContain(part);
    const offered = [...html.matchAll(/<option value="([^"]+)"/g)].map(([, value]) => value);
    expect(offered).toContain("another");
    for (const color of ["Earth Green", "Frost White"]) expect(offered).not.toContain(color);
    const blue = { ...typed, name: "Polara Pro Sky Blue", slug: "", anotherColor: "Sky Blue", anotherColorHex: "" };
    const add = async (fields: Record<string, string>, files: Uint8Array[] = []) => {
      const answer = await upload(manager, `${NEW}&from=${id}`, { ...blue, ...fields }, files);
      return { status: answer.status, html: text(await answer.text()) };
    };
    const chosen = { colorVariant: "another", anotherColorHex: "#7fb2d9" };
    const refusals: [Record<string, string>, string[]][] = [
      [{}, ["Choose a color</p>", "The pictures were not saved. Select them again."]],
      [{ colorVariant: "another" }, ["Choose a swatch"]],
      [{ ...chosen, stock: "-3" }, ["Enter the quantity on hand", 'value="-3"', 'value="#7fb2d9"']],
    ];
    for (const [fields, parts] of refusals) {
      const answer = await add(fields, [await picture()]);
      expect(answer.status).toBe(400);
      for (const part of ["Add a color of Polara Pro", ...parts]) expect(answer.html).toContain(part);
    }
    expect((await add(chosen)).status).toBe(302);
    expect(await one("polara-pro-sky-blue")).toMatchObject({ name: "Polara Pro Sky Blue", color_variant: "Sky Blue" });
  });

  it("whose pictures or handle are refused leaves no files", async () => {
    const files = () => readdirSync(join(folder, "pictures"));
    const before = files();
    const dock = await pathOf("charging-dock");
    const [{ images }] = (await database.pool.query("SELECT images FROM products WHERE slug = 'charging-dock'")).rows;
    await database.pool.query("UPDATE products SET images = '{1,2,3,4,5,6}' WHERE slug = 'charging-dock'");
    const seventh = await upload(manager, `${dock}?intent=pictures`, {}, [await picture(1400)]);
    await database.pool.query("UPDATE products SET images = $1 WHERE slug = 'charging-dock'", [images]);
    expect([seventh.status, text(await seventh.text())]).toEqual([409, expect.stringContaining("up to 6 pictures")]);
    const taken = await upload(manager, NEW, { ...typed, slug: "travel-sleeve" }, [await picture(1400)]);
    expect([taken.status, text(await taken.text())]).toEqual([
      409,
      expect.stringContaining("Another product has this URL handle"),
    ]);
    expect(files()).toEqual(before);
  });

  it("is refused to packers, and large forms everywhere else", async () => {
    const large = [Buffer.alloc(80_000)];
    expect((await upload(packer, NEW, typed, large)).status).toBe(413);
    expect((await upload(manager, "/contact?intent=create", {}, large)).status).toBe(413);
    expect((await upload(manager, `${await pathOf("polara-mini")}?intent=edit`, {}, large)).status).toBe(413);
    expect((await upload(manager, NEW, { ...typed, more: "x" }, [])).status).toBe(400);
  });
});

it("an archived product leaves lists, search and feeds, and its page says so", async () => {
  const path = await pathOf("produce-basket");
  expect((await manager.visitor.post(`${path}?intent=retire`, {})).status).toBe(200);
  const page = await fetch(`${shop.url}/product/produce-basket`);
  expect(page.status).toBe(200);
  const html = await page.text();
  for (const part of ["No longer sold", "schema.org/Discontinued"]) expect(html).toContain(part);
  for (const list of ["/shop", "/sitemap.xml", "/feeds/google.xml", "/search?q=produce+basket"])
    expect(await (await fetch(shop.url + list)).text()).not.toContain("produce-basket");
  expect((await manager.visitor.post(`${path}?intent=delete`, {})).status).toBe(400);
  expect((await manager.visitor.post(`${path}?intent=delete`, { sure: "on" })).status).toBe(302);
  await expect.poll(async () => (await fetch(`${shop.url}/product/produce-basket`)).status).toBe(404);
});
