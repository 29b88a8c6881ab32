import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { emailShop } from "#tests/support/outbox.ts";
import { makeAccount, makeOrder, someEmail } from "#tests/support/people.ts";
import { addRecipients, sendNotices } from "./notices.server.ts";
import { privacyEmails } from "./privacy-emails.server.ts";

const shop = useFreshDatabase(5);
const notice = { id: "breach-2026-11", subject: "A breach", body: "Sorry.\n\nSet a new password." };
const queued = async () =>
  (await shop.pool.query("SELECT data->>'email' AS email FROM pgboss.job WHERE data->>'template' = 'notice'")).rows
    .map(({ email }) => email as string)
    .toSorted();

beforeEach(() => shop.pool.query("TRUNCATE notices, users, orders CASCADE; DELETE FROM pgboss.job"));

it("a notice is queued for each address once, however often it is added and sent", async () => {
  const emails = Array.from({ length: 350 }, (_, i) => `ada${i}@example.com`).toSorted();
  expect(await addRecipients(shop.db, notice, emails)).toEqual({ ok: true, added: 350, recipients: 350, queued: 0 });
  const half = await Promise.all([1, 2].map(() => sendNotices(shop.db)));
  expect(half.reduce((sum, count) => sum + count, 0)).toBe(350);
  const again = [...emails, "ADA7@example.com", "late@example.com"];
  expect(await addRecipients(shop.db, notice, again)).toEqual({ ok: true, added: 1, recipients: 351, queued: 350 });
  expect([await sendNotices(shop.db), await sendNotices(shop.db)]).toEqual([1, 0]);
  expect(await queued()).toEqual([...emails, "late@example.com"].toSorted());
  const mail = await privacyEmails.notice.write(shop.db, { noticeId: notice.id, email: "late@example.com" }, emailShop);
  expect(mail).toMatchObject({ to: "late@example.com", text: expect.stringContaining(notice.body) });
});

it("a pace is kept", async () => {
  await addRecipients(
    shop.db,
    notice,
    Array.from({ length: 301 }, (_, i) => `ada${i}@example.com`),
  );
  expect([await sendNotices(shop.db), await sendNotices(shop.db)]).toEqual([300, 1]);
});

it("another text of the same name is refused", async () => {
  await addRecipients(shop.db, notice, [someEmail()]);
  const other = await addRecipients(shop.db, { ...notice, body: "All is well." }, [someEmail()]);
  expect(other).toEqual({ ok: false, reason: "other-text" });
});

it("everyone is who has a verified account or an order with a name", async () => {
  const [verified, ordered] = [await makeAccount(shop.db), someEmail()];
  await makeAccount(shop.db, { emailVerified: false });
  for (const email of [verified.email.toUpperCase(), ordered, ordered, ""]) await makeOrder(shop.db, { email });
  expect(await addRecipients(shop.db, notice, "everyone")).toMatchObject({ added: 2 });
  await sendNotices(shop.db);
  expect(await queued()).toEqual([verified.email, ordered].toSorted());
});

it("the command counts without storing anything, and sends with --send", async () => {
  const folder = mkdtempSync(join(tmpdir(), "polara-notice-"));
  const [text, list] = [join(folder, "breach-2026-11.txt"), join(folder, "emails.txt")];
  writeFileSync(text, "A breach\n\nSorry.\n");
  writeFileSync(list, "ada@example.com\n\n Grace@example.com \nada@example.com\n");
  const run = (...flags: string[]) => {
    const env = { PATH: process.env.PATH, DATABASE_URL: shop.url };
    return execFileSync(process.execPath, ["scripts/notice.ts", text, list, ...flags], { env, encoding: "utf8" });
  };
  expect(run()).toMatch(/A breach\s+2 new recipients of 2, 0 of whom were emailed before\s+Nothing was sent/);
  expect((await shop.pool.query("SELECT FROM notices")).rowCount).toBe(0);
  expect(run("--send")).toContain("The worker emails them");
  await sendNotices(shop.db);
  expect(run("--send")).toMatch(/0 new recipients of 2, 2 of whom/);
  expect(await queued()).toEqual(["ada@example.com", "grace@example.com"]);
  writeFileSync(list, "ada@example.com\nnobody\n");
  expect(() => run()).toThrow(/No email in line 2/);
});
