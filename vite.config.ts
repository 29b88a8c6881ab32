import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { contentPlugin } from "./shop/content/mdx-plugin.ts";

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), contentPlugin(), reactRouter()],
  environments: {
    client: {
      build: {
        rollupOptions: {
          output: {
            // Fewer, larger chunks compress better: it saves a first load 7 kB. Fields come with their forms.
            codeSplitting: {
              groups: [
                { name: "framework", test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
                {
                  name: "shared",
                  test: /app\/(ui(?!\/(field|product-card))|soon|page-meta)|lucide-react|shop\//,
                  minShareCount: 3,
                },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // Else both of React's builds are in the bundle, and every look at the environment takes its time.
      define: command === "build" ? { "process.env.NODE_ENV": '"production"' } : {},
      build: { rollupOptions: { input: "./server/index.ts", external: ["pg-native"] } },
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
