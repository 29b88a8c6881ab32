import { expect, it } from "vitest";
import { stagedScripts } from "./staged-scripts.ts";

const page = [
  '<link rel="modulepreload" href="/assets/manifest.js"/>',
  '<link rel="modulepreload" href="/assets/entry.js"/>',
  '<link rel="modulepreload" href="/assets/react.js"/>',
  '<link rel="modulepreload" href="/assets/home.js"/>',
  '<script>begin()</script><script nonce="1" type="module" async="">',
  'import "/assets/manifest.js";\nimport * as route0 from "/assets/root.js";\nimport * as route1 from "/assets/home.js";',
  'window.__reactRouterRouteModules = {"root":route0,"home":route1};\n\nimport("/assets/entry.js");</script>',
].join("\n");

it("imports what all need first and each file by itself, and then does what the router's own script does", () => {
  const code = /type="module" async="">([^<]*)<\/script>/.exec(stagedScripts(page))?.[1] ?? "";
  expect(code).not.toMatch(/import (?!\()["*]/);
  const order = ["react.js", "manifest.js", "root.js", "home.js", "__reactRouterRouteModules", "entry.js"];
  expect(order.map((name) => code.indexOf(name))).toEqual(
    order.map((name) => code.indexOf(name)).toSorted((a, b) => a - b),
  );
  expect(code).toContain('const route1=await import("/assets/home.js")');
  expect(code.match(/setTimeout/g)).toHaveLength(4);
});

it("leaves a document without the router's script as it is", () => {
  expect(stagedScripts("<p>Hello</p>")).toBe("<p>Hello</p>");
});
