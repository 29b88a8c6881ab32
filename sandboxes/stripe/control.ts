/** Test controls: faults, clock, disputes and totals. */
import { z } from "zod";
import type { Pool } from "pg";
import { endDispute as endPayPalDispute } from "../paypal/order.ts";
import { changeOrder } from "../paypal/store.ts";
import { invalidRequest, notFound } from "./payment.ts";
import { endDispute } from "./lifecycle.ts";
import { changePayment, inTransaction, applyAllDue } from "./store.ts";

/** A fault `before` prevents the call; one `after` keeps its effects. */
const callFault = z.strictObject({
  on: z.literal("call"),
  fault: z.enum(["cut", "error", "hang", "rate-limit"]),
  when: z.enum(["after", "before"]).default("before"),
  method: z.enum(["DELETE", "GET", "POST"]).optional(),
  path: z.string().regex(/^\*$|^\/v1\/|^\/paypal\//),
});

const webhookFault = z.strictObject({
  on: z.literal("webhook"),
  fault: z.enum(["badly-signed", "dropped", "twice"]),
  type: z.string().optional(),
});

export type CallFault = z.output<typeof callFault>;

const orders = z.discriminatedUnion("do", [
  z.strictObject({
    do: z.literal("fail"),
    order: z.discriminatedUnion("on", [callFault, webhookFault]),
    times: z.int().positive().default(1),
  }),
  z.strictObject({ do: z.literal("behave") }),
  z.strictObject({ do: z.literal("forward"), seconds: z.int().positive() }),
  z.strictObject({ do: z.literal("hold-webhooks") }),
  z.strictObject({ do: z.literal("release-webhooks"), reversed: z.boolean().default(false) }),
  z.strictObject({ do: z.enum(["win-dispute", "lose-dispute"]), paymentIntent: z.string() }),
  z.strictObject({ do: z.enum(["win-paypal-dispute", "lose-paypal-dispute"]), capture: z.string() }),
]);

export type Order = z.input<typeof orders>;

type Faulty = { call: { method: string; path: string }; webhook: { type: string } };
type Faults = { call: CallFault; webhook: z.output<typeof webhookFault> };

/** Consumes the oldest fault whose other fields match; `*` in a path stands for anything. */
export async function takeFault<On extends keyof Faults>(
  pool: Pool,
  on: On,
  what: Faulty[On],
): Promise<Faults[On] | null> {
  const { rows } = await pool.query<{ fault: Faults[On] }>(
    `UPDATE payment_sandbox.faults SET remaining = remaining - 1 WHERE id = (
       SELECT id FROM payment_sandbox.faults
        WHERE remaining > 0 AND fault->>'on' = $1
          AND NOT EXISTS (
            SELECT FROM jsonb_each_text($2::jsonb) AS made (name, value)
             WHERE value NOT LIKE replace(coalesce(fault->>name, '*'), '*', '%'))
        ORDER BY id LIMIT 1 FOR UPDATE)
     RETURNING fault`,
    [on, JSON.stringify(what)],
  );
  return rows[0]?.fault ?? null;
}

/** Sums of all payments in cents, with PayPal's, and numbers of sessions, intents and charges of saved cards by status. */
export type Books = {
  authorized: number;
  captured: number;
  refunded: number;
  sessions: Record<string, number>;
  intents: Record<string, number>;
  savedCardCharges: Record<string, number>;
  undelivered: number;
};

async function readBooks(pool: Pool): Promise<Books | undefined> {
  const counts = (path: string, where = "true") =>
    `(SELECT coalesce(json_object_agg(status, count), '{}') FROM (
        SELECT ${path}->>'status' AS status, count(*) FROM payment_sandbox.payments
         WHERE ${path}->>'status' IS NOT NULL AND ${where} GROUP BY 1) AS counted)`;
  const atPayPal = (sum: string) =>
    `(SELECT coalesce(sum((state->'books'->>'${sum}')::bigint), 0) FROM payment_sandbox.paypal_orders)`;
  const { rows } = await pool.query<{ books: Books }>(`
    SELECT json_build_object(
      'authorized', coalesce(sum((state->'intent'->>'amount_capturable')::bigint), 0) + ${atPayPal("authorized")},
      'captured', coalesce(sum(captured), 0) + ${atPayPal("captured")},
      'refunded', coalesce(sum(refunded), 0) + ${atPayPal("refunded")},
      'sessions', ${counts("state->'session'")},
      'intents', ${counts("state->'intent'")},
      'savedCardCharges', ${counts("state->'intent'", "id = intent_id")},
      'undelivered', (SELECT count(*) FROM payment_sandbox.deliveries)
    ) AS books FROM payment_sandbox.payments`);
  return rows[0]?.books;
}

type Release = (isReversed: boolean) => Promise<void>;

async function run(pool: Pool, order: z.output<typeof orders>, releaseWebhooks: Release): Promise<unknown> {
  switch (order.do) {
    case "fail":
      return pool.query("INSERT INTO payment_sandbox.faults (fault, remaining) VALUES ($1, $2)", [
        order.order,
        order.times,
      ]);
    case "behave":
      await pool.query("DELETE FROM payment_sandbox.faults");
      return pool.query("UPDATE payment_sandbox.settings SET webhooks_held = false");
    case "forward":
      await pool.query("UPDATE payment_sandbox.settings SET clock_offset = clock_offset + make_interval(secs => $1)", [
        order.seconds,
      ]);
      return applyAllDue(pool);
    case "hold-webhooks":
      return pool.query("UPDATE payment_sandbox.settings SET webhooks_held = true");
    case "release-webhooks":
      return releaseWebhooks(order.reversed);
    case "win-paypal-dispute":
    case "lose-paypal-dispute":
      return inTransaction(pool, (sql) =>
        changeOrder(sql, order.capture, (work) => endPayPalDispute(work, order.do === "win-paypal-dispute")),
      );
    case "win-dispute":
    case "lose-dispute":
      return inTransaction(pool, (sql) =>
        changePayment(sql, order.paymentIntent, (work) => {
          const dispute = work.payment.disputes.at(-1);
          if (!dispute) throw notFound("dispute", order.paymentIntent);
          endDispute(work, dispute, order.do === "win-dispute" ? "won" : "lost");
        }),
      );
  }
}

export async function answerControl(
  pool: Pool,
  path: string,
  request: Request,
  releaseWebhooks: Release,
): Promise<object> {
  if (path === "/control/books") return (await readBooks(pool)) ?? {};
  const order = orders.safeParse(await request.json());
  if (!order.success) throw invalidRequest(z.prettifyError(order.error));
  await run(pool, order.data, releaseWebhooks);
  return { done: order.data.do };
}
