import { expect, it } from "vitest";
import { divided } from "./route-manifests.ts";

const page = (id: string, parentId?: string) => ({ id, parentId, hasDefaultExport: true, imports: [`${id}.js`] });
const STOREFRONT = "routes/storefront/layout";

const routes = [
  page("root"),
  page(STOREFRONT, "root"),
  { ...page("home", STOREFRONT), imports: ["entry.js", "root.js", "home.js"] },
  page("account", STOREFRONT),
  page("settings", "account"),
  { ...page("add", STOREFRONT), hasDefaultExport: false },
  page("admin", "root"),
  page("admin-orders", "admin"),
  page("admin-order", "admin-orders"),
  { ...page("webhook", "root"), hasDefaultExport: false },
];
const manifests = divided({
  entry: { imports: ["entry.js"] },
  routes: Object.fromEntries(routes.map((route) => [route.id, route])),
});
const storefront = ["root", STOREFRONT, "home", "account", "settings", "add"];

it.each([
  [STOREFRONT, storefront],
  ["admin", [...storefront, "admin", "admin-orders", "admin-order"]],
])("a document of %s is told of the storefront and its own tree", (tree, known) => {
  expect(Object.keys(manifests.get(tree)?.routes ?? {})).toEqual(known);
});

it("a route names what its page has not loaded before", () => {
  expect(manifests.get("admin")?.routes.home?.imports).toEqual(["home.js"]);
});

it("what renders nothing has no manifest and is in none", () => {
  expect([...manifests.keys()]).toEqual([STOREFRONT, "admin"]);
});
