/** `npm start` runs this, bundled with all it needs: Node reads it as it is, and loads nothing that is not used. */
import { getRequestListener } from "@hono/node-server";
import { start } from "./start.ts";

await start(async () => {
  // Not before the database is there: the shop connects where it is loaded.
  const shop = await import("./app.ts");
  return { shop, listener: getRequestListener(shop.app.fetch) };
});
