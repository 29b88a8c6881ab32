import { describe, expect, it } from "vitest";
import { filterQuery, parseFilters, type Filters } from "./filters.ts";

const none: Filters = { colors: [], categories: [], availability: [], minPrice: 0, maxPrice: 500, sort: "featured" };

describe("filters in an address", () => {
  it.each<[string, Partial<Filters>, string]>([
    ["", {}, ""],
    ["color=Earth+Green", { colors: ["Earth Green"] }, "color=Earth+Green"],
    [
      "color=Midnight+Black&color=Frost+White",
      { colors: ["Frost White", "Midnight Black"] },
      "color=Frost+White&color=Midnight+Black",
    ],
    ["color=Earth+Green&color=Earth+Green", { colors: ["Earth Green"] }, "color=Earth+Green"],
    ["category=Pro&category=Accessories", { categories: ["Pro", "Accessories"] }, "category=Pro&category=Accessories"],
    ["availability=out-of-stock", { availability: ["out-of-stock"] }, "availability=out-of-stock"],
    ["minPrice=20&maxPrice=100", { minPrice: 20, maxPrice: 100 }, "minPrice=20&maxPrice=100"],
    ["minPrice=0&maxPrice=500&sort=featured", {}, ""],
    ["sort=price-desc", { sort: "price-desc" }, "sort=price-desc"],
    // Invalid values are ignored or clamped.
    ["color=purple&category=pro&availability=soon&sort=cheapest", {}, ""],
    ["minPrice=cheap&maxPrice=", {}, ""],
    ["minPrice=NaN&maxPrice=Infinity", {}, ""],
    ["minPrice=-50&maxPrice=9999", {}, ""],
    ["minPrice=34&maxPrice=36", { minPrice: 30, maxPrice: 40 }, "minPrice=30&maxPrice=40"],
    ["minPrice=200&maxPrice=100", { minPrice: 100, maxPrice: 200 }, "minPrice=100&maxPrice=200"],
    ["sort=newest&sort=price-asc&utm_source=mail", { sort: "newest" }, "sort=newest"],
  ])("%s", (query, expected, shortest) => {
    const filters = parseFilters(new URLSearchParams(query));
    expect(filters).toEqual({ ...none, ...expected });
    expect(filterQuery(filters).toString()).toBe(shortest);
    expect(parseFilters(filterQuery(filters))).toEqual(filters);
  });

  it("keep a possible color until the colors are known", () => {
    const query = new URLSearchParams("color=Purple&color=Earth+Green&color=%3Cb%3E");
    expect(parseFilters(query).colors).toEqual(["Earth Green", "Purple"]);
    expect(parseFilters(query, [{ name: "Earth Green" }]).colors).toEqual(["Earth Green"]);
  });
});
