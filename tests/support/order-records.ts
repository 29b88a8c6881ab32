/** Rows and emails of orders, as the tests of the database read them. */
import { expect } from "vitest";
import { emails } from "#shop/emails.server.ts";
import type { Email, EmailJob, EmailTemplate } from "#shop/mail/email.ts";
import type { OrderStatus } from "#shop/orders/lifecycle.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { runAction } from "#shop/payments/run-action.server.ts";
import type { useFreshDatabase } from "./fresh-database.ts";
import { emailShop } from "./outbox.ts";

export function recordsOf(shop: ReturnType<typeof useFreshDatabase>) {
  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await shop.pool.query<Row>(text, values)).rows;
  const eventsOf = (id: string) =>
    query<{ type: string; actor: string; data: Record<string, unknown> | null }>(
      "SELECT type, actor, data FROM order_events WHERE order_id = $1 ORDER BY id",
      [id],
    );
  const jobsOf = async (id: string) =>
    (
      await query<{ data: EmailJob }>(
        "SELECT data FROM pgboss.job WHERE name = 'mail' AND data->>'orderId' = $1 ORDER BY created_on, id",
        [id],
      )
    ).map(({ data }) => data);
  const write = (job: EmailJob): Promise<Email | null> =>
    (emails[job.template] as EmailTemplate<EmailJob>).write(shop.db, job, emailShop);
  return {
    query,
    eventsOf,
    jobsOf,
    typesOf: async (id: string) => (await eventsOf(id)).map(({ type }) => type),
    stepsOf: async (id: string) => (await eventsOf(id)).map(({ type, actor }) => `${type} by ${actor}`),
    set: (id: string, columns: string) => query(`UPDATE orders SET ${columns} WHERE id = $1`, [id]),
    statusOf: async (id: string) =>
      (await query<{ status: OrderStatus }>("SELECT status FROM orders WHERE id = $1", [id]))[0]?.status,
    mailsOf: async (id: string) => (await jobsOf(id)).map(({ template }) => template),
    /** All emails about an order, by their template. */
    async writtenOf(id: string): Promise<Record<string, Email | null>> {
      const written = (await jobsOf(id)).map(async (job) => [job.template, await write(job)] as const);
      return Object.fromEntries(await Promise.all(written));
    },
    /** All that was written about an order. */
    textsOf: async (id: string) =>
      (await Promise.all((await jobsOf(id)).map(write))).map((email) => email?.text ?? "").join("\n"),
    /** The latest email about an order, or of a template. */
    async emailOf(id: string, template?: string): Promise<Email> {
      const job = (await jobsOf(id)).findLast((each) => template === undefined || each.template === template);
      return (await write(job!))!;
    },
    /** Asks the provider for what is under way, as the jobs do. */
    async runActions(providers: PaymentProviders): Promise<void> {
      const asked = await query<{ id: string }>("SELECT id FROM payment_actions WHERE state IN ('asked', 'sent')");
      for (const { id } of asked) await runAction(shop.db, providers, id);
    },
    fail: (error: unknown) => expect.fail(String(error)),
  };
}
