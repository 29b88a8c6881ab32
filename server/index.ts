/** `npm start` runs this, bundled with all it needs: Node reads it as it is, and loads nothing that is not used. */
import { getRequestListener } from "@hono/node-server";
import { describeError } from "../app/http/describe-error.ts";
import { log } from "../app/http/log.server.ts";
import { start } from "./web.ts";

await start(async () => {
  // Not before the shop has its configuration: it connects where it is loaded.
  const [{ app, cache }, { startWorker }] = await Promise.all([import("./app.ts"), import("./worker.ts")]);
  return { shop: { app, cache, startWorker }, listener: getRequestListener(app.fetch) };
});

// A library that writes to the console may repeat what it was given; the log keeps only what kind of error it was.
for (const level of ["error", "warn", "info", "log", "debug"] as const) {
  console[level] = (...written: unknown[]) => {
    const error = written.find((one) => one instanceof Error) ?? new Error("without an error");
    log[level === "error" ? "error" : "warn"]({ error: describeError(error) }, `a library wrote to console.${level}`);
  };
}
