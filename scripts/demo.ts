/** `npm run demo`: a year of a shop that never was, to see and measure the back office with. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { embeddedBeside } from "../db/beside.ts";
import { isDatabaseDown, openDatabase } from "../db/connection.server.ts";
import { startEmbeddedDatabase } from "../db/embedded.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { readEnv, systemEnvironment } from "../server/config.ts";
import { seedCatalog } from "../shop/inventory/seed.server.ts";
import { QUEUES } from "../shop/mail/queues.ts";
import { rollUp } from "../shop/numbers/roll-up.server.ts";
import { fillDemo } from "./demo/fill.ts";

const ends: (() => Promise<void>)[] = [];
try {
  const env = readEnv();
  if (env.PAYMENTS === "stripe")
    throw new Error("PAYMENTS is stripe: the demo is for a shop that takes no real money.");
  const isNew = !existsSync(join(env.DATA_DIR, "postgres"));
  const database = env.DATABASE_URL
    ? { url: env.DATABASE_URL, stop: async () => {} }
    : await (isNew ? startEmbeddedDatabase : embeddedBeside)(env.DATA_DIR, systemEnvironment());
  ends.push(() => database.stop());
  await migrateDatabase(database.url, QUEUES);
  const { db, pool } = openDatabase(database.url, 3, null);
  ends.push(() => pool.end());
  await seedCatalog(db);
  const started = performance.now();
  const { orders, people, messages, waiting } = await fillDemo(pool, env.BASE_URL);
  await rollUp(db);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `\n  A year:  ${orders} orders of ${people} people, ${messages} messages, ${waiting} on the waitlist (${seconds} s)`,
  );
  console.log("  Next:    PAYMENTS=sandbox npm start, whose link makes you the owner: everything is at /admin\n");
} catch (error) {
  if (isDatabaseDown(error)) console.error("The database does not answer. Try again once it does.");
  else console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  for (const end of ends.toReversed()) await end();
}
