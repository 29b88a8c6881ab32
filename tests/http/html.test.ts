/** The HTML of every page, judged by html-validate: visitors', a customer's, the owner's. */
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { expect, it } from "vitest";
import { crawl } from "../support/crawl.ts";
import { adminPages, pages } from "../support/site-map.ts";
import { useShop } from "../support/use-shop.ts";
import type { Visitor } from "../support/visitor.ts";

const { shop, actor, staff } = useShop({ PAYMENTS: "sandbox" });

const judge = new HtmlValidate(new StaticConfigLoader({ extends: ["html-validate:standard"] }));

/** What is wrong, by page. */
async function faultsIn(documents: Iterable<[path: string, html: string]>): Promise<string[]> {
  const faults: string[] = [];
  for (const [path, html] of documents) {
    const { results } = await judge.validateString(html);
    for (const { ruleId, message, selector } of results.flatMap((result) => result.messages))
      faults.push(`${path}: ${ruleId}: ${message} (${selector})`);
  }
  return faults;
}

/** Pages of addresses that the site map has; those of things that are not there are left out. */
async function read(who: Visitor, paths: string[], things: Record<string, string> = {}) {
  const found: [string, string][] = [];
  for (const path of paths) {
    const address = path.replace("*", "none").replaceAll(/:\w+/g, (name) => things[name] ?? name);
    const answer = await who.fetch(address);
    const isPage = answer.headers.get("Content-Type")?.startsWith("text/html");
    if (isPage && !address.includes(":")) found.push([path, await answer.text()]);
  }
  return found;
}

const rendering = (addresses: typeof pages) => addresses.flatMap(({ path, rendersPage }) => (rendersPage ? path : []));

it("is valid for visitors", async () => {
  const site = await crawl(shop.url);
  expect(site.pages.size).toBeGreaterThan(40);
  expect(await faultsIn([...site.pages].map(([path, { html }]) => [path, html]))).toEqual([]);
});

it("is valid for a customer", async () => {
  const { visitor, orderId } = await actor("customer");
  const tabs = ["orders", "wishlist", "settings"].map((tab) => `/account?tab=${tab}`);
  const found = await read(visitor, [...rendering(pages), ...tabs, "/auth?error=access_denied"], {
    ":orderId": orderId,
  });
  expect(found.length).toBeGreaterThan(25);
  expect(await faultsIn(found)).toEqual([]);
});

it("is valid in the back office", async () => {
  const { userId, orderId, productId } = await actor("customer");
  const { visitor, staffId } = await staff("owner");
  const things = { ":orderId": orderId, ":userId": userId ?? "", ":productId": productId, ":staffId": staffId };
  const found = await read(visitor, rendering(adminPages), { ...things, ":key": "home" });
  expect(found.length).toBeGreaterThan(25);
  expect(await faultsIn(found)).toEqual([]);
});
