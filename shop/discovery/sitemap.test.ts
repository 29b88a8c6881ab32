import { expect, it } from "vitest";
import { policy } from "#shop/policies.ts";
import { sitemap } from "./site-files.ts";

const day = (n: number) => new Date(`2026-03-0${n}T00:00:00Z`);
const lastmod = (xml: string, path: string) =>
  new RegExp(`<loc>https://shop.example${path}</loc>\n<lastmod>([^<]+)`).exec(xml)?.[1];

it.each([
  ["edited, no early bird", day(2), null, day(2)],
  ["an early bird that runs", day(2), day(9), day(2)],
  ["an early bird that ended after the edit", day(2), day(4), day(4)],
  ["an early bird that ended before the edit", day(3), day(2), day(3)],
])("last change of a product: %s", (_what, updatedAt, earlyBirdEndDate, expected) => {
  const xml = sitemap([{ slug: "bowl", updatedAt, earlyBirdEndDate }], "https://shop.example", day(5));
  expect(lastmod(xml, "/product/bowl")).toBe(expected.toISOString());
  expect(lastmod(xml, "/")).toBe(expected.toISOString());
  expect(lastmod(xml, "/terms")).toBe(policy.effectiveDate);
});
