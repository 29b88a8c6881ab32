import { defineConfig } from "vitest/config";
import { contentPlugin } from "./shop/content/mdx-plugin.ts";

/** One worker runs many files: each restores what it changes, and has a database of its own. */
const isolate = false;
/** Long enough for a machine that is busy with other things. */
const expect = { poll: { timeout: 30_000 } };

export default defineConfig({
  test: {
    // A shop and a database for each file: more at once would wait for each other.
    maxWorkers: 4,
    projects: [
      {
        plugins: [contentPlugin()],
        test: {
          name: "unit",
          isolate,
          expect,
          include: ["{app,art,shop,server,db}/**/*.test.{ts,tsx}", "tests/*.test.ts"],
          exclude: ["**/*.server.test.ts"],
          setupFiles: "tests/support/config.setup.ts",
        },
      },
      {
        plugins: [contentPlugin()],
        test: {
          name: "server",
          isolate,
          expect,
          include: ["{shop,server,db,scripts}/**/*.server.test.ts", "tests/payment-contract/**/*.test.ts"],
          setupFiles: "tests/support/quick-passwords.ts",
          globalSetup: "tests/support/database.setup.ts",
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "http",
          isolate,
          expect,
          include: ["tests/http/**/*.test.ts"],
          setupFiles: "tests/support/quick-passwords.ts",
          globalSetup: ["tests/support/build.setup.ts", "tests/support/database.setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
