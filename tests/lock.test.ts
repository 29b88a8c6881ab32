/** Packages match their checksums in package-lock.json. */
import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { expect, it } from "vitest";

type Entry = {
  integrity?: string;
  resolved?: string;
  link?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
};

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Entry> };
const fetched = Object.entries(packages).filter(([path, { link }]) => path !== "" && !link);
const unchecked = fetched.filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ""));

/** Platforms with a Node of the shop's own. */
const isInstalledOn = (cpu: string, path: string, entry: Entry) =>
  (entry.os ?? ["linux"]).includes("linux") && (entry.cpu ?? [cpu]).includes(cpu) && !/musl/.test(path);

it.each(["x64", "arm64"])("every package for Linux on %s has a checksum", (cpu) => {
  expect(fetched.filter(([path, entry]) => isInstalledOn(cpu, path, entry)).length).toBeGreaterThan(500);
  expect(unchecked.filter(([path, entry]) => isInstalledOn(cpu, path, entry))).toEqual([]);
});

it("only native tools of other platforms have none", () => {
  const TOOLS = /^node_modules\/@(oxfmt\/binding|oxlint\/binding|oxlint-tsgolint\/|rollup\/rollup|tailwindcss\/oxide)/;
  expect(unchecked.filter(([path, { optional }]) => !optional || !TOOLS.test(path))).toEqual([]);
  // scripts/complete-lock.mjs fills them in where it can: there may be fewer, never more.
  expect(unchecked.length).toBeLessThanOrEqual(70);
});

it("everything is fetched from the registry", () => {
  const elsewhere = fetched.filter(
    ([, { resolved }]) => resolved && !resolved.startsWith("https://registry.npmjs.org/"),
  );
  expect(elsewhere).toEqual([]);
});

const asked = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, Record<string, string>>;

it("the lock file matches package.json", () => {
  for (const kind of ["dependencies", "devDependencies", "optionalDependencies"])
    expect((packages[""] as typeof asked)[kind], kind).toEqual(asked[kind]);
});

it("everything that building and serving import is a dependency", () => {
  const files = globSync("{app,platform,shop,server,sandboxes,db}/**/*.{ts,tsx,css}").filter(
    (file) => !/\.test\.tsx?$/.test(file),
  );
  files.push("vite.config.ts", "react-router.config.ts", "scripts/reset.ts");
  const imported = files.flatMap((file) => {
    const text = readFileSync(file, "utf8").replace(/import type [^;]*;/g, "");
    return [...text.matchAll(/(?:from|import|import\() ?"([^"./~#\s][^"\s]*)"/g)].map(([, name = ""]) => name);
  });
  const names = imported
    .filter((name) => !isBuiltin(name) && !name.startsWith("virtual:"))
    .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
  expect(names).toContain("vite");
  expect([...new Set(names)].filter((name) => !asked.dependencies?.[name])).toEqual([]);
});
