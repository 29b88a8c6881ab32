/** The failover scenario and its effect on visitors. */
import { PLENTY, verifyOrders, type Moment } from "./books.ts";
import type { Cluster } from "./cluster.ts";
import { poll } from "./daemons.ts";
import { Shoppers } from "./shoppers.ts";

/** Several orders of each buyer. */
const SOME = 100;

/** True if no order was lost and no request failed unexpectedly. */
export async function scenario(cluster: Cluster): Promise<boolean> {
  const leader = await cluster.followed();
  await leader.query("UPDATE products SET is_available = true");
  await leader.query(`UPDATE stock SET inventory_count = ${PLENTY}`);
  const products = await leader.query<{ id: string }>("SELECT id FROM products");
  const ids = products.map(({ id }) => id);
  const shoppers = new Shoppers(cluster.url, ids, { buyers: 4, readers: 2 });
  let isGreen = true;
  let moment: Moment | undefined;
  try {
    await primaryEnds(cluster, shoppers, "SIGKILL", "The primary's machine is killed");
    moment = await momentOf(cluster, shoppers);
    await primaryEnds(cluster, shoppers, "SIGSTOP", "The primary's machine hangs");
    await standbyEnds(cluster, shoppers);
    isGreen = (await webRestarts(cluster, shoppers)) === 0;
    await webIsKilled(cluster, shoppers);
  } catch (error) {
    // Answers before the failure count too.
    console.log(String(error));
    isGreen = false;
  }
  await shoppers.stop();
  return (await verifyOrders(cluster, shoppers.orders, moment)) && isGreen;
}

async function moreOrders({ orders }: Shoppers): Promise<void> {
  const enough = orders.length + SOME;
  await poll("orders are answered", async () => orders.length >= enough);
}

/** Runs an event under load and prints its effect. Returns the number of failed requests. */
async function measure(what: string, shoppers: Shoppers, happen: () => Promise<void>): Promise<number> {
  await moreOrders(shoppers);
  const [orders, failures, from] = [shoppers.orders.length, shoppers.failures.length, performance.now()];
  await happen();
  await moreOrders(shoppers);
  const times = [from, ...shoppers.orders.slice(orders).map(({ at }) => at)];
  const longest = Math.max(...times.slice(1).map((at, i) => at - (times[i] ?? at)));
  const failed = shoppers.failures.slice(failures);
  const kinds = [...Map.groupBy(failed, (failure) => failure)].map(([kind, { length }]) => `\n    ${length} × ${kind}`);
  console.log(
    `${what}: ${orders} orders before, ${shoppers.orders.length - orders} from then on, ${(longest / 1000).toFixed(1)} seconds without one; ${failed.length} requests failed.${kinds.join("")}`,
  );
  return failed.length;
}

async function primaryEnds(cluster: Cluster, shoppers: Shoppers, kind: "SIGKILL" | "SIGSTOP", what: string) {
  const leader = await cluster.followed();
  await measure(what, shoppers, async () => {
    leader.signal(kind);
    await moreOrders(shoppers);
    if (kind === "SIGKILL") leader.start();
    else leader.signal("SIGCONT");
    await poll("another leads", async () => (await cluster.primary()) !== leader);
    await cluster.followed();
  });
}

async function standbyEnds(cluster: Cluster, shoppers: Shoppers): Promise<void> {
  const leader = await cluster.followed();
  await measure("The standby's machine is killed", shoppers, async () => {
    const standby = cluster.databases.find((one) => one !== leader);
    standby?.signal("SIGKILL");
    await moreOrders(shoppers);
    standby?.start();
    await cluster.followed();
  });
}

async function webRestarts({ web }: Cluster, shoppers: Shoppers): Promise<number> {
  let failed = 0;
  for (const one of web) {
    failed += await measure(`${one.name} is restarted`, shoppers, async () => {
      await one.end("SIGTERM");
      await one.start();
      await one.waitForTraffic();
    });
  }
  return failed;
}

async function webIsKilled({ web }: Cluster, shoppers: Shoppers): Promise<void> {
  for (const one of web) {
    await measure(`${one.name}'s process is killed`, shoppers, async () => {
      await one.end("SIGKILL");
      await moreOrders(shoppers);
      await one.start();
      await one.waitForTraffic();
    });
  }
}

/** All orders confirmed by now are in the database by `time`. */
async function momentOf(cluster: Cluster, { orders }: Shoppers): Promise<Moment> {
  const answered = orders.slice();
  const [now] = await (await cluster.primary()).query<{ time: string }>("SELECT now()::text AS time");
  return { answered, time: now?.time ?? "" };
}
