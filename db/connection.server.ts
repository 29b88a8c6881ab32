/** How the shop speaks with PostgreSQL. Its functions get the database passed in as `db`. */
import { fillPlaceholders, type SQL } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { PgDialect } from "drizzle-orm/pg-core";
import { Pool, type Client, type PoolClient } from "pg";

export type Database = NodePgDatabase & { $client: Pool };

/** For functions that may also be part of a caller's transaction. */
export type DatabaseOrTransaction = NodePgDatabase;

const casing = "snake_case";
const dialect = new PgDialect({ casing });

/** How long one connection may be busy for one request, before nobody waits for PostgreSQL any more. */
const PATIENCE_MS = 8_000;

/** A pool of at most `max` connections. `patienceMs` is null for work that may take as long as it takes. */
export function openDatabase(
  url: string,
  max = 10,
  patienceMs: number | null = PATIENCE_MS,
): { db: Database; pool: Pool } {
  const pool = new Pool({ connectionString: url, max, connectionTimeoutMillis: 5_000 });
  if (patienceMs !== null) giveUpAfter(pool, patienceMs);
  // Without listeners a connection that breaks would end the process, idle or between two statements of a transaction;
  // the next query reports it.
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));
  return { db: drizzle(pool, { casing }), pool };
}

/**
 * Closes a connection that is busy for too long, as where PostgreSQL hangs: its query ends as where the connection broke.
 * Nothing is canceled in PostgreSQL: a canceled wait for a standby would report a commit that the standby may not have.
 */
function giveUpAfter(pool: Pool, ms: number): void {
  const timers = new WeakMap<PoolClient, NodeJS.Timeout>();
  pool.on("acquire", (client) => {
    timers.set(
      client,
      setTimeout(() => void (client as unknown as Client).end(), ms),
    );
  });
  pool.on("release", (_error, client) => clearTimeout(timers.get(client)));
}

/**
 * A statement that is built once a process and planned once a connection, for what the shop asks all the time. What
 * differs from call to call are its placeholders; each needs a name of its own.
 */
export function statement<Row extends Record<string, unknown>>(name: string, query: SQL) {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return async ({ $client }: Database, values: Record<string, unknown>): Promise<Row[]> =>
    (await $client.query<Row>({ name, text, values: fillPlaceholders(params, values) })).rows;
}

/** The same for a query of Drizzle's builder, which ends in `.prepare(name)`. */
export function prepared<Query>(prepare: (db: Database) => Query): (db: Database) => Query {
  const made = new WeakMap<Database, Query>();
  return (db) => {
    const query = made.get(db) ?? prepare(db);
    made.set(db, query);
    return query;
  };
}

/** True of a serialization failure or deadlock: the statement or transaction did nothing and may be sent again. */
export const isTransient = (error: unknown): boolean =>
  ["40001", "40P01"].includes(
    String((error as { cause?: { code?: string } }).cause?.code ?? (error as { code?: string }).code),
  );

const ATTEMPTS = 4;

/** A transaction that is carried out again where it stood in a circle with another. */
export async function transaction<Result>(
  db: DatabaseOrTransaction,
  run: (tx: DatabaseOrTransaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction((tx) => run(tx as unknown as DatabaseOrTransaction));
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error;
    }
  }
}

/** True where an error means that PostgreSQL cannot be reached, rather than that a query was wrong. */
export function isDatabaseDown(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e instanceof AggregateError && e.errors.some(isDatabaseDown)) return true;
    const code = (e as { code?: unknown }).code;
    if (typeof code === "string" && /^(ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|57P0|08|53300)/.test(code)) return true;
    if (
      /connection terminated|timeout exceeded when trying to connect|client (has encountered a connection error|was closed)/i.test(
        e.message,
      )
    )
      return true;
  }
  return false;
}
