/** Online backup of the embedded shop, as in PostgreSQL's 'Making a Base Backup Using the Low Level API'. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { copyFile, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Client } from "pg";
import { connectAsAdmin, type EmbeddedDatabase, SHOP, startEmbeddedDatabase } from "./embedded.ts";
import { adminPassword, running, type Environment } from "./embedded-folder.ts";
import { LIST, seal, type List } from "./restore.ts";

/** Files that PostgreSQL excludes from backups; the write-ahead log and pg_control are copied last. */
const LEFT_OUT =
  /^(pg_wal|postmaster\.(pid|opts)|(backup_label|tablespace_map).*|(pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.+|global\/pg_control|(.*\/)?(pgsql_tmp.*|pg_internal\.init.*))$/;

function unlessGone(error: NodeJS.ErrnoException): never[] {
  if (error.code === "ENOENT") return [];
  throw error;
}

/** Copies a folder while PostgreSQL writes, creates and removes its files. */
async function copyLiving(from: string, to: string, path = ""): Promise<void> {
  await mkdir(join(to, path), { mode: 0o700 });
  for (const entry of await readdir(join(from, path), { withFileTypes: true }).catch(unlessGone)) {
    const inner = join(path, entry.name);
    if (LEFT_OUT.test(inner)) continue;
    if (entry.isDirectory()) await copyLiving(from, to, inner);
    else if (entry.isFile()) await copyFile(join(from, inner), join(to, inner)).catch(unlessGone);
  }
}

/** Reads a file until two reads agree, since PostgreSQL writes it in place. */
async function readSteadily(file: string, before?: Buffer): Promise<Buffer> {
  const now = await readFile(file);
  return before?.equals(now) ? now : readSteadily(file, now);
}

const SEGMENTS = `
SELECT pg_walfile_name('0/0'::pg_lsn + n * size + 1) AS name
  FROM (SELECT setting::numeric AS size FROM pg_settings WHERE name = 'wal_segment_size') AS segments,
       generate_series(trunc(($1::pg_lsn - '0/0') / size), trunc(($2::pg_lsn - '0/0' - 1) / size)) AS n`;

/** PostgreSQL aborts a backup if its session ends, so one session does all. */
async function copyDatabase(from: string, to: string, admin: Client): Promise<Date> {
  await admin.query("SELECT pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)");
  const started = await admin.query("SELECT pg_backup_start('polara', true) AS lsn");
  await copyLiving(from, to);
  const moment = await admin.query("SELECT clock_timestamp() AS now");
  const stopped = await admin.query("SELECT lsn, labelfile, spcmapfile FROM pg_backup_stop(false)");
  const { lsn, labelfile, spcmapfile } = stopped.rows[0];
  if (spcmapfile)
    throw new Error("This database has tablespaces, which lie outside its folder. Back it up with pg_basebackup 18.");
  await writeFile(join(to, "backup_label"), labelfile, { mode: 0o600 });
  await writeFile(join(to, "global/pg_control"), await readSteadily(join(from, "global/pg_control")), { mode: 0o600 });
  await mkdir(join(to, "pg_wal"), { mode: 0o700 });
  const { rows } = await admin.query(SEGMENTS, [started.rows[0].lsn, lsn]);
  for (const { name } of rows) await copyFile(join(from, "pg_wal", name), join(to, "pg_wal", name));
  return moment.rows[0].now;
}

async function copyShop(dataDir: string, target: string): Promise<Date> {
  const folder = join(dataDir, "postgres");
  const admin = await connectAsAdmin(running(folder)?.port ?? 0, adminPassword(dataDir));
  if (!admin) throw new Error("The database does not answer. Try again once the shop is open, or stop it.");
  try {
    const moment = await copyDatabase(folder, join(target, "postgres"), admin);
    // Pictures follow the database, so none that a row names is missing. Unfinished ones begin with a dot.
    const filter = (path: string) => !basename(path).startsWith(".");
    await mkdir(join(target, "pictures"), { mode: 0o700 });
    for (const name of ["postgres-admin-password", "auth-secret", "pictures"]) {
      const from = join(dataDir, name);
      if (existsSync(from)) await cp(from, join(target, name), { recursive: true, filter });
    }
    return moment;
  } catch (error) {
    if (await admin.query("SELECT").catch(() => null)) throw error;
    throw new Error("The database ended while it was being backed up. Run the backup again.", { cause: error });
  } finally {
    await admin.end().catch(() => {});
  }
}

/** Tells the shop of a backup. One that does not learn of it, as before its update adds the table, has a backup all the same. */
async function noteBackup(dataDir: string, moment: Date): Promise<void> {
  const port = running(join(dataDir, "postgres"))?.port ?? 0;
  const admin = await connectAsAdmin(port, adminPassword(dataDir), SHOP).catch(() => null);
  await admin?.query("INSERT INTO backups (moment) VALUES ($1)", [moment]).catch(() => {});
  await admin?.end();
}

/** Backs up the shop on `dataDir`. If it is stopped, PostgreSQL runs for the duration. */
export async function backUp(
  dataDir: string,
  target: string,
  env: Environment,
): Promise<{ moment: Date; bytes: number }> {
  const folder = join(resolve(dataDir), "postgres");
  if (!existsSync(folder)) throw new Error(`There is no shop in ${dataDir}. Set DATA_DIR to the folder of one.`);
  if (existsSync(target)) throw new Error(`${target} is there already. Name a folder that is not there yet.`);
  if (!relative(folder, resolve(target)).startsWith(".."))
    throw new Error(`${target} is inside the database's own folder. Name one outside of ${dataDir}.`);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const partial = mkdtempSync(`${target}.partial-`);
  let ownDatabase: EmbeddedDatabase | null = null;
  try {
    if (!running(folder)) ownDatabase = await startEmbeddedDatabase(dataDir, env);
    const moment = await copyShop(resolve(dataDir), partial);
    const { files, bytes } = await seal(partial);
    const list: List = { moment: moment.toISOString(), files };
    await writeFile(join(partial, LIST), JSON.stringify(list, null, 1), { mode: 0o600, flush: true });
    renameSync(partial, target);
    await noteBackup(resolve(dataDir), moment);
    return { moment, bytes };
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  } finally {
    await ownDatabase?.stop();
  }
}
