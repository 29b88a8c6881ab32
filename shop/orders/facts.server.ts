/** The only reader and the only writer of what is known of one order. */
import { getTableColumns, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { statement, type DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Change, DecidedBy } from "./change.ts";
import { KEYS, type Facts, type OrderRow } from "./facts.ts";
import { orderState, type OrderState } from "./state.ts";
import { orderColumns, STORED, type Column, type Stored, type Table } from "./stored-facts.server.ts";

/** A name in our own code, as a constant. */
const constant = (name: string): SQL => sql.raw(`'${name}'`);

const object = (columns: Record<string, Column>): SQL =>
  sql`json_build_object(${sql.join(
    Object.entries(columns).map(([name, column]) => sql`${constant(name)}, ${column}`),
    sql`, `,
  )})`;

const listOf = ({ table, columns, of = sql`order_id = orders.id`, by }: Stored<Record<string, unknown>>): SQL =>
  sql`(SELECT coalesce(json_agg(${object(columns)} ORDER BY ${by}), '[]') FROM ${table} WHERE ${of})`;

const isTime = (column: Column): column is PgColumn => "dataType" in column && column.dataType === "date";

/** JSON has no times: their columns read them back. */
const read = <Row>(columns: Record<string, Column>, row: Record<string, unknown>): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const column = columns[name]!;
      const isMoment = isTime(column) || name === "confirmedAt";
      return [name, isMoment && value !== null ? new Date(value as string) : value];
    }),
  ) as Row;

const TABLES = Object.entries(STORED) as [Table, Stored<Record<string, unknown>>][];

type Found = { facts: Record<string, Record<string, unknown>[]> & { order: object } };

const statementWhere = (name: string, where: SQL) =>
  statement<Found>(name, () => {
    const lists = sql.join(
      TABLES.map(([table, stored]) => sql`${constant(table)}, ${listOf(stored)}`),
      sql`, `,
    );
    return sql`SELECT json_build_object('order', ${object(orderColumns)}, ${lists}) AS facts FROM orders WHERE ${where}`;
  });

// One has a plan of its own: for an array PostgreSQL plans each time.
const findOne = statementWhere("facts_of_order", sql`orders.id = ${sql.placeholder("id")}::uuid`);
const findAll = statementWhere("facts_of_orders", sql`orders.id = ANY (${sql.placeholder("ids")}::uuid[])`);

const factsIn = ({ facts }: Found): Facts => {
  const rowsOf = TABLES.map(([name, { columns }]) => [name, facts[name]!.map((row) => read(columns, row))]);
  return {
    order: read<OrderRow>(orderColumns, facts.order as Record<string, unknown>),
    ...(Object.fromEntries(rowsOf) as Omit<Facts, "order">),
  };
};

/** Reads the facts of orders in one statement, in any order. */
export const readFactsOf = async (tx: DatabaseOrTransaction, orderIds: readonly string[]): Promise<Facts[]> =>
  orderIds.length > 0 ? (await findAll(tx, { ids: orderIds })).map(factsIn) : [];

/** Reads the states of orders, by their ids. */
export const readStates = async (
  tx: DatabaseOrTransaction,
  orderIds: readonly string[],
): Promise<Map<string, OrderState>> =>
  new Map((await readFactsOf(tx, orderIds)).map((facts) => [facts.order.id, orderState(facts)]));

/** Reads the facts of an order in one statement. Null if there is none. */
export async function readFacts(tx: DatabaseOrTransaction, orderId: string): Promise<Facts | null> {
  const [found] = await findOne(tx, { id: orderId });
  return found ? factsIn(found) : null;
}

/** Locks an order until the transaction ends, and reads its facts: a separate statement sees what was committed while it waited. */
export async function lockFacts(tx: DatabaseOrTransaction, orderId: string): Promise<Facts | null> {
  await tx.execute(sql`SELECT FROM orders WHERE id = ${orderId}::uuid FOR UPDATE`);
  return readFacts(tx, orderId);
}

const nameOf = (table: PgTable, column: Column): string | undefined =>
  Object.entries(getTableColumns(table)).find(([, each]) => each === column)?.[0];

/** The stored values of some fields, by the names of their columns. */
const valuesOf = ({ table, columns }: Stored<Record<string, unknown>>, fields: readonly [string, unknown][]) =>
  Object.fromEntries(
    fields.flatMap(([field, value]) => {
      const name = nameOf(table, columns[field]!);
      return name ? [[name, value]] : [];
    }),
  );

const isSame = (one: unknown, other: unknown): boolean =>
  one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;

const changed = (before: object, after: object): [string, unknown][] =>
  Object.entries(after).filter(([field, value]) => !isSame((before as Record<string, unknown>)[field], value));

/** Writes the rows of one table: what has a known key is updated in the fields that differ, the rest is inserted. */
async function writeRows(
  tx: DatabaseOrTransaction,
  stored: Stored<Record<string, unknown>>,
  {
    orderId,
    before,
    rows,
    keyOf,
  }: {
    orderId: string;
    before: readonly Record<string, unknown>[];
    rows: readonly Record<string, unknown>[];
    keyOf(row: unknown): string;
  },
  act: DecidedBy,
): Promise<void> {
  const { table, columns, key, more } = stored;
  const hasOrder = "orderId" in getTableColumns(table);
  const known = new Map(before.map((row) => [keyOf(row), row]));
  const latest = [...new Map(rows.map((row) => [keyOf(row), row])).values()];
  for (const row of latest) {
    const was = known.get(keyOf(row));
    const set = was && valuesOf(stored, changed(was, row));
    if (!set || Object.keys(set).length === 0) continue;
    const conditions = key.map((field) => sql`${columns[field]} IS NOT DISTINCT FROM ${row[field]}`);
    if (hasOrder) conditions.push(sql`order_id = ${orderId}::uuid`);
    await tx
      .update(table)
      .set(set)
      .where(sql.join(conditions, sql` AND `));
  }
  // Rows that are released make room for new ones.
  const added = latest.filter((row) => !known.has(keyOf(row)));
  if (added.length > 0)
    await tx.insert(table).values(
      added.map((row) => ({
        ...(hasOrder && { orderId }),
        ...valuesOf(stored, Object.entries(row)),
        ...more?.(row, act),
      })),
    );
}

/** The order in which tables are written, after those to which they refer. */
const WRITTEN: readonly Table[] = [
  "lines",
  "units",
  "charges",
  "chargeItems",
  "refunds",
  "refundItems",
  "waivers",
  "parcels",
  "packed",
  "payments",
  "attempts",
  "delays",
  "returned",
  "taxRecords",
];

/** Writes the rows of a change of locked facts. */
export async function writeTables(
  tx: DatabaseOrTransaction,
  facts: Facts,
  change: Change,
  act: DecidedBy,
): Promise<void> {
  for (const name of WRITTEN) {
    const rows = change[name];
    if (!rows) continue;
    await writeRows(
      tx,
      STORED[name] as Stored<Record<string, unknown>>,
      {
        orderId: facts.order.id,
        before: facts[name] as unknown as readonly Record<string, unknown>[],
        rows: rows as unknown as readonly Record<string, unknown>[],
        keyOf: KEYS[name] as (row: unknown) => string,
      },
      act,
    );
  }
}
