/** What is fetched for the shop is what was meant: its checksum stands in package-lock.json. */
import { readFileSync } from "node:fs";
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

/** Where npm would install an entry: on the platforms that the shop brings its own Node for. */
const isInstalledOn = (cpu: string, path: string, entry: Entry) =>
  (entry.os ?? ["linux"]).includes("linux") && (entry.cpu ?? [cpu]).includes(cpu) && !/musl/.test(path);

it.each(["x64", "arm64"])("every package that is fetched on Linux, %s, has a checksum", (cpu) => {
  expect(fetched.filter(([path, entry]) => isInstalledOn(cpu, path, entry)).length).toBeGreaterThan(500);
  expect(unchecked.filter(([path, entry]) => isInstalledOn(cpu, path, entry))).toEqual([]);
});

it("without one are only native tools of other platforms that this registry does not show", () => {
  const TOOLS = /^node_modules\/@(oxfmt\/binding|oxlint\/binding|oxlint-tsgolint\/|rollup\/rollup|tailwindcss\/oxide)/;
  expect(unchecked.filter(([path, { optional }]) => !optional || !TOOLS.test(path))).toEqual([]);
  // scripts/complete-lock.mjs fills them in where it can: there may be fewer, never more.
  expect(unchecked.length).toBeLessThanOrEqual(70);
});

it("nothing is fetched from anywhere but the registry", () => {
  const elsewhere = fetched.filter(
    ([, { resolved }]) => resolved && !resolved.startsWith("https://registry.npmjs.org/"),
  );
  expect(elsewhere).toEqual([]);
});
