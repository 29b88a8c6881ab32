/** Whether what was answered is what was kept: in the database that leads in the end, and in the archive. */
import type { Cluster } from "./cluster.ts";
import { askRestored } from "./restored.ts";
import type { Order } from "./shoppers.ts";

export type Moment = { answered: Order[]; time: string };
/** What there is of each product at first. */
export const PLENTY = 1_000_000;

type Kept = { key: string; number: string };

/** Says what is lost, doubled or sold without being counted. True where nothing is. */
export async function readIn(cluster: Cluster, answered: Order[], moment?: Moment): Promise<boolean> {
  const leader = await cluster.primary();
  const kept = await leader.query<Kept>("SELECT checkout_key AS key, left(id::text, 8) AS number FROM orders");
  const lost = missingFrom(kept, answered);
  const doubled = kept.length + lost - answered.length;
  const wrong = await leader.query(
    `SELECT s.product_id FROM stock s LEFT JOIN order_items i USING (product_id)
     GROUP BY s.product_id HAVING s.inventory_count + coalesce(sum(i.quantity), 0) <> ${PLENTY}`,
  );
  console.log(
    `${answered.length} orders answered, ${kept.length} kept: ${lost} lost, ${doubled} doubled, stock wrong for ${wrong.length} products.`,
  );
  const isArchived = moment ? await isRestored(cluster, moment) : false;
  return lost === 0 && doubled === 0 && wrong.length === 0 && isArchived;
}

const missingFrom = (kept: Kept[], answered: Order[]): number => {
  const numbers = new Map(kept.map(({ key, number }) => [key, number]));
  return answered.filter(({ key, number }) => numbers.get(key) !== number).length;
};

async function isRestored(cluster: Cluster, { answered, time }: Moment): Promise<boolean> {
  const kept = await askRestored<Kept & { isLater: boolean }>(
    await cluster.primary(),
    cluster.folder,
    time,
    `SELECT checkout_key AS key, left(id::text, 8) AS number, created_at > '${time}' AS "isLater" FROM orders`,
  );
  const missing = missingFrom(kept, answered);
  const later = kept.filter(({ isLater }) => isLater).length;
  console.log(
    `Restored from the archive to the moment after the first failover: ${missing} of ${answered.length} orders missing, ${later} later ones.`,
  );
  return missing === 0 && later === 0;
}
