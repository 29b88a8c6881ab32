/** Restores a backup into an empty folder and verifies every file. */
import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { cp, open, readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { pipeline } from "node:stream/promises";

export const LIST = "backup.json";
/** The moment of a backup, and the SHA-256 of each file. */
export type List = { moment: string; files: Record<string, string> };

/** Written last, since PostgreSQL does not start without it. */
const LAST = "postgres/PG_VERSION";

/** Flushes a copy to disk and returns the SHA-256 and size of its files. */
export async function seal(root: string): Promise<{ files: List["files"]; bytes: number }> {
  const files: List["files"] = {};
  let bytes = 0;
  for (const entry of [...(await readdir(root, { recursive: true, withFileTypes: true })), null]) {
    const path = entry ? join(entry.parentPath, entry.name) : root;
    const hash = createHash("sha256");
    if (entry?.isFile()) {
      await pipeline(createReadStream(path), hash);
      files[relative(root, path)] = hash.digest("hex");
    }
    const handle = await open(path);
    if (entry?.isFile()) bytes += (await handle.stat()).size;
    await handle.sync().finally(() => handle.close());
  }
  return { files, bytes };
}

/** Null if the folder is no backup or an interrupted one. */
function readList(backup: string): List | null {
  try {
    return JSON.parse(readFileSync(join(backup, LIST), "utf8")) as List;
  } catch {
    return null;
  }
}

/** Restores the backup into `dataDir` and returns its moment. */
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
  try {
    const filter = (path: string) => ![LIST, LAST].includes(relative(backup, path));
    await cp(backup, target, { recursive: true, filter });
    const last = await readFile(join(backup, LAST)).catch(() => "");
    const { files } = await seal(target);
    files[LAST] = createHash("sha256").update(last).digest("hex");
    const wrong = Object.keys(list.files).find((path) => files[path] !== list.files[path]);
    if (wrong !== undefined) {
      const what = wrong in files ? "not what it was" : "missing";
      throw new Error(`The file ${wrong} of the backup is ${what}. Take another backup.`);
    }
    await writeFile(join(target, LAST), last, { mode: 0o600, flush: true });
  } catch (error) {
    for (const name of readdirSync(target)) rmSync(join(target, name), { recursive: true, force: true });
    throw error;
  }
  return new Date(list.moment);
}
