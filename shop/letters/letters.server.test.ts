import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { emailShop } from "#tests/support/outbox.ts";
import { makeAccount, makeOrder, someEmail } from "#tests/support/people.ts";
import { staffRow } from "#tests/support/staff-member.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { consents } from "#shop/consents/consent.tables.ts";
import { giveConsent, withdrawConsent } from "#shop/consents/consents.server.ts";
import { emails } from "#shop/emails.server.ts";
import { waitlist } from "#shop/waitlist/waitlist.tables.ts";
import { countAudience } from "./audience.server.ts";
import { letterProblem } from "./letter-emails.server.tsx";
import type { LetterDraft } from "./letter.ts";
import { letters } from "./letter.tables.ts";
import {
  createLetter,
  getLetter,
  listLetters,
  removeLetter,
  saveLetter,
  scheduleLetter,
  stopLetter,
} from "./letters.server.ts";
import { sendLetters } from "./send-letters.server.ts";

const shop = useFreshDatabase();
let by: Acting;
beforeAll(async () => {
  by = await staffRow(shop.pool, "manager");
});
beforeEach(async () => {
  for (const table of [letters, consents, waitlist]) await shop.db.delete(table);
  await shop.pool.query("DELETE FROM pgboss.job");
});

const FIRST: LetterDraft = {
  subject: "Four hours of cold",
  markdown: "![A basket](lifestyle-picnic)\n\nIt **stays** cold. [See it](/shop)",
  audience: "news",
  productId: null,
  pace: 20_000,
  sendAt: null,
  version: 1,
};
async function draft(more: Partial<LetterDraft> = {}) {
  const id = await createLetter(shop.db, by, { subject: FIRST.subject });
  expect(await saveLetter(shop.db, by, id, { ...FIRST, ...more })).toEqual({ ok: true, version: 2 });
  return id;
}
const now = () => new Date(Date.now() - 1_000);
async function scheduled(more: Partial<LetterDraft> = {}) {
  const id = await draft(more);
  expect(await scheduleLetter(shop.db, by, id, now())).toBeGreaterThan(0);
  return id;
}
async function subscribers(count: number): Promise<string[]> {
  const all = Array.from({ length: count }, () => someEmail());
  for (const email of all) await giveConsent(shop.db, { email, kind: "news", page: "/account" });
  return all;
}
type Job = { email: string; recipientId: string; priority: number };
const jobs = async () =>
  (
    await shop.pool.query<Job>(
      `SELECT r.email, r.id AS "recipientId", j.priority FROM pgboss.job j
       JOIN letter_recipients r ON r.id = (j.data->>'recipientId')::uuid WHERE j.data->>'template' = 'letter'`,
    )
  ).rows;
const sentTo = async () => (await jobs()).map(({ email }) => email).toSorted();
const write = (recipientId: string) => emails.letter.write(shop.db, { recipientId }, emailShop);
const stateOf = async (id: string) => (await getLetter(shop.db, id))?.state;
/** As if the last run was an hour ago. */
const anHourLater = () => shop.pool.query("UPDATE letter_recipients SET queued_at = queued_at - interval '61 minutes'");

