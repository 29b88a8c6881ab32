import { defineConfig } from "vitest/config";
import { contentPlugin } from "./shop/content/mdx-plugin.ts";

export default defineConfig({
  test: {
    // A shop and a database for each file: more at once would wait for each other.
    maxWorkers: 2,
    projects: [
      {
        plugins: [contentPlugin()],
        test: {
          name: "unit",
          include: ["{app,art,shop,server,db}/**/*.test.{ts,tsx}", "tests/*.test.ts"],
          exclude: ["**/*.server.test.ts"],
          setupFiles: "tests/support/config.setup.ts",
        },
      },
      {
        plugins: [contentPlugin()],
        test: {
          name: "server",
          include: ["{shop,server,db}/**/*.server.test.ts"],
          globalSetup: "tests/support/database.setup.ts",
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "http",
          include: ["tests/http/**/*.test.ts"],
          globalSetup: ["tests/support/build.setup.ts", "tests/support/database.setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
