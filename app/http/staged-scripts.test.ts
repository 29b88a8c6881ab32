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
  const imports = code.slice(code.indexOf("for(const file"));
  const order = ["react.js", "manifest.js", "root.js", "home.js", "__reactRouterRouteModules", "entry.js"];
  const places = order.map((name) => imports.indexOf(name));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
  expect(code).toContain('const route1=await import("/assets/home.js")');
  expect(code.match(/await new Promise\(done=>setTimeout\(done\)\)/g)).toHaveLength(4);
});

it("asks for the files once the first picture is painted, and not while the document is begun", () => {
  const staged = stagedScripts(page);
  expect(staged).not.toContain("<link");
  const code = /type="module" async="">([^<]*)<\/script>/.exec(staged)?.[1] ?? "";
  const order = [
    '["/assets/manifest.js","/assets/entry.js"',
    "requestAnimationFrame",
    'rel:"modulepreload"',
    "await import(",
  ];
  const places = order.map((part) => code.indexOf(part));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
});

it("leaves a document without the router's script as it is", () => {
  expect(stagedScripts("<p>Hello</p>")).toBe("<p>Hello</p>");
});
