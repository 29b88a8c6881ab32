/** One shop for all journeys, on a database of its own. */
import { administer, databaseUrl, prepareTemplate } from "./database.setup.ts";
import { freePort, startShop } from "./shop.ts";

export default async function setup() {
  const { server, template, stop } = await prepareTemplate();
  const name = `${template}_e2e`;
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const shop = await startShop({ DATABASE_URL: databaseUrl(server, name), PORT: String(await freePort()) });
  process.env.E2E_URL = shop.url;
  process.env.E2E_DATABASE_URL = databaseUrl(server, name);
  return async () => {
    await shop.stop();
    await administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await stop();
  };
}
