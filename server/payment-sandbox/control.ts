/** What only tests can do: order faults, move the clock, decide a dispute, and read the books. */
import { z } from "zod";
import type { Pool } from "pg";
import { answerWith, refuse, type Answer } from "./api/answer.ts";
import { unauthorized, type Call } from "./api/calls.ts";
import { clearFaults, faultOrder, orderFault } from "./faults.ts";
import { closeDispute } from "./lifecycle/disputes.ts";
import { changePayment, inTransaction, NO_CALL, settleAllDue } from "./store.ts";
import { releaseWebhooks, type Webhook } from "./webhooks.ts";

export const CONTROL = "/control/";

const orders = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("fail"), order: faultOrder, times: z.int().positive().default(1) }),
  /** No more faults, and no webhook held back. */
  z.strictObject({ do: z.literal("behave") }),
  z.strictObject({ do: z.literal("forward"), seconds: z.int().positive() }),
  z.strictObject({ do: z.literal("hold-webhooks") }),
  z.strictObject({ do: z.literal("release-webhooks"), reversed: z.boolean().default(false) }),
  z.strictObject({ do: z.literal("close-dispute"), dispute: z.string(), as: z.enum(["lost", "won"]) }),
]);

export type Order = z.input<typeof orders>;

/** The sums of all payments in cents, and how many sessions and intents there are of each status. */
export type Books = {
  authorized: number;
  captured: number;
  refunded: number;
  disputed: number;
  sessions: Record<string, number>;
  intents: Record<string, number>;
  undelivered: number;
};

export async function readBooks(pool: Pool): Promise<Books | undefined> {
  const { rows } = await pool.query<{ books: Books }>(`
    SELECT json_build_object(
      'authorized', coalesce(sum((state->'intent'->>'amount_capturable')::bigint), 0),
      'captured', coalesce(sum(captured), 0),
      'refunded', coalesce(sum(refunded), 0),
      'disputed', coalesce(sum((SELECT sum((dispute->>'amount')::bigint) FROM jsonb_array_elements(state->'disputes') AS dispute
        WHERE dispute->>'status' <> 'won')), 0),
      'sessions', (SELECT coalesce(json_object_agg(status, count), '{}') FROM (
        SELECT state->'session'->>'status' AS status, count(*) FROM payment_sandbox.payments GROUP BY 1) AS counted),
      'intents', (SELECT coalesce(json_object_agg(status, count), '{}') FROM (
        SELECT state->'intent'->>'status' AS status, count(*) FROM payment_sandbox.payments
         WHERE state->'intent'->>'status' IS NOT NULL GROUP BY 1) AS counted),
      'undelivered', (SELECT count(*) FROM payment_sandbox.deliveries)
    ) AS books FROM payment_sandbox.payments`);
  return rows[0]?.books;
}

type Given = { pool: Pool; webhook: Webhook | null; secretKey: string; stopped: AbortSignal };

async function carryOut({ pool, webhook, stopped }: Given, order: z.output<typeof orders>): Promise<void> {
  switch (order.do) {
    case "fail":
      return orderFault(pool, order.order, order.times);
    case "behave":
      return clearFaults(pool);
    case "forward":
      await pool.query("UPDATE payment_sandbox.settings SET clock_offset = clock_offset + make_interval(secs => $1)", [
        order.seconds,
      ]);
      return settleAllDue(pool);
    case "hold-webhooks":
      await pool.query("UPDATE payment_sandbox.settings SET webhooks_held = true");
      return;
    case "release-webhooks":
      return releaseWebhooks(pool, webhook, order.reversed, stopped);
    case "close-dispute":
      await inTransaction(pool, (sql) =>
        changePayment(sql, order.dispute, NO_CALL, (work) => {
          const dispute = work.payment.disputes.find(({ id }) => id === order.dispute);
          if (dispute) closeDispute(work, dispute, order.as);
        }),
      );
  }
}

export async function answerControl(given: Given, call: Call): Promise<Answer> {
  const refused = unauthorized(call.headers.authorization, given.secretKey);
  if (refused) return refused;
  if (call.method === "GET" && call.path === `${CONTROL}books`) return answerWith((await readBooks(given.pool)) ?? {});
  const order =
    call.method === "POST" && call.path === `${CONTROL}orders` ? orders.safeParse(JSON.parse(call.body)) : null;
  if (!order?.success) {
    return refuse(400, {
      type: "invalid_request_error",
      message: order ? z.prettifyError(order.error) : "No such control.",
    });
  }
  await carryOut(given, order.data);
  return answerWith({ done: order.data.do });
}
