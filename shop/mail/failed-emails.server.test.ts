import { beforeEach, expect, it } from "vitest";
import type { Acting } from "#shop/audit/audit.server.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { staffRow } from "#tests/support/staff-member.ts";
import { endFailedEmails, listFailedEmails } from "./failed-emails.server.ts";

const shop = useFreshDatabase(5);
const query = async (text: string, values: unknown[] = []) => (await shop.pool.query(text, values)).rows;
let by: Acting;
beforeEach(async () => {
  by = await staffRow(shop.pool, "support");
  await query("TRUNCATE pgboss.job");
});

/** The id of a job that failed, or ended as `state` says. */
const fail = async (email: string, state = "failed"): Promise<string> =>
  (
    await query(
      `INSERT INTO pgboss.job (name, data, state, completed_on, output)
       VALUES ('mail', $1, $2, now(), '{"error": "Error", "responseCode": 550}') RETURNING id`,
      [{ template: "account-deleted", email }, state],
    )
  )[0].id;
const left = () => query("SELECT state, data FROM pgboss.job ORDER BY data->>'email'");

it("is listed with its address and the mail server's answer", async () => {
  await fail("sent@example.com", "completed");
  await fail("ada@example.com");
  expect(await listFailedEmails(shop.db, 10)).toMatchObject([
    { template: "account-deleted", to: "ada@example.com", orderId: null, error: "Error 550" },
  ]);
});

it("is sent again once by two colleagues, as no news to the staff, and audited without its address", async () => {
  const id = await fail("ada@example.com");
  const other = await fail("ben@example.com");
  const ended = await Promise.all([1, 2].map(() => endFailedEmails(shop.db, by, { ids: [id], isResent: true })));
  expect(ended.toSorted()).toEqual([0, 1]);
  expect(await left()).toMatchObject([
    { state: "created", data: { template: "account-deleted", email: "ada@example.com", isResent: true } },
    { state: "failed" },
  ]);
  expect(await query("SELECT action, subject, after FROM audit_log WHERE staff_id = $1", [by.staffId])).toEqual([
    { action: "email.send-again", subject: `email:${id}`, after: { template: "account-deleted" } },
  ]);
  expect(await endFailedEmails(shop.db, by, { ids: [other], isResent: false })).toBe(1);
  expect(await left()).toHaveLength(1);
});

it("keeps its place behind the emails of orders when it is a letter", async () => {
  const id = await fail("ada@example.com");
  await query("UPDATE pgboss.job SET priority = -1");
  await endFailedEmails(shop.db, by, { ids: [id], isResent: true });
  expect(await query("SELECT state, priority FROM pgboss.job")).toEqual([{ state: "created", priority: -1 }]);
});

it("leaves emails alone that have not failed", async () => {
  const ids = await Promise.all(
    ["created", "retry", "active", "completed"].map((state) => fail("ada@example.com", state)),
  );
  expect(await endFailedEmails(shop.db, by, { ids, isResent: true })).toBe(0);
  expect(await left()).toHaveLength(4);
});
