/** One shop for all journeys, on a database of its own, and the OpenID provider it signs in with. */
import buildShop from "./build.setup.ts";
import { createDatabase, prepareTemplate } from "./database.setup.ts";
import { startOpenIdProvider } from "./openid-provider.ts";
import { freePort, startShop } from "./shop.ts";

export default async function setup() {
  buildShop();
  const { server, template, stop } = await prepareTemplate();
  const database = await createDatabase(server, template);
  const port = String(await freePort());
  const provider = await startOpenIdProvider(`http://localhost:${port}`);
  const AUTH_SECRET = "a secret of the shop of all journeys, and long enough";
  const shop = await startShop({ DATABASE_URL: database.url, PORT: port, AUTH_SECRET, ...provider.env });
  process.env.E2E_URL = shop.url;
  process.env.E2E_AUTH_SECRET = AUTH_SECRET;
  process.env.E2E_DATABASE_URL = database.url;
  // For tests that need a shop of their own.
  process.env.E2E_SERVER = server;
  process.env.E2E_TEMPLATE = template;
  return async () => {
    await shop.stop();
    await provider.stop();
    await database.drop();
    await stop();
  };
}
