/** Consistency of the cluster: every confirmed order is in the surviving database and in the archive. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import type { Cluster } from "./cluster.ts";
import { chownFolder, poll, signal, startDaemon } from "./daemons.ts";
import type { DatabaseMachine } from "./machines.ts";
import type { Order } from "./shoppers.ts";

export type Moment = { answered: Order[]; time: string };
/** Initial stock. */
export const PLENTY = 1_000_000;

type StoredOrder = { key: string; number: string };

/** Prints lost and duplicated orders and wrong stock. True if there are none. */
export async function verifyOrders(cluster: Cluster, answered: Order[], moment?: Moment): Promise<boolean> {
  const leader = await cluster.primary();
  const stored = await leader.query<StoredOrder>("SELECT checkout_key AS key, left(id::text, 8) AS number FROM orders");
  const lost = missingFrom(stored, answered);
  const duplicated = stored.length + lost - answered.length;
  const wrong = await leader.query(
    `SELECT s.product_id FROM stock s LEFT JOIN order_items i USING (product_id)
     GROUP BY s.product_id HAVING s.inventory_count + coalesce(sum(i.quantity), 0) <> ${PLENTY}`,
  );
  console.log(
    `${answered.length} orders confirmed, ${stored.length} stored: ${lost} lost, ${duplicated} duplicated, stock wrong for ${wrong.length} products.`,
  );
  const isArchived = moment ? await isRestored(cluster, moment) : false;
  return lost === 0 && duplicated === 0 && wrong.length === 0 && isArchived;
}

const missingFrom = (stored: StoredOrder[], answered: Order[]): number => {
  const numbers = new Map(stored.map(({ key, number }) => [key, number]));
  return answered.filter(({ key, number }) => numbers.get(key) !== number).length;
};

async function isRestored(cluster: Cluster, { answered, time }: Moment): Promise<boolean> {
  const stored = await queryRestored<StoredOrder & { isLater: boolean }>(
    await cluster.primary(),
    cluster.folder,
    time,
    `SELECT checkout_key AS key, left(id::text, 8) AS number, created_at > '${time}' AS "isLater" FROM orders`,
  );
  const missing = missingFrom(stored, answered);
  const later = stored.filter(({ isLater }) => isLater).length;
  console.log(
    `Restored from the archive to the time after the first failover: ${missing} of ${answered.length} orders missing, ${later} later ones.`,
  );
  return missing === 0 && later === 0;
}

const PORT = 5432;

/** Runs a query on a temporary copy of the database, restored to `time`. */
async function queryRestored<Row extends object>(
  leader: DatabaseMachine,
  folder: string,
  time: string,
  text: string,
): Promise<Row[]> {
  const own = join(folder, "restored");
  const data = join(own, "data");
  mkdirSync(data, { recursive: true, mode: 0o700 });
  chownFolder(own);
  // Archives what is not archived yet.
  leader.pgbackrest("check");
  leader.pgbackrest(`--pg1-path=${data}`, "--type=time", `--target=${time}`, "--target-action=promote", "restore");
  const settings = {
    port: PORT,
    listen_addresses: "",
    unix_socket_directories: own,
    archive_mode: "off",
    synchronous_standby_names: "",
    hba_file: join(data, "pg_hba.conf"),
    ident_file: join(data, "pg_ident.conf"),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const postgres = startDaemon(own, "postgres", ["/usr/lib/postgresql/15/bin/postgres", "-D", data, ...options], {
    env: leader.backupConfig,
  });
  try {
    return await poll("the moment is restored", async () => {
      const client = new Client({ host: own, port: PORT, user: "postgres", database: "polara" });
      client.on("error", () => {});
      await client.connect();
      try {
        const { rows } = await client.query<{ ready: boolean }>("SELECT NOT pg_is_in_recovery() AS ready");
        return rows[0]?.ready ? (await client.query<Row>(text)).rows : undefined;
      } finally {
        await client.end();
      }
    });
  } finally {
    signal([postgres], "SIGKILL");
  }
}
