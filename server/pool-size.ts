/** Division of PostgreSQL's connections among the processes of one shop. */
import { Client } from "pg";
import { MAX_POOL } from "#platform/environment.ts";

/** The pool size for each of `processes` web processes. Throws if PostgreSQL allows too few connections. */
export function poolSize(processes: number, maxConnections: number): number {
  // Reserves: a worker and a process being replaced, two connections outside each pool, and ten for other clients.
  const size = Math.floor((maxConnections - 10) / (processes + 2)) - 2;
  // A request may need two connections at once.
  if (size >= 2) return Math.min(MAX_POOL, size);
  throw new Error(
    `${processes} web processes need ${4 * (processes + 2) + 10} connections, and PostgreSQL's max_connections is ${maxConnections}. Set a smaller WEB_PROCESSES, or raise max_connections.`,
  );
}

export async function readMaxConnections(connectionString: string): Promise<number> {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query("SHOW max_connections").finally(() => client.end());
  return Number(rows[0].max_connections);
}