describe("an audience", () => {
  it("of news is who agreed, and of the waitlist who confirmed and stayed", async () => {
    const [kept, left] = await subscribers(2);
    await withdrawConsent(shop.db, left!, "news");
    await giveConsent(shop.db, { email: kept!, kind: "owners", page: "/account" });
    expect(await countAudience(shop.db, { audience: "news", productId: null })).toBe(1);
    const times = { verifiedAt: new Date(), unsubscribedAt: null };
    for (const more of [times, { ...times, verifiedAt: null }, { ...times, unsubscribedAt: new Date() }]) {
      const { id: userId, email } = await makeAccount(shop.db);
      await shop.db.insert(waitlist).values({ userId, email, ...more });
    }
    expect(await countAudience(shop.db, { audience: "waitlist", productId: null })).toBe(1);
  });

  it("of owners is who agreed and bought the product, by the order's email or the account's", async () => {
    const { rows } = await shop.pool.query<{ id: string }>("SELECT id FROM products ORDER BY slug LIMIT 2");
    const [product, other] = rows.map(({ id }) => id);
    const account = await makeAccount(shop.db);
    const guest = someEmail();
    const order = async (more: Parameters<typeof makeOrder>[1], productId = product) => {
      const id = await makeOrder(shop.db, more);
      await shop.pool.query(
        "INSERT INTO order_items (order_id, product_id, name, price, quantity) VALUES ($1, $2, 'A thing', 1900, 1)",
        [id, productId],
      );
    };
    await order({ email: guest.toUpperCase() });
    await order({ userId: account.id });
    const [canceled, another, silent] = [someEmail(), someEmail(), someEmail()];
    await order({ email: canceled, stage: "canceled" });
    await order({ email: another }, other);
    await order({ email: silent });
    for (const email of [guest, account.email, canceled, another])
      await giveConsent(shop.db, { email, kind: "owners", page: "/account" });
    expect(await countAudience(shop.db, { audience: "owners", productId: product! })).toBe(2);
    expect(await countAudience(shop.db, { audience: "owners", productId: null })).toBe(0);
  });
});

