import { resolve } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { leanFramework } from "./app/lean-framework.ts";
import { officeRoutes } from "./app/office-routes.ts";
import { routeManifests } from "./app/route-manifests.ts";
import { contentPlugin } from "./shop/content/mdx-plugin.ts";
import { footerColumns } from "./shop/pages.ts";

/** What every page needs. */
const SHELL =
  /app\/(root|http\/page-meta|ui\/(chrome|feedback)\/(?!account|alert|footer|toaster)|ui\/content\/prose|ui\/search\/search-button)|shop\/brand|routes\/storefront\/(layout|pages-ahead)/;

/** What pages that sell need, and pages of words do not. */
const GOODS =
  /app\/(http\/deferred|ui\/(product\/(add-to-cart|color-name|heart|price|product-card|swatch)|content\/tab-list|time\/(clock|countdown)))|shop\/(catalog(?!\/desk)|money)|icons\/(chevron-down|minus|plus|shield-check)\./;

/** Parts of the router that the shop does not use, and what stands for them: two kilobytes of every page. */
const UNUSED: Record<string, string> = {
  "./instrumentation.js": "app/http/no-instrumentation.ts",
  "./lib/dom/ssr/fog-of-war.js": "app/http/no-route-discovery.ts",
  "./fog-of-war.js": "app/http/no-route-discovery.ts",
};
const withoutUnused: Plugin = {
  name: "without-unused",
  apply: "build",
  enforce: "pre",
  resolveId(id, importer) {
    if (this.environment.name !== "client" || !importer?.includes("/react-router/")) return;
    const instead = UNUSED[id];
    return instead && resolve(instead);
  },
};

/** A browser needs the footer's links, and not the list of all pages that they are made from: half a kilobyte of every page. */
const footerOnly: Plugin = {
  name: "footer-only",
  apply: "build",
  load(id) {
    if (this.environment.name === "client" && id === resolve("shop/pages.ts"))
      return `export const footerColumns = () => (${JSON.stringify(footerColumns())});`;
  },
};

/**
 * What a part that is imported later imports itself is fetched beside it. Vite's own helper does the same for stylesheets
 * and tells of each failure, which no page needs: half a kilobyte of every page.
 */
const shortPreload: Plugin = {
  name: "short-preload",
  apply: "build",
  enforce: "pre",
  load(id) {
    if (this.environment.name === "client" && id.endsWith("vite/preload-helper.js"))
      return `const known = new Set();
        export const __vitePreload = (load, files = []) => {
          for (const file of files.filter((one) => !known.has(one))) {
            known.add(file);
            document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: "/" + file }));
          }
          return load();
        };`;
  },
};

/**
 * What every page runs while it wakes up is compiled beside its fetching, off the main thread, and not function by function
 * when each is first called.
 */
const compiledAhead: Plugin = {
  name: "compiled-ahead",
  apply: "build",
  generateBundle(_options, bundle) {
    if (this.environment.name !== "client") return;
    for (const file of Object.values(bundle))
      if (file.type === "chunk" && /^(framework|shell|goods)$/.test(file.name))
        file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
  },
};

/**
 * While it is evaluated React makes a few errors, to know them again when it throws them itself. For their stacks, which
 * nobody sees, a browser reads all of React's code a second time: nearly all that evaluating it takes.
 */
const withoutStacks: Plugin = {
  name: "without-stacks",
  apply: "build",
  transform: {
    filter: { id: /react-dom-client\.production\.js/ },
    handler: (code) => {
      const made = /Exception = Error\((.+?)\)([,;\n])/g;
      if (!made.test(code)) throw new Error("React's errors are not where they were.");
      return code.replaceAll(made, "Exception = { __proto__: Error.prototype, message: $1 }$2");
    },
  },
};

/** Node keeps the text of what it runs, twice as large where a single character of it is beyond Latin-1 (`bench process`). */
const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
const latinText: Plugin = {
  name: "latin-text",
  apply: "build",
  generateBundle(_options, bundle) {
    if (this.environment.name !== "ssr") return;
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === "chunk") chunk.code = chunk.code.replace(/[^\0-\xff]/g, escaped);
    }
  },
};

export default defineConfig(({ command }) => ({
  plugins: [
    tailwindcss(),
    contentPlugin(),
    reactRouter(),
    routeManifests,
    officeRoutes,
    latinText,
    withoutUnused,
    footerOnly,
    shortPreload,
    compiledAhead,
    withoutStacks,
    leanFramework,
  ],
  // A tenth of lucide's code, for every page and for every icon that is rendered.
  resolve:
    command === "build" ? { alias: { "../createLucideIcon.mjs": resolve("app/ui/chrome/lucide-icon.tsx") } } : {},
  // How long each plugin took is for who looks for it, and not for who starts the shop.
  build: { rollupOptions: { checks: { bundlerTimings: false } } },
  environments: {
    client: {
      build: {
        rollupOptions: {
          output: {
            // Fewer, larger chunks compress better: it saves a first load 7 kB. Fields come with their forms.
            codeSplitting: {
              groups: [
                { name: "framework", test: /node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 2 },
                { name: "shell", test: SHELL, priority: 1 },
                { name: "pictures", test: /app\/ui\/product\/pictures?\./, priority: 1 },
                { name: "goods", test: GOODS, minShareCount: 2 },
                { name: "home", test: /home\/(why-choose|shelf-life|lifestyle|closing)\./ },
                { name: "sums", test: /app\/ui\/order\/order-sums|shop\/shipping\/methods/ },
                {
                  name: "orders",
                  test: /app\/ui\/(order\/order-lines|time\/local-time)|shop\/orders\/order\.|icons\/check\./,
                },
                { name: "fields", test: /app\/ui\/(form\/(field|password-fields)|feedback\/alert)/, minShareCount: 2 },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // Else both of React's builds are in the bundle, and every look at the environment takes its time.
      define: command === "build" ? { "process.env.NODE_ENV": '"production"' } : {},
      // Node keeps the text of what it runs: without comments the idle process is 2 MB smaller (`bench process`).
      build: {
        rollupOptions: {
          input: "./server/index.ts",
          external: ["pg-native", "sharp", "@aws-sdk/client-s3"],
          output: { comments: false },
        },
      },
      // Unbundled, drizzle-orm alone adds most of a second and 190 MB to every start.
      resolve: command === "build" ? { noExternal: true } : {},
    },
  },
  optimizeDeps: {
    noDiscovery: true,
    include: [
      "react",
      "react-dom",
      "react-dom/client",
      "react/jsx-runtime",
      "react/jsx-dev-runtime",
      "react-router",
      "react-router/dom",
      "@conform-to/react",
      "@conform-to/zod/v4",
      "zod",
      "sonner",
      "lucide-react",
    ],
  },
}));
