/**
 * What a page's script is told of the site map. React Router makes one manifest of all routes for every page. The build
 * divides it: each document gets the storefront's routes and those of its own tree, and whatever else is asked of the
 * server as a document (routes/not-found.tsx). See docs/decisions/031.
 */
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Plugin } from "vite";
import { writePageStyles } from "./page-styles.ts";

const STOREFRONT = "routes/storefront/layout";

type ManifestRoute = { id: string; parentId?: string; hasDefaultExport: boolean; imports: string[] };
type Manifest = { entry: { imports: string[] }; routes: Record<string, ManifestRoute> };

/** By the id of its tree, a child of the root that renders something: the manifest of the tree's documents. */
export function divided({ entry, routes }: Manifest): Map<string, Manifest> {
  const all = Object.values(routes);
  const parentOf = ({ parentId }: ManifestRoute) => routes[parentId ?? ""];
  const treeOf = (route: ManifestRoute): string => {
    const parent = parentOf(route);
    return parent && parent.id !== "root" ? treeOf(parent) : route.id;
  };
  /** What a page has loaded before it comes to what is inside of a route. */
  const loadedBy = (route: ManifestRoute | undefined): string[] =>
    route ? [...loadedBy(parentOf(route)), ...route.imports] : entry.imports;
  const told = (route: ManifestRoute): ManifestRoute => {
    const loaded = loadedBy(parentOf(route));
    return { ...route, imports: route.imports.filter((file) => !loaded.includes(file)) };
  };
  const trees = all.filter(({ parentId, hasDefaultExport }) => parentId === "root" && hasDefaultExport);
  return new Map(
    trees.map((tree) => {
      const known = all.filter((route) => ["root", STOREFRONT, tree.id].includes(treeOf(route)));
      return [tree.id, { entry, routes: Object.fromEntries(known.map((route) => [route.id, told(route)])) }];
    }),
  );
}

/** What is false or empty is the same as what is left out, and no browser asks which routes render something. */
const isSaid = (key: string, value: unknown) =>
  key !== "hasDefaultExport" && value !== false && !(Array.isArray(value) && value.length === 0);
const text = (manifest: object) =>
  JSON.stringify(manifest, (key, value: unknown) => (isSaid(key, value) ? value : undefined));

function write(folder: string, manifest: Manifest): string {
  const hash = createHash("sha256").update(text(manifest)).digest("base64url").slice(0, 8);
  const url = `/assets/manifest-${hash}.js`;
  writeFileSync(folder + url, `window.__reactRouterManifest=${text({ ...manifest, url })};`);
  return url;
}

/**
 * Puts the manifests in the place of the router's own; the server finds their addresses as `urls`, by the id of the tree,
 * and those of the pages' sheets as `styles`, by the id of the page.
 */
export const routeManifests: Plugin = {
  name: "route-manifests",
  apply: "build",
  transform: {
    filter: { id: /virtual:react-router\/server-manifest$/ },
    handler(code) {
      const whole = /\/assets\/manifest-\w+\.js/.exec(code)?.[0];
      if (!whole) throw new Error("React Router's manifest is not where it was.");
      const folder = "build/client";
      const read = readFileSync(folder + whole, "utf8");
      const manifests = divided(JSON.parse(read.slice(read.indexOf("{"), -1)) as Manifest);
      rmSync(folder + whole);
      const urls = Object.fromEntries([...manifests].map(([tree, manifest]) => [tree, write(folder, manifest)]));
      const instead = JSON.stringify({ url: urls[STOREFRONT], urls, styles: writePageStyles(folder) });
      return code.replace(/^export default (.*?);?\s*$/s, `export default { ...$1, ...${instead} };`);
    },
  },
};
