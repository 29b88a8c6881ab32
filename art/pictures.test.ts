import { existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { openingCatalog } from "#shop/catalog/opening-catalog.ts";
import { pages, posts } from "#shop/content/texts.server.ts";
import { pictureOf, widthsOf } from "#app/ui/product/picture.tsx";
import { pictures } from "#app/ui/product/pictures.generated.ts";

const root = join(import.meta.dirname, "..");
const images = join(root, "public/images");
const isPicture = (name: string) => Object.hasOwn(pictures, name);
const products = openingCatalog(new Date());

/** Names in the source of screens: <Picture name="…"> and picture: "…" or picture="…". */
function namesInScreens(): string[] {
  const sources = globSync("app/**/*.tsx", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"));
  const patterns = [
    /<Picture\s[^>]*?\bname="([^"]+)"/g,
    /<Picture\s[^>]*?\bphone="([^"]+)"/g,
    /\bpicture(?:: |=)"([^"]+)"/g,
  ];
  return sources.flatMap((source) => patterns.flatMap((p) => [...source.matchAll(p)].map(([, name]) => name!)));
}

describe("every referenced picture exists", () => {
  it("in the seed", () => {
    const names = products.flatMap(({ images, thumbnail }) => [...(images ?? []), ...(thumbnail ? [thumbnail] : [])]);
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !isPicture(name))).toEqual([]);
  });

  it("in posts and pages", () => {
    const names = [
      ...posts().map(({ front }) => front.picture),
      ...pages().howItWorks.front.steps.map((s) => s.picture),
    ];
    const texts = globSync("shop/content/{pages,posts}/*.mdx", { cwd: root });
    for (const file of texts)
      for (const [, name = ""] of readFileSync(join(root, file), "utf8").matchAll(/!\[[^\]]*\]\(([^)]*)\)/g))
        names.push(name);
    expect(names.filter((name) => !isPicture(name))).toEqual([]);
    expect(new Set(posts().map(({ front }) => front.picture)).size).toBe(posts().length);
  });

  it("in the screens", () => {
    const names = namesInScreens();
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !isPicture(name))).toEqual([]);
  });
});

it.each(["Pro", "Classic"])("every color of the %s shows the same shots in the same order", (category) => {
  const galleries = products
    .filter((product) => product.category === category)
    .map(({ images, colorVariant }) => {
      const own = `${category} ${colorVariant}`.toLowerCase().replaceAll(" ", "-");
      return images!.filter((name) => name.startsWith(own)).map((name) => name.slice(own.length));
    });
  expect(galleries).toHaveLength(3);
  expect(galleries[0]!.length).toBeGreaterThanOrEqual(3);
  for (const gallery of galleries) expect(gallery).toEqual(galleries[0]);
});

describe("the files", () => {
  const declared = Object.entries(pictures).flatMap(([name, picture]) => [
    ...widthsOf(parseInt(picture)).flatMap((width) => [`${name}-${width}.avif`, `${name}-${width}.webp`]),
    `${name}-og.jpg`,
    `${name}-mail.jpg`,
  ]);

  it("are exactly those of the manifest", () => {
    expect(declared.filter((file) => !existsSync(join(images, file)))).toEqual([]);
    const others = readdirSync(images).filter((file) => !declared.includes(file));
    expect(others.sort()).toEqual(["mail-wordmark.png", "og.jpg"]);
  });

  it("are large enough for high-density screens", () => {
    const longer = (name: string) => Math.max(Number(pictureOf(name)!.width), Number(pictureOf(name)!.height));
    expect(Object.keys(pictures).filter((name) => longer(name) < 1600)).toEqual([]);
  });

  it("have the size the manifest says", async () => {
    for (const name of Object.keys(pictures)) {
      const { width, height } = pictureOf(name)!;
      const file = await sharp(join(images, `${name}-${width}.webp`)).metadata();
      expect([name, file.width, file.height]).toEqual([name, Number(width), Number(height)]);
    }
  });

  // Bowls are shown in use, at both temperatures and to scale in three colors.
  it("weigh less than 16 MB together", () => {
    const bytes = readdirSync(images).reduce((sum, file) => sum + statSync(join(images, file)).size, 0);
    expect(bytes).toBeLessThan(16_000_000);
  });
});
