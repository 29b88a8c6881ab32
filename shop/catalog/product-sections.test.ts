import { expect, it } from "vitest";
import { pictures } from "#app/ui/product/pictures.generated.ts";
import { openingCatalog } from "./opening-catalog.ts";
import type { Specs } from "./product.ts";
import { costToRun, productSections } from "./product-sections.ts";
import { pairOf } from "./scenes.ts";

const products = openingCatalog(new Date()).map(({ slug, category, colorVariant, specs, images }) => ({
  slug,
  category,
  colorVariant: colorVariant ?? null,
  specs: specs as Specs,
  images: images ?? [],
}));
const sectionsOf = (wanted: string, specs?: Specs) => {
  const product = products.find(({ slug }) => slug === wanted)!;
  return productSections({ ...product, specs: specs ?? product.specs });
};
const shownOf = (sections: object) =>
  Object.entries(sections).flatMap(([name, section]: [string, { list?: unknown[]; length?: number } | null]) =>
    section && (section.list ?? [1]).length > 0 && section.length !== 0 ? [name] : [],
  );

const BOWL = ["inUse", "benefits", "temperatures", "size", "inTheBox", "filterChange"];

it.each([
  ["polara-pro-earth-green", BOWL],
  ["polara-classic-frost-white", BOWL],
  ["ethylene-filter-6-pack", ["filterChange"]],
  ["travel-sleeve", ["inUse"]],
  ["charging-dock", []],
])("%s has its sections", (slug, expected) => {
  expect(shownOf(sectionsOf(slug))).toEqual(expected);
});

it("every picture of the sections exists", () => {
  const names = [...JSON.stringify(products.map(productSections)).matchAll(/"picture":"([^"]*)"/g)].map(([, n]) => n!);
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !Object.hasOwn(pictures, name))).toEqual([]);
});

const colorOf = (picture: string) => {
  if (picture.includes("midnight-black")) return "Midnight Black";
  return picture.includes("frost-white") ? "Frost White" : "Earth Green";
};

it.each(products.filter(({ category }) => category !== "Accessories"))("$slug is shown in its color", (product) => {
  const { inUse, temperatures, size, inTheBox } = productSections(product);
  const shots = [inUse, ...temperatures!.shots, size!.shot, inTheBox].flatMap((shot) => shot ?? []);
  for (const { picture, alt } of shots) {
    expect(pictures).toHaveProperty(picture);
    expect(colorOf(picture)).toBe(product.colorVariant);
    expect(alt).toContain(product.colorVariant);
  }
});

it.each(products.filter(({ category }) => category === "Pro"))("$slug is quiet in its color", (product) => {
  const [{ picture, alt } = { picture: "", alt: "" }] = productSections(product).benefits.list;
  expect(pictures).toHaveProperty(picture);
  expect(alt).toContain(product.colorVariant);
});

it("a color without pictures of its own is shown in Earth Green", () => {
  const product = { ...products.find(({ slug }) => slug === "polara-pro-frost-white")!, colorVariant: "Clay" };
  expect(productSections(product).size!.shot).toMatchObject({ picture: "scale-counter" });
  expect(productSections(product).size!.shot!.alt).toContain("Earth Green");
});

it.each([
  ["Midnight Black", "Midnight Black", "Midnight Black"],
  ["Midnight Black", "Frost White", "Earth Green"],
  ["Frost White", "Frost White", "Frost White"],
])("both models in %s and %s are shown in %s", (one, other, shown) => {
  const { picture, alt } = pairOf(one, other);
  expect(pictures).toHaveProperty(picture);
  expect([colorOf(picture), alt]).toEqual([shown, expect.stringContaining(shown)]);
});

it("only the bowl without a display is set by its light, at temperatures of the foods", () => {
  expect(sectionsOf("polara-pro-earth-green").temperatures!.light).toBeNull();
  const { light, foods } = sectionsOf("polara-classic-earth-green").temperatures!;
  expect(light!.states.map(({ temperature }) => temperature)).toEqual(
    foods.flatMap(({ temperature }) => temperature ?? []),
  );
  expect(light!.states.map(({ blinks }) => blinks)).toEqual([1, 2, 3]);
});

it("figures are those of the specs, and a section without its figures is left out", () => {
  const { benefits, temperatures, size } = sectionsOf("polara-classic-midnight-black");
  expect(benefits.list.map(({ figure }) => figure)).toEqual(["27 dB", "48 hrs", "6 months"]);
  expect(temperatures?.range).toEqual([36, 50]);
  expect(size).toMatchObject({
    widthIn: 10.2,
    heightIn: 6.1,
    text: "1.2 in narrower than the Pro, and 1.1 lb lighter. Room for two pints of berries and a bunch of grapes.",
  });
  expect(shownOf(sectionsOf("polara-classic-midnight-black", { noise_level_db: 27 }))).toEqual([
    "inUse",
    "benefits",
    "inTheBox",
    "filterChange",
  ]);
});

it("headlines are in title case, like those beside them", () => {
  const headlines = products
    .map(productSections)
    .flatMap(({ inUse, benefits }) => [...(inUse ? [inUse.heading] : []), ...benefits.list.map(({ title }) => title)]);
  expect(headlines.length).toBeGreaterThan(6);
  for (const headline of headlines) expect(headline).toMatch(/^[A-Z\d]\S*( (a|for|[A-Z]\S*))+$/);
});

it("the cost to run follows from battery, adapter, and the price of filters", () => {
  const { specs } = products.find(({ slug }) => slug === "polara-pro-earth-green")!;
  const filter = { specs: { pieces: 2 }, priceCents: 24_00 };
  expect(costToRun({ specs }, filter)).toBe(
    "Costs about $3 a year in electricity, at the US average price, and $24 in filters.",
  );
  expect(costToRun({ specs: { battery_life_hours: 48 } }, filter)).toBeNull();
  expect(costToRun({ specs }, undefined)).toBeNull();
});