describe("sending", () => {
  it("queues each address once, behind all other emails, however many run at once", async () => {
    const all = await subscribers(5);
    const id = await scheduled();
    await Promise.all([1, 2, 3].map(() => sendLetters(shop.db)));
    expect(await sentTo()).toEqual(all.toSorted());
    expect(new Set((await jobs()).map(({ priority }) => priority))).toEqual(new Set([-1]));
    expect(await sendLetters(shop.db)).toBe(0);
    expect(await stateOf(id)).toBe("sent");
    expect(await sendLetters(shop.db)).toBe(0);
    expect(await sentTo()).toHaveLength(5);
    const counts = { recipients: 5, queued: 5 };
    expect([await getLetter(shop.db, id), await listLetters(shop.db)]).toMatchObject([counts, [counts]]);
  });

  it("rolls back the rows with their emails when it is cut off, and goes on", async () => {
    const all = await subscribers(3);
    await scheduled();
    await shop.pool.query("ALTER TABLE pgboss.job ADD CONSTRAINT cut CHECK (data->>'template' <> 'letter') NOT VALID");
    await expect(sendLetters(shop.db)).rejects.toThrow();
    await shop.pool.query("ALTER TABLE pgboss.job DROP CONSTRAINT cut");
    expect(await sentTo()).toEqual([]);
    await sendLetters(shop.db);
    expect(await sentTo()).toEqual(all.toSorted());
  });

  it("keeps its pace: a minute's share at a time, and no more than it in an hour", async () => {
    await subscribers(5);
    await scheduled({ pace: 3 });
    const runs = [];
    for (let i = 0; i < 5; i++) runs.push(await sendLetters(shop.db));
    expect(runs).toEqual([1, 1, 1, 0, 0]);
    await anHourLater();
    expect(await sendLetters(shop.db)).toBe(1);
  });

  it("waits for its time, and sends nothing to whoever agreed after it began", async () => {
    const [first] = await subscribers(1);
    const id = await draft();
    await scheduleLetter(shop.db, by, id, new Date(Date.now() + 3_600_000));
    expect([await sendLetters(shop.db), await stateOf(id)]).toEqual([0, "scheduled"]);
    await shop.pool.query("UPDATE letters SET send_at = now()");
    expect(await sendLetters(shop.db)).toBe(1);
    await subscribers(1);
    await sendLetters(shop.db);
    expect(await sentTo()).toEqual([first]);
  });

  it("writes nothing to whoever withdraws between the batch and the email, or after a stop", async () => {
    await subscribers(3);
    const id = await scheduled();
    await sendLetters(shop.db);
    const [one, other, third] = await jobs();
    await withdrawConsent(shop.db, one!.email, "news");
    expect(await write(one!.recipientId)).toBeNull();
    await shop.pool.query("DELETE FROM letter_recipients WHERE id = $1", [other!.recipientId]);
    expect(await write(other!.recipientId)).toBeNull();
    expect(await write(third!.recipientId)).toMatchObject({ to: third!.email });
    expect(await stopLetter(shop.db, by, id)).toBe(true);
    expect(await write(third!.recipientId)).toBeNull();
  });

  it("gives each reader a link that withdraws, the address, and absolute links and pictures", async () => {
    await subscribers(1);
    await scheduled();
    await sendLetters(shop.db);
    const [job] = await jobs();
    const email = (await write(job!.recipientId))!;
    expect(email.headers?.["List-Unsubscribe"]).toMatch(/^<http:\/\/localhost:3000\/unsubscribe\?k=[^>]+>$/);
    expect(email.headers?.["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    expect(email.text).toMatch(/\[See it\]\(http:\/\/localhost:3000\/shop\)[^]*Unsubscribe: http[^]*\d{5}$/);
    expect(email.html).toContain('href="http://localhost:3000/shop"');
    expect(email.html).toContain('src="http://localhost:3000/images/lifestyle-picnic-og.jpg"');
  });
});

describe("a letter", () => {
  it("is a draft until it is scheduled, and again when it is stopped before it is sent", async () => {
    expect(await scheduleLetter(shop.db, by, await draft(), now())).toBeNull();
    await subscribers(1);
    const id = await scheduled();
    expect(await saveLetter(shop.db, by, id, { ...FIRST, version: 2 })).toEqual({ ok: false, reason: "no-draft" });
    expect(await removeLetter(shop.db, by, id)).toBe(false);
    expect([await stopLetter(shop.db, by, id), await stateOf(id)]).toEqual([true, "draft"]);
    expect(await stopLetter(shop.db, by, id)).toBe(false);
    expect(await sendLetters(shop.db)).toBe(0);
    expect([await removeLetter(shop.db, by, id), await stateOf(id)]).toEqual([true, undefined]);
  });

  it("keeps its time as a draft, and when it is stopped", async () => {
    await subscribers(1);
    const at = new Date(Date.now() + 3_600_000);
    const id = await draft({ sendAt: at });
    expect(await getLetter(shop.db, id)).toMatchObject({ state: "draft", sendAt: at });
    expect(await scheduleLetter(shop.db, by, id, at)).toBe(1);
    expect(await stopLetter(shop.db, by, id)).toBe(true);
    expect(await getLetter(shop.db, id)).toMatchObject({ state: "draft", sendAt: at });
  });

  it("stops in the middle, and stays stopped", async () => {
    await subscribers(3);
    const id = await scheduled({ pace: 60 });
    expect(await sendLetters(shop.db)).toBe(1);
    expect([await stopLetter(shop.db, by, id), await stateOf(id)]).toEqual([true, "stopped"]);
    expect(await sendLetters(shop.db)).toBe(0);
    expect(await scheduleLetter(shop.db, by, id, now())).toBeNull();
  });

  it("is not overwritten by another editor", async () => {
    const id = await draft();
    expect(await saveLetter(shop.db, by, id, FIRST)).toEqual({ ok: false, reason: "changed", version: 2 });
  });

  it.each([
    ["a [link](https://polara.example)\n\n- a list", null],
    ["![A basket](lifestyle-picnic)", null],
    ["![A](lifestyle-picnic)\n\n![B](lifestyle-week)", "one picture at most"],
    ["![](lifestyle-picnic)", "picture without words"],
    ["| a | b |\n|---|---|\n| 1 | 2 |", "has a table"],
    ["<b>bold</b>", "has HTML"],
    ["{nothing}", "stands for nothing"],
    ["x".repeat(20_000), null],
    ["x".repeat(20_001), "has 20,001 characters, and at most 20,000 fit"],
  ])("%.30s is allowed or refused in words", (markdown, problem) => {
    if (problem) expect(letterProblem(markdown)).toContain(problem);
    else expect(letterProblem(markdown)).toBeNull();
  });
});
