import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { isDatabaseDown, openDatabase } from "./connection.server.ts";

const shop = useFreshDatabase();

it("a connection lost during a transaction fails the transaction, not the process", async () => {
  const uncaught: unknown[] = [];
  const listen = (error: unknown) => void uncaught.push(error);
  process.prependListener("uncaughtException", listen);
  const broken = shop.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
    await shop.db.execute(sql`SELECT pg_terminate_backend(${rows[0]?.pid})`);
    await expect
      .poll(async () => (await shop.db.execute(sql`SELECT 1 FROM pg_stat_activity WHERE pid = ${rows[0]?.pid}`)).rows)
      .toEqual([]);
    await tx.execute(sql`SELECT 1`);
  });
  await expect(broken).rejects.toThrow();
  expect((await shop.db.execute<{ n: number }>(sql`SELECT 1 AS n`)).rows).toEqual([{ n: 1 }]);
  process.off("uncaughtException", listen);
  expect(uncaught).toEqual([]);
});

it("a query that hangs times out, alone or in a transaction, and the pool recovers", async () => {
  const { db, pool } = openDatabase(shop.url, 1, 2_000);
  const hang = sql`SELECT pg_sleep(600)`;
  await expect(db.execute(hang)).rejects.toSatisfy(isDatabaseDown);
  await expect(db.transaction((tx) => tx.execute(hang))).rejects.toSatisfy(isDatabaseDown);
  expect((await db.execute<{ n: number }>(sql`SELECT 1 AS n`)).rows).toEqual([{ n: 1 }]);
  await pool.end();
});

it("a clock that is ahead moves every reading of the time", async () => {
  const { db, pool } = openDatabase(shop.url, 1, null, 45 * 86_400_000);
  const { rows } = await db.execute<Record<string, number>>(sql`
    SELECT ${sql.join(
      ["now", "statement_timestamp", "clock_timestamp"].map(
        (name) =>
          sql`round(extract(epoch FROM ${sql.identifier(name)}() - pg_catalog.now()) / 86400)::int AS ${sql.identifier(name)}`,
      ),
      sql`, `,
    )}`);
  expect(rows).toEqual([{ now: 45, statement_timestamp: 45, clock_timestamp: 45 }]);
  await pool.end();
});
