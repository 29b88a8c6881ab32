/** The one connection pool of this process. Shop functions get it passed in as `db`. */
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { Pool } from "pg";

export type Database = NodePgDatabase;

export function openDatabase(url: string, max = 10): { db: Database; pool: Pool } {
  const pool = new Pool({ connectionString: url, max, connectionTimeoutMillis: 5_000 });
  // Without a listener an idle connection that breaks would end the process; the next query reports it.
  pool.on("error", () => {});
  return { db: drizzle(pool, { casing: "snake_case" }), pool };
}

const kept = globalThis as { polaraDatabase?: ReturnType<typeof openDatabase> };

// Development reloads modules; the pool must outlive them.
export const { db, pool } = (kept.polaraDatabase ??= openDatabase(process.env.DATABASE_URL ?? ""));

/** True where an error means that PostgreSQL cannot be reached, rather than that a query was wrong. */
export function isDatabaseDown(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e instanceof AggregateError && e.errors.some(isDatabaseDown)) return true;
    const code = (e as { code?: unknown }).code;
    if (typeof code === "string" && /^(ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|57P0|08|53300)/.test(code)) return true;
    if (
      /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error/i.test(
        e.message,
      )
    )
      return true;
  }
  return false;
}
