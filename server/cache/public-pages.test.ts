import { describe, expect, it } from "vitest";
import { correctedAddress, isPersonal, listPlace, publicAddress } from "./public-pages.ts";

const site = "http://localhost:3000";
const place = (path: string) => publicAddress(site + path);

describe("the cache key of a page", () => {
  it.each([
    ["/", "/", "fixed"],
    ["/?", "/", "fixed"],
    ["/?utm_source=x&color=Earth+Green", "/", "fixed"],
    ["/shop", "/shop", "fixed"],
    ["/shop?page=9&color=pink", "/shop?page=9", "filtered"],
    ["/shop?page=1", "/shop", "fixed"],
    ["/shop?page=02&page=3", "/shop", "fixed"],
    ["/shop?page=1e3", "/shop", "fixed"],
    ["/shop?%63olor=Earth%20Green", "/shop?color=Earth+Green", "filtered"],
    [
      "/shop?sort=newest&color=Frost+White&color=Earth+Green",
      "/shop?color=Earth+Green&color=Frost+White&sort=newest",
      "filtered",
    ],
    ["/shop?minPrice=101&maxPrice=9999", "/shop?minPrice=100", "filtered"],
    ["/shop?_routes=made-up", "/shop", "fixed"],
    ["/shop.data", "/shop.data", "fixed"],
    [
      "/shop.data?_routes=routes/storefront/shop/route",
      "/shop.data?_routes=routes%2Fstorefront%2Fshop%2Froute",
      "fixed",
    ],
    [
      "/shop.data?sort=newest&_routes=routes/storefront/shop/route",
      "/shop.data?sort=newest&_routes=routes%2Fstorefront%2Fshop%2Froute",
      "filtered",
    ],
    ["/_.data", "/_.data", "fixed"],
    ["/_.data?_routes=routes/storefront/home/route", "/_.data?_routes=routes%2Fstorefront%2Fhome%2Froute", "fixed"],
    ["/product/travel-sleeve?x=1", "/product/travel-sleeve", "products"],
    [
      "/product/travel-sleeve.data?_routes=routes/storefront/product/route",
      "/product/travel-sleeve.data?_routes=routes%2Fstorefront%2Fproduct%2Froute",
      "products",
    ],
    [
      "/blog/a-post.data?_routes=routes/content/blog/post/route",
      "/blog/a-post.data?_routes=routes%2Fcontent%2Fblog%2Fpost%2Froute",
      "fixed",
    ],
  ])("%s: %s, among the %s", (path, address, part) => {
    expect(place(path)).toEqual({ address, part });
  });

  it.each([
    "/cart",
    "//",
    "//shop",
    "/shop/",
    "/SHOP",
    "/%73hop",
    "/.data",
    "/shop/_.data",
    "/shop.data?_routes=routes/storefront/shop/route,x",
    "/shop.data?_routes=routes/storefront/product/route",
    "/product/",
    "/product/a/b",
    "/product/%70olara",
    "/product/Polara",
    "/product/a.b",
    "/product/a_b",
  ])("%s is not cached", (path) => {
    expect(place(path)).toBeNull();
  });
});

it.each([
  ["", { address: "/api/products", part: "fixed" }],
  ["page=2", { address: "/api/products?page=2", part: "filtered" }],
])("the cache key of a list: %s", (query, key) => {
  expect(listPlace("/api/products", new URLSearchParams(query))).toEqual(key);
});

describe("the canonical address", () => {
  it.each([
    ["/%73hop", "/shop"],
    ["/%73%48%6F%70?color=pink&x=%41", "/shop?color=pink&x=%41"],
    ["//", "/"],
    ["//shop//", "/shop"],
    ["/Shop/", "/shop"],
    ["/PRODUCT/travel-sleeve", "/product/travel-sleeve"],
    ["/x/../shop", "/shop"],
    ["/x/%2E%2e/shop", "/shop"],
    ["/%70roduct/travel%2dsleeve", "/product/travel-sleeve"],
    ["/product%2Ftravel-sleeve", "/product/travel-sleeve"],
    ["/%73hop.data", "/shop.data"],
  ])("%s: %s", (path, corrected) => {
    expect(correctedAddress(site + path)).toBe(corrected);
  });

  it.each([
    "/",
    "/shop",
    "/shop.data?_routes=made-up",
    "/cart/",
    "//evil.example",
    "//evil.example/shop",
    "/\\evil.example",
    "/%2F%2Fevil.example",
    "/%E0%A4%A",
    "/%2573hop",
    "/product/UPPER",
    "/product/%00",
    "/product/a%0d%0aSet-Cookie:b",
  ])("%s has none", (path) => {
    expect(correctedAddress(site + path)).toBeNull();
  });
});

it.each([
  ["/cart", true],
  ["/cart.data", true],
  ["/account/download", true],
  ["/auth/two-factor", true],
  ["/personal.data", true],
  ["/api/auth/token", true],
  ["/api/products", false],
  ["/cartoon", false],
  ["/search", false],
  ["/search.json", false],
  ["/no/such/page", false],
])("%s is personal: %s", (path, personal) => {
  expect(isPersonal(path)).toBe(personal);
});
