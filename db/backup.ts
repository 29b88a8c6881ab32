/**
 * A backup of the embedded shop while it sells: what was answered before its moment is in it. It is made as PostgreSQL's
 * documentation describes under 'Making a Base Backup Using the Low Level API', because the tools for it do not come along.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { Client } from "pg";
import { Copy, syncFolder } from "./copied-files.ts";
import { lostPassword } from "./embedded-faults.ts";
import { adminPassword, running } from "./embedded-folder.ts";
import type { Environment } from "./embedded-programs.ts";
import { connectAsAdmin } from "./embedded-roles.ts";
import { startEmbeddedDatabase } from "./embedded.ts";

/** Of the run that is under way, or made anew at each start; the write-ahead log and pg_control come at the end. */
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|(backup_label|tablespace_map).*|(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.+|global\/pg_control|(.*\/)?(pgsql_tmp.*|pg_internal\.init.*))$/;

const isGone = (error: unknown) => (error as NodeJS.ErrnoException).code === "ENOENT";

/** PostgreSQL goes on writing, making and removing files meanwhile: its log, copied afterwards, brings them in order. */
async function addLiving(copy: Copy, folder: string, path = ""): Promise<void> {
  await copy.addFolder(join("postgres", path));
  const entries = await readdir(join(folder, path), { withFileTypes: true }).catch((error) => {
    if (isGone(error)) return [];
    throw error;
  });
  for (const entry of entries) {
    const inner = join(path, entry.name);
    if (inner !== "pg_wal" && LEFT_OUT.test(inner)) continue;
    // The log may lie on another disk, by a link.
    if (inner === "pg_wal") await copy.addFolder("postgres/pg_wal");
    else if (entry.isDirectory()) await addLiving(copy, folder, inner);
    else if (entry.isFile()) {
      await copy.addFile(join(folder, inner), join("postgres", inner)).catch((error) => {
        if (!isGone(error)) throw error;
      });
    }
  }
}

/** A file that is written in place: read until two readings agree. */
async function readSteadily(file: string): Promise<Buffer> {
  let before = await readFile(file);
  for (;;) {
    const now = await readFile(file);
    if (now.equals(before)) return now;
    before = now;
  }
}

const SEGMENTS = `
SELECT pg_walfile_name('0/0'::pg_lsn + n * size + 1) AS name
  FROM (SELECT setting::numeric AS size FROM pg_settings WHERE name = 'wal_segment_size') AS segments,
       generate_series(trunc(($1::pg_lsn - '0/0') / size), trunc(($2::pg_lsn - '0/0' - 1) / size)) AS n`;

/** All in one session: PostgreSQL gives up the backup, and what it keeps of its log, when the session ends. */
async function addDatabase(copy: Copy, folder: string, admin: Client): Promise<Date> {
  await admin.query("SELECT pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)");
  const started = await admin.query("SELECT pg_backup_start('polara', true) AS lsn");
  await addLiving(copy, folder);
  const moment = await admin.query("SELECT clock_timestamp() AS now");
  // It also closes the last segment of the log.
  const stopped = await admin.query("SELECT lsn, labelfile, spcmapfile FROM pg_backup_stop(false)");
  const { lsn, labelfile, spcmapfile } = stopped.rows[0];
  if (spcmapfile) {
    throw new Error("This database has tablespaces, which lie outside its folder. Back it up with pg_basebackup 18.");
  }
  await copy.addBytes(Buffer.from(labelfile), "postgres/backup_label");
  await copy.addBytes(await readSteadily(join(folder, "global/pg_control")), "postgres/global/pg_control");
  const { rows } = await admin.query(SEGMENTS, [started.rows[0].lsn, lsn]);
  for (const { name } of rows) await copy.addFile(join(folder, "pg_wal", name), join("postgres/pg_wal", name));
  return moment.rows[0].now;
}

/** After the database: a picture is there before a row names it, and none is ever changed or taken away. */
async function addPictures(copy: Copy, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  await copy.addFolder("pictures");
  for (const name of await readdir(folder)) {
    // One that is being written has a dot before its name.
    if (!name.startsWith(".")) await copy.addFile(join(folder, name), join("pictures", name));
  }
}

async function addShop(copy: Copy, dataDir: string): Promise<Date> {
  const folder = join(dataDir, "postgres");
  const password = adminPassword(dataDir);
  if (password === "") throw lostPassword();
  const admin = await connectAsAdmin(running(folder)?.port ?? 0, { admin: password, former: null });
  if (!admin) throw new Error("The database does not answer. Try again once the shop is open, or stop it.");
  try {
    const moment = await addDatabase(copy, folder, admin);
    for (const file of ["postgres-admin-password", "auth-secret"]) {
      if (existsSync(join(dataDir, file))) await copy.addFile(join(dataDir, file), file);
    }
    await addPictures(copy, join(dataDir, "pictures"));
    return moment;
  } catch (error) {
    if (await admin.query("SELECT").catch(() => null)) throw error;
    throw new Error("The database ended while it was being backed up. Run the backup again.", { cause: error });
  } finally {
    await admin.end().catch(() => {});
  }
}

/** Backs up the shop on `dataDir` to `target`. Where the shop is stopped, PostgreSQL runs for as long as that takes. */
export async function backUp(
  dataDir: string,
  target: string,
  env: Environment,
): Promise<{ moment: Date; bytes: number }> {
  const folder = join(resolve(dataDir), "postgres");
  if (!existsSync(folder)) throw new Error(`There is no shop in ${dataDir}. Set DATA_DIR to the folder of one.`);
  if (existsSync(target)) throw new Error(`${target} is there already. Name a folder that is not there yet.`);
  if (!relative(folder, resolve(target)).startsWith("..")) {
    throw new Error(`${target} is inside the database's own folder. Name one outside of ${dataDir}.`);
  }
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const partial = mkdtempSync(`${target}.partial-`);
  try {
    const copy = new Copy(partial);
    const ownDatabase = running(folder) ? null : await startEmbeddedDatabase(dataDir, env);
    const moment = await addShop(copy, resolve(dataDir)).finally(() => ownDatabase?.stop());
    await copy.finish(moment);
    renameSync(partial, target);
    await syncFolder(dirname(target));
    return { moment, bytes: copy.bytes };
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}
