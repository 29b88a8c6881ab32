/** `npm run demo`: a year of invented sales for the back office. */
import { migrateDatabase } from "#db/migrate.ts";
import { seedCatalog } from "#shop/inventory/stock.server.ts";
import { QUEUES } from "#shop/mail/mailbox.server.ts";
import { fillDemo } from "./demo/fill.ts";
import { runCommand } from "./run-command.ts";

await runCommand(async ({ env, db, databaseUrl, secret }) => {
  if (env.PAYMENTS === "stripe")
    throw new Error("PAYMENTS is stripe: the demo is for a shop that takes no real money.");
  await migrateDatabase(databaseUrl, QUEUES);
  await seedCatalog(db);
  const demo = { db, databaseUrl, baseUrl: env.BASE_URL, secret };
  const filled = await fillDemo(demo, { progress: (text) => console.log(`  ${text} …`) });
  console.log(
    `\n  A year:  ${filled.orders} orders of ${filled.people} people, ${filled.messages} messages, ${filled.waiting} on the waitlist`,
  );
  console.log("  Next:    PAYMENTS=sandbox npm start, whose link makes you the owner: everything is at /admin\n");
});
