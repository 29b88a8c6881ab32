import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { contentPlugin } from "./shop/content/mdx-plugin.ts";

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), contentPlugin(), reactRouter()],
  build: { rollupOptions: { checks: { bundlerTimings: false } } },
  environments: {
    ssr: {
      // Both of React's builds would be in the bundle otherwise.
      define: command === "build" ? { "process.env.NODE_ENV": '"production"' } : {},
      build: {
        rollupOptions: { input: "./server/start.ts", external: ["pg-native", "sharp", "@aws-sdk/client-s3"] },
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
