/** What pages are told of the site map: a route that no storefront page's script leads to costs such a page no byte. */
import { expect, it } from "vitest";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { matchRoutes, type RouteObject } from "react-router";
import siteMap from "../../app/routes.ts";
import { useShop } from "../support/use-shop.ts";

const { visitor } = useShop();

const idsOf = (entries: RouteConfigEntry[] = []): string[] =>
  entries.flatMap(({ id, file, children }) => [id ?? file.replace(/\.tsx?$/, ""), ...idsOf(children)]);
const [storefront, ...others] = siteMap as RouteConfigEntry[];
const trees = others.filter(({ children }) => children);
const shared = ["root", ...idsOf(storefront && [storefront])];

const routesFrom = (entries: RouteConfigEntry[]): RouteObject[] =>
  entries.map(({ path, index, children }) =>
    index ? { index } : { path, children: children && routesFrom(children) },
  );
const addressesOf = (entries: RouteConfigEntry[], above = ""): string[] =>
  entries.flatMap(({ path, children = [] }) => {
    const own = path ? `${above}/${path}` : above;
    return children.length > 0 ? addressesOf(children, own) : [own];
  });

const ORDER = "/orders/8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f751";

/** The routes that the script of a page is told of. */
async function routesOf(path: string): Promise<string[]> {
  const html = await (await visitor.fetch(path)).text();
  const urls = new Set(html.match(/\/assets\/manifest-[\w-]+\.js/g));
  expect(urls.size, path).toBe(1);
  const script = await (await visitor.fetch([...urls].join(""))).text();
  const manifest = JSON.parse(script.slice(script.indexOf("{"), -1)) as { routes: object };
  return Object.keys(manifest.routes).toSorted();
}

it("has trees besides the storefront", () => {
  expect(shared).toContain("routes/storefront/shop/route");
  expect(idsOf(trees)).toContain("routes/orders/receipt");
});

it("no address outside of the storefront is taken for one inside by a script that knows no other", () => {
  const known = routesFrom(storefront ? [storefront] : []);
  const paths = addressesOf(trees).map((path) => path.replace(/:\w+/g, "some"));
  expect(paths).toContain("/orders/some/receipt");
  const taken = paths.filter((path) => matchRoutes(known, path)?.at(-1)?.route.path !== "*");
  expect(taken).toEqual([]);
});

it.each(["/", "/product/travel-sleeve", "/support", "/cart", "/checkout", "/auth", ORDER, "/no-such-page"])(
  "%s is told of the storefront only",
  async (path) => {
    expect(await routesOf(path)).toEqual(shared.toSorted());
  },
);

it.each(["/payments/wait", "/auth/verify", `${ORDER}/receipt`])("%s is told of its own tree besides", async (path) => {
  const own = trees.filter((tree) => idsOf([tree]).includes("routes/orders/receipt"));
  expect(await routesOf(path)).toEqual([...shared, ...idsOf(own)].toSorted());
});
