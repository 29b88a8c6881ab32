import { resolve } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { contentPlugin } from "./shop/content/mdx-plugin.ts";
import { footerColumns } from "./shop/pages.ts";

/** What every page needs. */
const SHELL =
  /app\/(root|http\/page-meta|ui\/(chrome|feedback)\/(?!account|alert|toaster)|ui\/content\/prose|ui\/search\/search-button)|shop\/brand|routes\/(not-found|storefront\/layout)/;

/** What pages that sell need, and pages of words do not. */
const GOODS =
  /app\/(http\/deferred|ui\/(product\/(add-to-cart|color-name|heart|price|product-card|swatch)|time\/(clock|countdown)))|shop\/(catalog|money)/;

/** The router's hooks for measuring it, which the shop does not use: a kilobyte of every page. */
const withoutInstrumentation: Plugin = {
  name: "without-instrumentation",
  apply: "build",
  enforce: "pre",
  resolveId(id, importer) {
    if (this.environment.name === "client" && id === "./instrumentation.js" && importer?.includes("/react-router/"))
      return resolve("app/http/no-instrumentation.ts");
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

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), contentPlugin(), reactRouter(), withoutInstrumentation, footerOnly],
  // A tenth of lucide's code, for every page and for every icon that is rendered.
  resolve:
    command === "build" ? { alias: { "../createLucideIcon.mjs": resolve("app/ui/chrome/lucide-icon.tsx") } } : {},
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
        rollupOptions: { input: "./server/index.ts", external: ["pg-native"], output: { comments: false } },
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
