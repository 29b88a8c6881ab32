/** One shop for all journeys, on a database of its own. */
import buildShop from "./build.setup.ts";
import { createDatabase, prepareTemplate } from "./database.setup.ts";
import { freePort, startShop } from "./shop.ts";

export default async function setup() {
  buildShop();
  const { server, template, stop } = await prepareTemplate();
  const database = await createDatabase(server, template);
  const port = String(await freePort());
  const AUTH_SECRET = "a secret of the shop of all journeys, and long enough";
  const shop = await startShop({ DATABASE_URL: database.url, PORT: port, AUTH_SECRET });
  process.env.E2E_URL = shop.url;
  process.env.E2E_AUTH_SECRET = AUTH_SECRET;
  process.env.E2E_DATABASE_URL = database.url;
  // For tests that need a shop of their own.
  process.env.E2E_SERVER = server;
  process.env.E2E_TEMPLATE = template;
  return async () => {
    await shop.stop();
    await database.drop();
    await stop();
  };
}
