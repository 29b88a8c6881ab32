import { defineConfig } from "vitest/config";
import { contentPlugin } from "./shop/content/mdx-plugin.ts";

/** Workers run many files each; every file restores its changes and has its own database. */
const isolate = false;
/** Long enough for a busy machine. */
const expect = { poll: { timeout: 30_000 } };

export default defineConfig({
  test: {
    // Each file starts a shop and a database, and journeys run beside: more workers would wait for each other.
    maxWorkers: 3,
    projects: [
      {
        plugins: [contentPlugin()],
        test: {
          name: "unit",
          isolate,
          expect,
          include: ["{app,art,platform,shop,server,sandboxes,db}/**/*.test.{ts,tsx}", "tests/*.test.ts"],
          exclude: ["**/*.server.test.ts"],
          setupFiles: "tests/support/config.setup.ts",
          testTimeout: 60_000,
        },
      },
      {
        plugins: [contentPlugin()],
        test: {
          name: "server",
          isolate,
          expect,
          include: ["{shop,server,sandboxes,db,scripts}/**/*.server.test.ts", "tests/payment-contract/**/*.test.ts"],
          setupFiles: "tests/support/quick-passwords.ts",
          globalSetup: "tests/support/database.setup.ts",
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      // `nightly`: minutes for one promise, such as crashes at each moment or all damaged folders.
      ...["http", "nightly"].map((name) => ({
        test: {
          name,
          isolate,
          expect,
          include: [`tests/${name}/**/*.test.ts`],
          setupFiles: "tests/support/quick-passwords.ts",
          globalSetup: ["tests/support/build.setup.ts", "tests/support/database.setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      })),
    ],
  },
});
