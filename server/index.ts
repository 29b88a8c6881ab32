/** `npm start`, `npm run worker` and `npm run migrate` run this, bundled with all it needs, so that Node loads nothing else. */
import { getRequestListener } from "@hono/node-server";
import { provideConfig } from "../app/config.server.ts";
import { describeError } from "../app/http/describe-error.ts";
import { log } from "../app/http/log.server.ts";
import { serve, work } from "./serve.ts";
import { enterShop, FORKED, greeting, start } from "./web.ts";

// Imported as late as this, because these modules ask for the configuration as they load.
const loadJobs = async () => {
  const [{ prepareDatabase }, { startWorker }] = await Promise.all([import("./prepare.ts"), import("./worker.ts")]);
  return { prepareDatabase, startWorker };
};
const loadShop = async () => {
  const [{ app, ...more }, jobs] = await Promise.all([import("./app.ts"), loadJobs()]);
  return { shop: { app, ...more, ...jobs }, listener: getRequestListener(app.fetch) };
};

const [, , command] = process.argv;
if (command === FORKED) {
  const { runForked } = await import("./forked.ts");
  await runForked((order) =>
    order.role === "web" ? serve(loadShop, { ...order, hasJobs: false }) : work(loadJobs, { ...order, hasJobs: true }),
  );
} else if (command === "migrate") {
  await start(async ({ config }) => {
    enterShop(config);
    const { prepareDatabase } = await import("./prepare.ts");
    const { migrations, seeded } = await prepareDatabase();
    const applied = migrations.length > 0 ? `Applied: ${migrations.join(", ")}.` : "No migration was missing.";
    return { says: seeded > 0 ? `${applied} The catalog was empty and has ${seeded} products now.` : applied };
  }, "npm run migrate");
} else if (command === "worker") {
  await start(
    async (given) => ({ running: await work(loadJobs, given), says: "Polara's worker runs: emails and chores." }),
    "npm run worker",
  );
} else {
  await start(async (given, env) => {
    const adds = async () => (await import("./first-owner.ts")).firstOwnerLine();
    if (env.WEB_PROCESSES === 1) return { running: await serve(loadShop, given), says: greeting(env), adds };
    provideConfig(given.config);
    const { startProcesses } = await import("./processes.ts");
    return { running: await startProcesses(given, env.WEB_PROCESSES), says: greeting(env), adds };
  });
}

// What a library writes to the console may contain what somebody typed: the log keeps only the kind of error.
for (const level of ["error", "warn", "info", "log", "debug"] as const) {
  console[level] = (...written: unknown[]) => {
    const error = written.find((one) => one instanceof Error) ?? new Error("without an error");
    log[level === "error" ? "error" : "warn"]({ error: describeError(error) }, `a library wrote to console.${level}`);
  };
}
