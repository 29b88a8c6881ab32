/**
 * The sheet of each page: of all styles those that its sources name. The rules stay as they are and in their order, so a
 * page looks the same with its own sheet, with all styles, and with both. See docs/decisions/038.
 */
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { parse, type Rule } from "postcss";
import siteMap from "./routes.ts";

/** The back office has a sheet of its own beside all styles. */
const WITHOUT = "routes/admin/";
/** What it imports is for the page that somebody goes on to. */
export const AHEAD = "app/routes/storefront/pages-ahead.tsx";

/** By the id of its route: the file of a page and those of the layouts around it. */
export function filesOfPages(entries: RouteConfigEntry[], around = ["app/root.tsx"]): Map<string, string[]> {
  return new Map(
    entries
      .filter(({ file }) => !file.startsWith(WITHOUT))
      .flatMap(({ id, file, children = [] }) => {
        const files = [...around, `app/${file}`];
        return [[id ?? file.replace(/\.tsx?$/, ""), files] as const, ...filesOfPages(children, files)];
      }),
  );
}

const IMPORTED = /\b(?:from|import)\s*\(?"(\.{1,2}\/[^"+]+\.tsx?)"/g;

/** What is imported by files, at once or later, by way of others or not. */
export function withImports(files: string[], read: (file: string) => string): Set<string> {
  const found = new Set(files);
  for (const file of found) {
    if (file === AHEAD) continue;
    for (const [, imported = ""] of read(file).matchAll(IMPORTED)) {
      const path = join(dirname(file), imported);
      if (path.startsWith("app/")) found.add(path);
    }
  }
  return found;
}

const ESCAPE = /\\(?:([0-9a-f]{1,6})\s?|(.))/gi;
const unescaped = (name: string) =>
  name.replace(ESCAPE, (_escape, code: string, character: string) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : character,
  );

/** The classes without which a selector selects nothing. */
export function classesOf(selector: string): string[] {
  let depth = 0;
  const classes: string[] = [];
  for (const [piece, name] of selector.matchAll(/[()]|\.((?:\\[0-9a-f]{1,6}\s?|\\.|[\w-])+)|\\./gi)) {
    if (piece === "(") depth += 1;
    else if (piece === ")") depth -= 1;
    else if (name && depth === 0) classes.push(unescaped(name));
  }
  return classes;
}

/** Of a sheet what a page can use whose sources say this. */
export function usedStyles(sheet: string, sources: string): string {
  const words = new Set(sources.split(/[\s"'`\\${}]+/));
  const isNamed = (name: string) => (/["']/.test(name) ? sources.includes(name) : words.has(name));
  const root = parse(sheet);
  root.walkRules((rule: Rule) => {
    const used = rule.selectors.filter((selector) => classesOf(selector).every(isNamed));
    if (used.length === 0) rule.remove();
    else if (used.length < rule.selectors.length) rule.selectors = used;
  });
  // A value that is gone may have been the last to read another.
  for (let before = ""; before !== root.toString();) {
    before = root.toString();
    const read = new Set([...before.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
    const isRead = (name: string) => read.has(name) || sources.includes(name);
    root.walkDecls(/^--/, (value) => void (isRead(value.prop) || value.remove()));
    root.walkAtRules("property", (rule) => void (isRead(rule.params) || rule.remove()));
    const animated = [...before.matchAll(/(?:animation|--animate)[\w-]*:([^;}]*)/g)]
      .map(([, value]) => value)
      .join(" ");
    root.walkAtRules("keyframes", (rule) => void (animated.includes(rule.params) || rule.remove()));
    // An empty layer keeps its place among the others.
    root.walk((node) => {
      if ((node.type === "rule" || (node.type === "atrule" && node.name !== "layer")) && node.nodes?.length === 0)
        node.remove();
    });
  }
  return root.toString();
}

/** Writes the sheets beside the others of the build; their addresses by the id of the page. */
export function writePageStyles(folder: string): Record<string, string> {
  const built = (name: string) => globSync(`${folder}/assets/${name}-*.css`).map((file) => readFileSync(file, "utf8"));
  const [font, styles] = [built("font"), built("styles")].map((sheets) => {
    if (sheets.length !== 1) throw new Error("The styles of the build are not where they were.");
    return sheets.join("");
  });
  const texts = new Map<string, string>();
  const read = (file: string) => {
    const known = texts.get(file) ?? readFileSync(file, "utf8");
    texts.set(file, known);
    return known;
  };
  const addresses = [...filesOfPages(siteMap)].map(([page, files]) => {
    const sources = [...withImports(files, read)].map(read).join("\n");
    const sheet = font + usedStyles(styles ?? "", sources);
    const hash = createHash("sha256").update(sheet).digest("base64url").slice(0, 8);
    const address = `/assets/page-${hash}.css`;
    if (!existsSync(folder + address)) writeFileSync(folder + address, sheet);
    return [page, address];
  });
  return Object.fromEntries(addresses) as Record<string, string>;
}
