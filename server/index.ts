/** `npm start` runs this, bundled with all it needs: Node reads it as it is, and loads nothing that is not used. */
import { getRequestListener } from "@hono/node-server";
import { reportError } from "../app/http/log.server.ts";
import { start } from "./start.ts";

await start(async () => {
  // Not before the database is there: the shop connects where it is loaded.
  const shop = await import("./app.ts");
  return { shop, listener: getRequestListener(shop.app.fetch) };
});

// A library that writes to the console may repeat what it was given; the log keeps only what kind of error it was.
for (const level of ["error", "warn", "info", "log", "debug"] as const) {
  console[level] = (...written: unknown[]) => {
    const error = written.find((one) => one instanceof Error);
    reportError(error ?? new Error("without an error"), `a library wrote to console.${level}`);
  };
}
