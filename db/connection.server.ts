/** Connections, prepared statements and transactions. Functions of shop/ receive the database as `db`. */
import type { Query, SQL } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { PgDialect } from "drizzle-orm/pg-core";
import { Pool, type Client, type PoolClient, type QueryResult } from "pg";

export type Database = NodePgDatabase & { $client: Pool };

export type DatabaseOrTransaction = NodePgDatabase;

const casing = "snake_case";
const dialect = new PgDialect({ casing });

export const TIMEOUT_MS = 8_000;

/**
 * A pool of at most `max` connections. `timeoutMs` is null for work without a time limit. With an offset, `now()` and
 * its kind are those of the schema `clock`, ahead by as much; defaults of columns keep PostgreSQL's own.
 */
export function openDatabase(
  url: string,
  max = 10,
  timeoutMs: number | null = TIMEOUT_MS,
  clockOffsetMs = 0,
): { db: Database; pool: Pool } {
  const options = clockOffsetMs
    ? `-c search_path=clock,pg_catalog,"$user",public -c clock.offset_seconds=${clockOffsetMs / 1000}`
    : undefined;
  const pool = new Pool({ connectionString: url, max, connectionTimeoutMillis: 5_000, options });
  if (timeoutMs !== null) closeAfter(pool, timeoutMs);
  // A broken connection without a listener would end the process; the next query reports it.
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));
  return { db: drizzle(pool, { casing }), pool };
}

/**
 * Closes connections that are busy for too long, so that their queries fail. Nothing is canceled in PostgreSQL:
 * canceling the wait for a standby would report a commit that the standby may lack.
 */
function closeAfter(pool: Pool, ms: number): void {
  const timers = new WeakMap<PoolClient, NodeJS.Timeout>();
  pool.on("acquire", (client) => {
    timers.set(
      client,
      setTimeout(() => void (client as unknown as Client).end(), ms),
    );
  });
  pool.on("release", (_error, client) => clearTimeout(timers.get(client)));
}

/** A prepared statement: built once a process, planned once a connection. Each needs its own name. */
export function statement<Row extends Record<string, unknown>>(
  name: string,
  build: (db: DatabaseOrTransaction) => SQL,
) {
  let built: Query | undefined;
  return async (db: DatabaseOrTransaction, values: Record<string, unknown>): Promise<Row[]> => {
    built ??= dialect.sqlToQuery(build(db));
    const { session } = db._;
    const named = session.prepareQuery<Prepared<Row>>(built, undefined, name, false);
    return (await named.execute(values)).rows;
  };
}

type Prepared<Row extends Record<string, unknown>> = { execute: QueryResult<Row>; all: unknown; values: unknown };

/** The same for a Drizzle query that ends in `.prepare(name)`. */
export function prepared<Query>(prepare: (db: Database) => Query): (db: Database) => Query {
  const cache = new WeakMap<Database, Query>();
  return (db) => {
    const query = cache.get(db) ?? prepare(db);
    cache.set(db, query);
    return query;
  };
}

/** True for serialization failures and deadlocks, which may be retried. */
const isTransient = (error: unknown): boolean =>
  ["40001", "40P01"].includes(
    String((error as { cause?: { code?: string } }).cause?.code ?? (error as { code?: string }).code),
  );

/** Makes `transaction` roll back and run again, because data that it read has changed. */
export class Retry extends Error {
  readonly code = "40001";
}

export const isUniqueViolation = (error: unknown, constraint: string): boolean => {
  const { code, constraint: broken } = ((error as Error).cause ?? error) as { code?: string; constraint?: string };
  return code === "23505" && broken === constraint;
};

/** True if PostgreSQL refused data for what they are, and will each time. */
export const isRefusedData = (error: unknown): boolean =>
  /^(?:22|23|54)/.test(
    String(((error as Error).cause as { code?: string })?.code ?? (error as { code?: string }).code),
  );

const ATTEMPTS = 4;

/** Runs a transaction, and repeats it after a deadlock or Retry. */
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

/** True if PostgreSQL is unreachable, false for errors of a query. */
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
