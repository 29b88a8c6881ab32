/** Everything the shop has an address for, read from where it is declared: a new one is in every test that asks for all. */
import { globSync, readFileSync } from "node:fs";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import siteMap from "#app/routes.ts";

/** `rendersPage` is false for what answers with data, a file or a redirect only. */
export type Address = { path: string; file: string; hasAction: boolean; rendersPage: boolean };

function addressesOf(entries: RouteConfigEntry[], prefix = ""): Address[] {
  return entries.flatMap(({ path = "", index: isIndex, file, children = [] }) => {
    const full = path ? `${prefix}/${path}` : prefix || "/";
    const source = readFileSync(`app/${file}`, "utf8");
    const hasAction = /export (async )?(const|function) action\b|export \{[^}]*\baction\b[^}]*\}/.test(source);
    const own =
      path || isIndex
        ? [{ path: full, file: `app/${file}`, hasAction, rendersPage: /export default\b/.test(source) }]
        : [];
    return [...own, ...addressesOf(children, path ? full : prefix)];
  });
}

const all = addressesOf(siteMap as RouteConfigEntry[]);
const isOpen = ({ path }: Address) => ["/admin/sign-in", "/admin/join"].includes(path);
const isAdmin = ({ path }: Address) => path === "/admin" || path.startsWith("/admin/");

/** Pages of visitors and customers. */
export const pages: Address[] = all.filter((address) => !isAdmin(address) || isOpen(address));

/** Pages of the back office. */
export const adminPages: Address[] = all.filter((address) => isAdmin(address) && !isOpen(address));

/** Addresses the server answers outside the site map, mounted at its root except for development's samples. */
export function serverRoutes(): string[] {
  const route = /\b(?:app|files|shop)\.(get|post|put|patch|delete|all|route)\(\s*["`]([/$][^"`]*)["`]/g;
  return globSync("server/**/*.ts")
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(route)])
    .map(([, method = "", path = ""]) => `${method.toUpperCase()} ${path}`)
    .filter((at) => at !== "ROUTE /" && at !== "ROUTE /emails");
}

/** Query parameters that some page reads. */
export function queryNames(): string[] {
  const sources = globSync("{app,platform,shop,server}/**/*.{ts,tsx}").filter((file) => !/\.test\./.test(file));
  const read = /\.(?:get|getAll|has)\("([A-Za-z_]+)"\)/g;
  return [
    ...new Set(sources.flatMap((file) => [...readFileSync(file, "utf8").matchAll(read)].map(([, name = ""]) => name))),
  ];
}
