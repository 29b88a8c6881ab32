import { runInNewContext } from "node:vm";
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

/** What a browser would do, in its order. */
async function run(html: string, hidden: boolean) {
  const [, code = ""] = /type="module" async="">([^<]*)<\/script>/.exec(html) ?? [];
  const done: string[] = [];
  const window = {};
  await runInNewContext(`(async () => {${code.replaceAll("import(", "load(")}})()`, {
    window,
    document: {
      hidden,
      createElement: () => ({}),
      head: { append: ({ rel, href }: HTMLLinkElement) => done.push(`${rel} ${href}`) },
    },
    requestAnimationFrame: (go: () => void) => {
      done.push("picture");
      go();
    },
    setTimeout: (go: () => void) => {
      done.push("yield");
      go();
    },
    load: async (file: string) => {
      done.push(`import ${file}`);
      return file;
    },
  });
  return { done, window };
}

const asked = ["react", "manifest", "entry", "home"].map((name) => `modulepreload /assets/${name}.js`);
const imported = ["react", "manifest", "root", "home"].map((name) => `import /assets/${name}.js`);

it("asks for what all need first once there is a picture, then imports each file, in a task of its own", async () => {
  const staged = stagedScripts(page);
  expect(staged).not.toContain("<link");
  const { done, window } = await run(staged, false);
  expect(done).toEqual([
    "picture",
    "yield",
    ...[...asked, ...imported].flatMap((step) => [step, "yield"]),
    "import /assets/entry.js",
  ]);
  expect(window).toEqual({ __reactRouterRouteModules: { root: "/assets/root.js", home: "/assets/home.js" } });
});

it("waits for no picture and no timer in a tab that nobody sees", async () => {
  const { done } = await run(stagedScripts(page), true);
  expect(done).toEqual([...asked, ...imported, "import /assets/entry.js"]);
});

it("leaves a document without the router's script as it is", () => {
  expect(stagedScripts("<p>Hello</p>")).toBe("<p>Hello</p>");
});
