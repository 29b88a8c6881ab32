import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { storeEvents } from "#shop/payments/inbox.server.ts";
import type { PaymentProvider } from "#shop/payments/provider.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { emailShop } from "#tests/support/outbox.ts";
import { makeOrder } from "#tests/support/people.ts";
import { staffRow } from "#tests/support/staff-member.ts";
import { alertsOf, type AlertName } from "./health.ts";
import { healthEmails } from "./health-emails.server.ts";
import { checkHealth, readHealth } from "./health.server.ts";

const shop = useFreshDatabase(5);
const query = async (text: string, values: unknown[] = []) => (await shop.pool.query(text, values)).rows;
const watched = { folder: ".", isPublic: true, webhooks: ["stripe"] };
const event = (eventId: string) => ({ eventId, type: "charge.captured", reference: randomUUID() });
const stripe = { name: "stripe" } as PaymentProvider;

const job = (state: string, created: string, name = "mail") =>
  query(
    `INSERT INTO pgboss.job (name, data, state, created_on, start_after, completed_on)
     VALUES ($3, '{"template": "account-deleted"}', $1::pgboss.job_state, now() - $2::interval, now() - $2::interval,
       CASE WHEN $1::text IN ('completed', 'failed') THEN now() - $2::interval END)`,
    [state, created, name],
  );

/** An order whose page was opened, if it has a reference. */
async function paging(age: string, reference: string | null = null) {
  const orderId = await makeOrder(shop.db);
  await query("UPDATE orders SET created_at = now() - $2::interval WHERE id = $1", [orderId, age]);
  await query("INSERT INTO payments (order_id, provider, amount, reference) VALUES ($1, 'stripe', 2899, $2)", [
    orderId,
    reference,
  ]);
}

async function action(state: string, kind: string, age: string, reference: string | null = null) {
  const orderId = await makeOrder(shop.db);
  const [payment] = await query(
    "INSERT INTO payments (order_id, provider, amount) VALUES ($1, 'stripe', 2899) RETURNING id",
    [orderId],
  );
  await query(
    `INSERT INTO payment_actions (payment_id, kind, amount, state, asked_by, created_at, done_at, provider_reference)
     VALUES ($1, $2, 2899, $3, 'staff', now() - $4::interval, CASE WHEN $3 = 'failed' THEN now() - $4::interval END, $5)`,
    [payment.id, kind, state, age, reference],
  );
}

beforeAll(async () => {
  await query(`SELECT pgboss.create_queue('inbox', '{"policy": "exclusive"}')`);
  await staffRow(shop.pool, "owner");
  await staffRow(shop.pool, "owner");
  await staffRow(shop.pool, "manager");
  const { staffId } = await staffRow(shop.pool, "owner");
  await query("UPDATE staff SET disabled_at = now() WHERE user_id = $1", [staffId]);
});
beforeEach(() => query("INSERT INTO backups DEFAULT VALUES"));
afterEach(() => query("TRUNCATE pgboss.job, payments, payment_inbox, backups, health_alerts CASCADE"));

const PROVOKED: Record<AlertName, [almost: () => Promise<unknown>, provoke: () => Promise<unknown>]> = {
  emails: [() => job("completed", "1 minute"), () => job("failed", "1 minute")],
  jobs: [() => job("created", "59 minutes"), () => job("retry", "61 minutes")],
  chores: [
    async () => {
      await job("failed", "3 hours", "inbox");
      await job("completed", "2 hours", "inbox");
      await job("failed", "59 minutes", "inbox");
      await job("failed", "1 minute", "inbox");
    },
    () => query("UPDATE pgboss.job SET completed_on = completed_on - interval '2 minutes'"),
  ],
  pages: [
    async () => {
      await paging("4 minutes");
      await paging("6 minutes");
      await paging("59 minutes", "a page");
    },
    () => query("UPDATE orders SET created_at = created_at - interval '2 minutes'"),
  ],
  captures: [
    async () => {
      await action("sent", "capture", "14 minutes");
      // Pending at the bank.
      await action("sent", "refund", "1 hour", "re_1");
      await action("failed", "capture", "1 hour");
      await action("failed", "charge", "1 hour");
    },
    () => action("asked", "void", "16 minutes"),
  ],
  webhooks: [
    async () => {
      await storeEvents(shop.db, stripe, [event("evt_1")], true);
      await storeEvents(shop.db, stripe, [event("evt_1")]);
      await query("UPDATE payment_inbox SET received_at = now() - interval '25 hours'");
    },
    () => storeEvents(shop.db, stripe, [event("evt_2")], true),
  ],
  disk: [async () => {}, async () => {}],
  backup: [
    () => query("INSERT INTO backups VALUES (now() - interval '2 days')"),
    () => query("UPDATE backups SET moment = moment - interval '27 hours'"),
  ],
};

describe("an alert", () => {
  it.each(Object.entries(PROVOKED))(
    "%s is found once its cause is there, and not before",
    async (name, [almost, provoke]) => {
      await almost();
      expect(alertsOf(await readHealth(shop.db, watched))).toEqual([]);
      await provoke();
      // The folder has no room at all.
      const folder = name === "disk" ? "/proc" : ".";
      expect(alertsOf(await readHealth(shop.db, { ...watched, folder }))).toEqual([name]);
    },
  );

  it("is not raised by letters that wait or have failed", async () => {
    await job("failed", "1 minute");
    await job("created", "3 hours");
    expect(alertsOf(await readHealth(shop.db, watched))).toEqual(["emails", "jobs"]);
    await query("UPDATE pgboss.job SET priority = -1");
    expect(alertsOf(await readHealth(shop.db, watched))).toEqual([]);
  });

  it("takes a webhook that comes after its event was found by asking as one that came", async () => {
    expect(await storeEvents(shop.db, stripe, [event("evt_1"), event("evt_2")], true)).toBe(2);
    await storeEvents(shop.db, stripe, [event("evt_1")]);
    expect(await storeEvents(shop.db, stripe, [event("evt_1"), event("evt_3")], true)).toBe(1);
    expect((await readHealth(shop.db, watched)).events).toEqual({ stripe: { received: 1, missed: 2 } });
  });

  it("is emailed to each owner once, and once when it has been over for half an hour", async () => {
    const emails = () =>
      query(`SELECT data->>'alert' AS alert, data->'isOver' AS over, count(*)::int AS count FROM pgboss.job
        WHERE data->>'template' = 'health-alert' GROUP BY 1, 2 ORDER BY 2`);
    const begun = { alert: "emails", over: false, count: 2 };
    await job("failed", "1 minute");
    await checkHealth(shop.db, watched);
    await checkHealth(shop.db, watched);
    expect(await emails()).toEqual([begun]);
    await query("DELETE FROM pgboss.job WHERE state = 'failed'");
    await checkHealth(shop.db, watched);
    expect(await emails()).toEqual([begun]);
    await query("UPDATE health_alerts SET seen_at = seen_at - interval '31 minutes'");
    await checkHealth(shop.db, watched);
    await checkHealth(shop.db, watched);
    expect(await emails()).toEqual([begun, { ...begun, over: true }]);
    const [{ data }] = await query("SELECT data FROM pgboss.job WHERE data->'isOver' = 'true'");
    expect(await healthEmails["health-alert"].write(shop.db, data, emailShop)).toMatchObject({
      subject: "Over: Emails have failed | Polara",
      text: expect.stringContaining("http://localhost:3000/admin"),
    });
  });
});
