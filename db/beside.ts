/** The database of a shop for a command that works beside it, whether the shop runs or not. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { lostPassword } from "./embedded-faults.ts";
import { adminPassword, running } from "./embedded-folder.ts";
import type { Environment } from "./embedded-programs.ts";
import { ADMIN, SHOP } from "./embedded-roles.ts";
import { startEmbeddedDatabase } from "./embedded.ts";

/**
 * The embedded database on `dataDir`, as the shop itself sees it. Where the shop is stopped, PostgreSQL runs until `stop`.
 */
export async function embeddedBeside(
  dataDir: string,
  env: Environment,
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = join(resolve(dataDir), "postgres");
  if (!existsSync(folder)) throw new Error(`There is no shop in ${dataDir}. Set DATA_DIR to the folder of one.`);
  const found = running(folder);
  if (!found) return startEmbeddedDatabase(dataDir, env);
  const password = adminPassword(resolve(dataDir));
  if (password === "") throw lostPassword();
  // The administrator, because the shop's own password is in its memory; what is done has no more rights than the shop.
  const url = `postgres://${ADMIN}:${password}@127.0.0.1:${found.port}/${SHOP}?options=-c%20role%3D${SHOP}`;
  return { url, stop: async () => {} };
}
