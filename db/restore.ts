/** A restored shop is the whole one that was backed up: into an empty folder, and checked file by file. */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { copyFile, readList, syncFolder } from "./copied-files.ts";

/** Comes last: no shop starts on a database's folder without it. */
const SEAL = "postgres/PG_VERSION";

async function putBack(backup: string, dataDir: string, path: string, hash: string): Promise<void> {
  const copied = await copyFile(join(backup, path), join(dataDir, path)).catch((error) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (copied?.hash === hash) return;
  throw new Error(`The file ${path} of the backup is ${copied ? "not what it was" : "missing"}. Take another backup.`);
}

/** Puts the backup into `dataDir`, and returns the moment that it holds. */
export async function restore(backup: string, dataDir: string): Promise<Date> {
  const list = readList(backup);
  if (!list) {
    throw new Error(
      `${backup} is no backup, or one that was interrupted. Name a folder that \`npm run backup\` printed.`,
    );
  }
  const target = resolve(dataDir);
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new Error(
      `${dataDir} is not empty. Stop its shop and move it away, or name another folder after the backup.`,
    );
  }
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const { [SEAL]: seal = "", ...files } = list.files;
  try {
    for (const folder of list.folders) mkdirSync(join(target, folder), { mode: 0o700 });
    for (const [path, hash] of Object.entries(files)) await putBack(backup, target, path, hash);
    await putBack(backup, target, SEAL, seal);
    for (const folder of [...list.folders, "."]) await syncFolder(join(target, folder));
  } catch (error) {
    for (const name of readdirSync(target)) rmSync(join(target, name), { recursive: true, force: true });
    throw error;
  }
  return new Date(list.moment);
}
