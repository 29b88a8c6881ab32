/** Everything the shop has an address for, read from where it is declared: a new one is in every test that asks for all. */
import { globSync, readFileSync } from "node:fs";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import siteMap from "../../app/routes.ts";

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

/** What the shop shows to everybody, or to whoever signs in as a customer. */
export const pages: Address[] = all.filter((address) => !isAdmin(address) || isOpen(address));

/** What stands behind the guard of the back office. */
export const adminPages: Address[] = all.filter((address) => isAdmin(address) && !isOpen(address));

/** What the server answers before the site map is asked. What it mounts, it mounts at its root, but for development's samples. */
export function serverRoutes(): string[] {
  const route = /\b(?:app|files|shop)\.(get|post|put|patch|delete|all|route)\(\s*["`]([/$][^"`]*)["`]/g;
  return globSync("server/**/*.ts")
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(route)])
    .map(([, method = "", path = ""]) => `${method.toUpperCase()} ${path}`)
    .filter((at) => at !== "ROUTE /" && at !== "ROUTE /emails");
}

const sources = () =>
  globSync("{app,shop,server}/**/*.{ts,tsx}")
    .filter((file) => !/\.test\.|\.generated\./.test(file))
    .map((file) => readFileSync(file, "utf8"));

const allOf = (texts: string[], pattern: RegExp) => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => name))),
];

/** The parameters that any page reads from its address. */
export const queryNames = (): string[] => allOf(sources(), /\.(?:get|getAll|has)\("([A-Za-z_]+)"\)/g);

/**
 * Every name that a form of the shop may have: those of its inputs, and those that the code of its forms has in
 * quotes or as a key. More than there are, so that which form has which can be asked of the shop itself.
 */
export function possibleFieldNames(): string[] {
  const read = (pattern: string) => globSync(pattern).map((file) => readFileSync(file, "utf8"));
  const rules = read("shop/**/*{-form,-forms,-entry}.ts");
  const readers = [...rules, ...read("app/routes/**/*.ts")];
  const lists = allOf(readers, /((?:readForm\(|FIELDS = )[^;]*)/g);
  return [
    ...new Set([
      ...allOf(sources(), /\bname=\{?["']([\w-]+)["']/g),
      ...allOf(rules, /_FIELD = "([\w-]+)"/g),
      ...allOf(rules, /(?:[{,]|^)\s*([a-z]\w*)(?=\s*[:,}])/gm),
      ...allOf(lists, /"([\w-]+)"/g),
    ]),
  ];
}
