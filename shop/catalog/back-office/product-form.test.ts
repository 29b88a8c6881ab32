import { describe, expect, it } from "vitest";
import { changesPrice, productSchema, typedProduct } from "./product-form.ts";

const schema = productSchema([{ name: "Earth Green", hex: "#7b8467" }]);
const typed = {
  name: "Polara Mini",
  slug: "polara-mini",
  shortDescription: "Smaller.",
  description: "It is smaller.",
  specs: "Weight lb: 2.1\nMaterials: Tritan, aluminum",
  category: "Classic",
  colorVariant: "",
  price: "149",
  compareAtPrice: "$1,179.50",
  earlyBirdPrice: "",
  earlyBirdEnd: "",
  taxCode: "txcd_99999999",
  weightOz: "74",
  shipsFrom: "",
  isAvailable: "on",
};

type Field = keyof typeof typed | "anotherColor" | "anotherColorHex";
const wrong = (fields: Partial<Record<Field, string>>) => {
  const read = schema.safeParse({ ...typed, ...fields });
  return read.success ? [] : read.error.issues.map(({ path }) => path[0]);
};

describe("the product form", () => {
  it("accepts a new color", () => {
    const coral = { colorVariant: "another", anotherColor: " Sunset Coral ", anotherColorHex: "E58A6F" };
    expect(schema.parse({ ...typed, ...coral })).toMatchObject({
      colorVariant: "Sunset Coral",
      anotherColor: { name: "Sunset Coral", hex: "#e58a6f" },
    });
    const known = schema.parse({ ...typed, ...coral, colorVariant: "Earth Green" });
    expect(known.colorVariant).toBe("Earth Green");
    expect(known).not.toHaveProperty("anotherColor");
    expect(wrong({ ...coral, anotherColor: "<b>", anotherColorHex: "red" })).toEqual([
      "anotherColor",
      "anotherColorHex",
    ]);
    expect(wrong({ colorVariant: "Sunset Coral" })).toEqual(["colorVariant"]);
  });

  it("parses the fields of a product", () => {
    expect(schema.parse(typed)).toEqual({
      name: "Polara Mini",
      slug: "polara-mini",
      shortDescription: "Smaller.",
      description: "It is smaller.",
      specs: { weight_lb: 2.1, materials: "Tritan, aluminum" },
      category: "Classic",
      colorVariant: null,
      priceCents: 149_00,
      compareAtPriceCents: 1179_50,
      earlyBirdPriceCents: null,
      earlyBirdEndDate: null,
      taxCode: "txcd_99999999",
      weightOz: 74,
      shipsFrom: null,
      isAvailable: true,
      featured: false,
    });
  });

  it.each([
    ["Polara Pro Crème Brûlée", "polara-pro-creme-brulee"],
    [" 2-Pack (of filters)! ", "2-pack-of-filters"],
  ])("makes the URL handle of %s", (name, slug) => {
    expect(schema.parse({ ...typed, name, slug: "" }).slug).toBe(slug);
  });

  it.each<[string, string | number]>([
    ["2.1", 2.1],
    ["-4", -4],
    ["2.10", "2.10"],
    ["0042", "0042"],
    ["012345678905", "012345678905"],
    ["12345678901234567890", "12345678901234567890"],
    ["NaN", "NaN"],
  ])("keeps a spec of %s as typed", (value, kept) => {
    expect(schema.parse({ ...typed, specs: `Model: ${value}` }).specs).toEqual({ model: kept });
  });

  it.each([
    ["no name", { name: " " }, ["name"]],
    ["a name with a NUL", { name: "Polara\0Mini" }, ["name"]],
    ["an address with a space", { slug: "polara mini" }, ["slug"]],
    ["a price in words", { price: "cheap" }, ["price"]],
    ["a price below zero", { price: "-1" }, ["price"]],
    ["no price", { price: "0" }, ["price"]],
    ["an early-bird price of nothing", { earlyBirdPrice: "0.00" }, ["earlyBirdPrice"]],
    ["a comma for a point", { price: "149,00" }, ["price"]],
    ["a price of six digits", { price: "100,000" }, ["price"]],
    ["three decimals", { price: "1.005" }, ["price"]],
    ["an early bird without an end", { earlyBirdPrice: "99" }, ["earlyBirdEnd"]],
    ["an end without an early bird", { earlyBirdEnd: "2026-12-24T23:59" }, ["earlyBirdPrice"]],
    ["an early bird that costs more", { earlyBirdPrice: "150", earlyBirdEnd: "2026-12-24T23:59" }, ["earlyBirdPrice"]],
    ["an end that is no time", { earlyBirdPrice: "99", earlyBirdEnd: "soon" }, ["earlyBirdEnd"]],
    ["a day that is none", { shipsFrom: "2027-02-30" }, ["shipsFrom"]],
    ["a mistyped year", { shipsFrom: "2072-01-12" }, ["shipsFrom"]],
    ["a tax code of another shape", { taxCode: "general" }, ["taxCode"]],
    ["half an ounce", { weightOz: "0.5" }, ["weightOz"]],
    ["no weight at all", { weightOz: "0" }, ["weightOz"]],
    ["a color there is not", { colorVariant: "Pink" }, ["colorVariant"]],
    ["a new color without a swatch", { colorVariant: "another", anotherColor: "Sky Blue" }, ["anotherColorHex"]],
    ["a line without a colon", { specs: "Weight lb" }, ["specs"]],
    ["a unit without a name", { specs: ": 4" }, ["specs"]],
  ])("refuses %s", (_, fields, expected) => {
    expect(wrong(fields)).toEqual(expected);
  });

  it.each([
    ["weightOz", "abc", "Enter whole ounces, such as 74"],
    ["compareAtPrice", "cheap", "Enter a price in dollars, such as 149 or 149.00"],
    ["shipsFrom", "soon", "Enter a date, such as 2027-01-12"],
  ])("says beside %s how to enter it", (field, value, message) => {
    expect(schema.safeParse({ ...typed, [field]: value }).error?.issues).toMatchObject([{ path: [field], message }]);
  });

  it("shows a product as it was entered", () => {
    const product = { ...schema.parse(typed), specs: { battery_life_hours: 48, humidity_control: "Active, 70–95%" } };
    const shown = typedProduct(product as never);
    expect(schema.parse({ ...shown, anotherColor: "", anotherColorHex: "" })).toEqual(product);
  });

  it("detects a change of price", () => {
    const before = schema.parse(typed);
    expect(changesPrice(before, schema.parse({ ...typed, name: "Other" }))).toBe(false);
    expect(changesPrice(before, schema.parse({ ...typed, compareAtPrice: "" }))).toBe(true);
    expect(changesPrice(before, schema.parse({ ...typed, compareAtPrice: "0.01" }))).toBe(true);
  });
});
