/** What a test has ordered to go wrong, each so many times, on whichever process it is met. */
import { z } from "zod";
import type { Pool } from "pg";

/** `path` may have `*` in the place of an id, or be `*` for every call. `before` means that nothing is done, `after` that all is, and stays. */
const callFault = z.strictObject({
  on: z.literal("call"),
  fault: z.enum(["cut", "error", "hang", "rate-limit"]),
  when: z.enum(["after", "before"]).default("before"),
  method: z.enum(["GET", "POST"]).optional(),
  path: z.string().regex(/^\*$|^\/v1\//),
});

/** `seconds` is how long a delayed one waits, or how old the stamp of an old one is. */
const webhookFault = z.strictObject({
  on: z.literal("webhook"),
  fault: z.enum(["badly-signed", "delayed", "dropped", "old", "twice"]),
  seconds: z.number().positive().default(600),
  type: z.string().optional(),
});

export const faultOrder = z.discriminatedUnion("on", [callFault, webhookFault]);

export type FaultOrder = z.output<typeof faultOrder>;
export type CallFault = z.output<typeof callFault>;
export type WebhookFault = z.output<typeof webhookFault>;

export async function orderFault(pool: Pool, order: FaultOrder, times: number): Promise<void> {
  await pool.query('INSERT INTO payment_sandbox.faults ("order", remaining) VALUES ($1, $2)', [order, times]);
}

/** Takes the oldest order that fits, once. */
async function take<Order extends FaultOrder>(
  pool: Pool,
  on: Order["on"],
  fits: (order: Order) => boolean,
): Promise<Order | null> {
  const { rows } = await pool.query<{ id: string; order: Order }>(
    `SELECT id, "order" FROM payment_sandbox.faults WHERE remaining > 0 AND "order"->>'on' = $1 ORDER BY id`,
    [on],
  );
  for (const { id, order } of rows.filter((row) => fits(row.order))) {
    const { rowCount } = await pool.query(
      "UPDATE payment_sandbox.faults SET remaining = remaining - 1 WHERE id = $1 AND remaining > 0",
      [id],
    );
    if (rowCount === 1) return order;
  }
  return null;
}

const isPath = (asked: string, path: string) => {
  if (asked === "*") return true;
  const parts = path.split("/");
  const pattern = asked.split("/");
  return pattern.length === parts.length && pattern.every((part, i) => part === "*" || part === parts[i]);
};

export const takeCallFault = (pool: Pool, method: string, path: string): Promise<CallFault | null> =>
  take<CallFault>(pool, "call", (order) => (order.method ?? method) === method && isPath(order.path, path));

export const takeWebhookFault = (pool: Pool, type: string): Promise<WebhookFault | null> =>
  take<WebhookFault>(pool, "webhook", (order) => (order.type ?? type) === type);

export async function clearFaults(pool: Pool): Promise<void> {
  await pool.query("DELETE FROM payment_sandbox.faults");
  await pool.query("UPDATE payment_sandbox.settings SET webhooks_held = false");
}
