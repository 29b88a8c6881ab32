/** `npm start` runs this, bundled with everything it needs, so that Node loads nothing that is not used. */
import { getRequestListener } from "@hono/node-server";
import { describeError } from "../app/http/describe-error.ts";
import { log } from "../app/http/log.server.ts";
import { start } from "./web.ts";

await start(async () => {
  // Imported here, because these modules connect to the database as they load and need the configuration before.
  const [{ app, cache, startDraining }, { startWorker }] = await Promise.all([
    import("./app.ts"),
    import("./worker.ts"),
  ]);
  return { shop: { app, cache, startDraining, startWorker }, listener: getRequestListener(app.fetch) };
});

// What a library writes to the console may contain what somebody typed: the log keeps only the kind of error.
for (const level of ["error", "warn", "info", "log", "debug"] as const) {
  console[level] = (...written: unknown[]) => {
    const error = written.find((one) => one instanceof Error) ?? new Error("without an error");
    log[level === "error" ? "error" : "warn"]({ error: describeError(error) }, `a library wrote to console.${level}`);
  };
}
