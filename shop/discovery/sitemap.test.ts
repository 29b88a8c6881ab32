import { XMLParser } from "fast-xml-parser";
import { expect, it } from "vitest";
import { policy } from "../policies.ts";
import { SITEMAP_SIZE, sitemap, sitemapIndex, sitemapPart } from "./sitemap.ts";

const day = (n: number) => new Date(`2026-03-0${n}T00:00:00Z`);
const lastmod = (xml: string, path: string) =>
  new RegExp(`<loc>https://shop.example${path}</loc>\n<lastmod>([^<]+)`).exec(xml)?.[1];

it.each([
  ["edited, no early bird", day(2), null, day(2)],
  ["an early bird that runs", day(2), day(9), day(2)],
  ["an early bird that ended after the edit", day(2), day(4), day(4)],
  ["an early bird that ended before the edit", day(3), day(2), day(3)],
])("a product last changed: %s", (_what, updatedAt, earlyBirdEndDate, expected) => {
  const xml = sitemap([{ slug: "bowl", updatedAt, earlyBirdEndDate }], "https://shop.example", day(5));
  expect(lastmod(xml, "/product/bowl")).toBe(expected.toISOString());
  expect(lastmod(xml, "/")).toBe(expected.toISOString());
  expect(lastmod(xml, "/privacy")).toBe(policy.effectiveDate);
});

const site = "https://shop.example";
const parser = new XMLParser();
const locations = (xml: string): string[] => {
  const { sitemapindex, urlset } = parser.parse(xml);
  return [sitemapindex?.sitemap ?? urlset.url].flat().map(({ loc }: { loc: string }) => loc.replace(site, ""));
};

it.each([
  ["two files", SITEMAP_SIZE + 1, ["/sitemap-1.xml", "/sitemap-2.xml"]],
  ["files that are all full", 2 * SITEMAP_SIZE, ["/sitemap-1.xml", "/sitemap-2.xml"]],
  ["one more", 2 * SITEMAP_SIZE + 1, ["/sitemap-1.xml", "/sitemap-2.xml", "/sitemap-3.xml"]],
])("a shop with more products than one file lists is listed in %s", (_what, count, parts) => {
  expect(locations(sitemapIndex(count, site))).toEqual(parts);
});

it("the parts list each product once, and the other pages in the first", () => {
  const product = (slug: string) => ({ slug, updatedAt: day(2), earlyBirdEndDate: null });
  const whole = locations(sitemap([product("bowl"), product("lid")], site, day(5)));
  const parts = [product("bowl"), product("lid")].map((each, i) => locations(sitemapPart(i + 1, [each], site, day(5))));
  expect(parts.flat().toSorted()).toEqual(whole.toSorted());
  expect(parts[1]).toEqual(["/product/lid"]);
  expect(parts[0]).toContain("/privacy");
});
