/** The embedded database of a shop under test, reached past the shop. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";

const pidFile = (folder: string) => readFileSync(join(folder, "postgres/postmaster.pid"), "utf8").split("\n");

/** The number of PostgreSQL's first process. */
export const postmaster = (folder: string): number => Number(pidFile(folder)[0]);

/** The numbers of all its processes, the first one last. */
export function postgresProcesses(folder: string): number[] {
  const leader = postmaster(folder);
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", String(leader)], { encoding: "utf8" });
  return [...children.trim().split(/\s+/).map(Number), leader];
}

/** Asks as the administrator. */
export async function queryEmbedded<Row extends object>(folder: string, text: string): Promise<Row[]> {
  const password = readFileSync(join(folder, "postgres-admin-password"), "utf8").trim();
  const port = pidFile(folder)[3];
  const client = new Client({ connectionString: `postgres://polara_admin:${password}@127.0.0.1:${port}/polara` });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
