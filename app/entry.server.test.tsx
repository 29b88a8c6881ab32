import { createHash } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import { createRequestHandler, Scripts, ScrollRestoration, type ServerBuild } from "react-router";
import * as entry from "./entry.server.tsx";

const INJECTED = "alert(document.cookie)";

afterEach(() => vi.unstubAllEnvs());

/** A shop of one page, into whose text a script came. */
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

const build = {
  entry: { module: entry },
  routes: { root: { id: "root", path: "", module: { default: Page, loader: () => ({ description: INJECTED }) } } },
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
} as unknown as ServerBuild;

it("a script that came into a page is not allowed, while the page's own are, and no mark is left", async () => {
  vi.stubEnv("PROD", true);
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
