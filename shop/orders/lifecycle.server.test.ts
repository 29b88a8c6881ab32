import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { describe, expect, inject, it } from "vitest";
import { migrateDatabase } from "../../db/migrate.ts";
import { administer, databaseUrl } from "../../tests/support/database.setup.ts";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";
import { ORDER_NOTES, ORDER_STATUSES, ORDER_TRANSITIONS, type OrderStatus } from "./lifecycle.ts";
import { QUEUES } from "../mail/queues.ts";

const shop = useFreshDatabase(5);
const run = (text: string, values: unknown[] = []) => shop.pool.query(text, values);

const insertOrder = `INSERT INTO orders (id, checkout_key, status, subtotal, shipping, tax, total, email, phone, shipping_first_name,
    shipping_last_name, shipping_address_line1, shipping_city, shipping_state, shipping_postal_code, shipping_method)
  VALUES ($1, gen_random_uuid(), $2, 1900, 999, 0, 2899, '', '', '', '', '', 'New York', 'NY', '', 'standard')`;

async function orderAt(status: string): Promise<string> {
  const id = randomUUID();
  await run(insertOrder.replace("(id,", "(hold_until, id,").replace("($1,", "(now(), $1,"), [id, status]);
  return id;
}

/** Whether PostgreSQL does it, or refuses it as a breach of a rule. */
const happens = (promise: Promise<unknown>) =>
  promise.then(
    () => true,
    (error: { code?: string }) => {
      expect(error.code).toBe("23514");
      return false;
    },
  );

const steps = ORDER_STATUSES.flatMap((from) => ORDER_STATUSES.map((to) => ({ from, to })));
const isInTable = (from: OrderStatus | null, to: OrderStatus) =>
  ORDER_TRANSITIONS.some((transition) => transition.from === from && transition.to === to);

describe("the database, whoever asks", () => {
  it("knows no status but those of the table", async () => {
    for (const status of ORDER_STATUSES) expect([status, await happens(orderAt(status))]).toEqual([status, true]);
    for (const status of ["cancelled", "Shipped", "unknown", ""])
      expect([status, await happens(orderAt(status))]).toEqual([status, false]);
  });

  it("lets no order be unpaid without end", async () => {
    expect(await happens(run(insertOrder, [randomUUID(), "unpaid"]))).toBe(false);
  });

  it.each(steps)("lets an order go from $from to $to only where the table does", async ({ from, to }) => {
    const id = await orderAt(from);
    const went = await happens(run("UPDATE orders SET status = $2 WHERE id = $1", [id, to]));
    expect(went).toBe(from === to || isInTable(from, to));
    const { rows } = await run("SELECT status FROM orders WHERE id = $1", [id]);
    expect(rows).toEqual([{ status: went ? to : from }]);
  });

  it("takes events of the table only, by whom it knows", async () => {
    const id = await orderAt("processing");
    const insert =
      "INSERT INTO order_events (order_id, type, from_status, to_status, actor) VALUES ($1, $2, $3, $4, $5)";
    for (const { event, from, to, by } of ORDER_TRANSITIONS) {
      for (const actor of by)
        expect([event, await happens(run(insert, [id, event, from, to, actor]))]).toEqual([event, true]);
    }
    for (const { event, in: statuses, by } of ORDER_NOTES) {
      for (const actor of by)
        expect([event, await happens(run(insert, [id, event, statuses[0], statuses[0], actor]))]).toEqual([
          event,
          true,
        ]);
    }
    expect(await happens(run(insert, [id, "placed", null, "processing", "stranger"]))).toBe(false);
    expect(await happens(run(insert, [id, "cancelled", "processing", "canceled", "staff"]))).toBe(false);
  });

  it("never changes an event, nor takes it away but with its order", async () => {
    const id = await orderAt("processing");
    await run(
      "INSERT INTO order_events (order_id, type, to_status, actor) VALUES ($1, 'placed', 'processing', 'guest')",
      [id],
    );
    await expect(run("UPDATE order_events SET actor = 'staff' WHERE order_id = $1", [id])).rejects.toThrow(
      "append-only",
    );
    await expect(run("DELETE FROM order_events WHERE order_id = $1", [id])).rejects.toThrow("append-only");
    const events = () => run("SELECT actor FROM order_events WHERE order_id = $1", [id]);
    expect((await events()).rows).toEqual([{ actor: "guest" }]);
    await run("DELETE FROM orders WHERE id = $1", [id]);
    expect((await events()).rows).toEqual([]);
  });
});

it("a shop that spelled its canceled orders otherwise is brought up to date", async () => {
  const name = `polara_upgrade_${process.pid}_${Date.now()}`;
  const url = databaseUrl(inject("databaseServer"), name);
  const folder = mkdtempSync(join(tmpdir(), "polara-migrations-"));
  cpSync("db/migrations", folder, { recursive: true });
  const path = join(folder, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(path, "utf8")) as { entries: { tag: string }[] };
  const added = journal.entries.findIndex(({ tag }) => tag.endsWith("order-lifecycle"));
  writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, added) }));
  await administer(inject("databaseServer"), `CREATE DATABASE ${name}`);
  const client = new Client({ connectionString: url });
  try {
    await migrateDatabase(url, QUEUES, folder);
    await client.connect();
    for (const status of ["cancelled", "Shipped", "processing"])
      await client.query(insertOrder, [randomUUID(), status]);
    await migrateDatabase(url, QUEUES);
    const { rows } = await client.query<{ status: string }>("SELECT status FROM orders ORDER BY 1");
    expect(rows.map(({ status }) => status)).toEqual(["canceled", "processing", "shipped"]);
  } finally {
    await client.end();
    await administer(inject("databaseServer"), `DROP DATABASE ${name}`);
    rmSync(folder, { recursive: true });
  }
});
