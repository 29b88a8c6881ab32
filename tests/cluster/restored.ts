/** The shop as it was at a moment, from the archive: a PostgreSQL of its own beside those that run. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { hand, poll, signal, startDaemon } from "./daemons.ts";
import type { DatabaseMachine } from "./machines.ts";
import { POSTGRES } from "./packages.ts";

const PORT = 5432;

/** Restores the moment `time`, asks it `text`, and throws the copy away. */
export async function askRestored<Row extends object>(
  leader: DatabaseMachine,
  folder: string,
  time: string,
  text: string,
): Promise<Row[]> {
  const own = join(folder, "restored");
  const data = join(own, "data");
  mkdirSync(data, { recursive: true, mode: 0o700 });
  hand(own);
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
  const postgres = startDaemon(own, "postgres", [POSTGRES, "-D", data, ...options], { env: leader.backupConfig });
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
