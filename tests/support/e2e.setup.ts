/** One shop for all journeys, on a database of its own, and the OpenID provider it signs in with. */
import { administer, databaseUrl, prepareTemplate } from "./database.setup.ts";
import { startOpenIdProvider } from "./openid-provider.ts";
import { freePort, startShop } from "./shop.ts";

export default async function setup() {
  const { server, template, stop } = await prepareTemplate();
  const name = `${template}_e2e`;
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const port = String(await freePort());
  const provider = await startOpenIdProvider(`http://localhost:${port}`);
  const shop = await startShop({ DATABASE_URL: databaseUrl(server, name), PORT: port, ...provider.env });
  process.env.E2E_URL = shop.url;
  process.env.E2E_DATABASE_URL = databaseUrl(server, name);
  return async () => {
    await shop.stop();
    await provider.stop();
    await administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await stop();
  };
}
