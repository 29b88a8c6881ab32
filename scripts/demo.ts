/** `npm run demo`: a year of invented sales for the back office. */
import { isDatabaseDown, openDatabase } from "#db/connection.server.ts";
import { attachEmbedded } from "#db/embedded.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { authSecret, readEnv, systemEnvironment } from "#platform/environment.ts";
import { seedCatalog } from "#shop/inventory/stock.server.ts";
import { QUEUES } from "#shop/mail/mailbox.server.ts";
import { fillDemo } from "./demo/fill.ts";

const ends: (() => Promise<void>)[] = [];
try {
  const env = readEnv();
  if (env.PAYMENTS === "stripe")
    throw new Error("PAYMENTS is stripe: the demo is for a shop that takes no real money.");
  const database = env.DATABASE_URL
    ? { url: env.DATABASE_URL, stop: async () => {} }
    : await attachEmbedded(env.DATA_DIR, systemEnvironment());
  ends.push(() => database.stop());
  await migrateDatabase(database.url, QUEUES);
  const { db, pool } = openDatabase(database.url, 3, null);
  ends.push(() => pool.end());
  await seedCatalog(db);
  const secret = env.AUTH_SECRET ?? authSecret(env.DATA_DIR);
  const demo = { db, databaseUrl: database.url, baseUrl: env.BASE_URL, secret };
  const filled = await fillDemo(demo, { progress: (text) => console.log(`  ${text} …`) });
  console.log(
    `\n  A year:  ${filled.orders} orders of ${filled.people} people, ${filled.messages} messages, ${filled.waiting} on the waitlist`,
  );
  console.log("  Next:    PAYMENTS=sandbox npm start, whose link makes you the owner: everything is at /admin\n");
} catch (error) {
  if (isDatabaseDown(error)) console.error("The database does not answer. Try again once it does.");
  else console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  for (const end of ends.toReversed()) await end();
}
