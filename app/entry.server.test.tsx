import { createHash } from "node:crypto";
import { Suspense } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { createRequestHandler, Scripts, ScrollRestoration, type ServerBuild } from "react-router";
import * as entry from "./entry.server.tsx";

const INJECTED = "alert(document.cookie)";

afterEach(() => vi.unstubAllEnvs());

/** A shop of one page with a script in its text. */
function Page() {
  return (
    <html lang="en-US">
      <body>
        <div dangerouslySetInnerHTML={{ __html: `<script>${INJECTED}</script>` }} />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

const buildOf = (module: object) =>
  ({
    entry: { module: entry },
    routes: { root: { id: "root", path: "", module } },
    assets: {
      entry: { module: "/assets/entry.js", imports: [] },
      routes: { root: { id: "root", path: "", module: "/assets/root.js", hasLoader: true } },
      url: "/assets/manifest.js",
      version: "1",
    },
    publicPath: "/",
    assetsBuildDirectory: "build/client",
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: "initial", manifestPath: "/__manifest" },
  }) as unknown as ServerBuild;

it("only the page's own scripts are allowed, and no mark is left", async () => {
  vi.stubEnv("PROD", true);
  const build = buildOf({ default: Page, loader: () => ({ description: INJECTED }) });
  const response = await createRequestHandler(build, "production")(new Request("http://localhost/"));
  expect(response.status).toBe(200);
  const html = await response.text();
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  const scripts = [...html.matchAll(/<script(?![^>]*src=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, code = ""]) => code);
  const isAllowed = (code: string) => policy.includes(createHash("sha256").update(code).digest("base64"));
  expect(scripts.filter((code) => !isAllowed(code))).toEqual([INJECTED]);
  expect(scripts.length).toBeGreaterThan(3);
  expect(html).not.toContain("nonce");
});

it("a page that breaks inside a Suspense boundary becomes the error page", async () => {
  function Broken(): never {
    throw new Error("broken");
  }
  const build = buildOf({
    default: () => (
      <Suspense>
        <Broken />
      </Suspense>
    ),
    loader: () => null,
    ErrorBoundary: () => <p>Try again</p>,
  });
  const response = await createRequestHandler(build, "production")(new Request("http://localhost/"));
  expect(response.status).toBe(500);
  expect(await response.text()).toContain("Try again");
});
