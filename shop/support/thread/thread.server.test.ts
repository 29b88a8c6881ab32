import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { anyPermit, uncounted } from "#tests/support/mail-permit.ts";
import { startMailServer } from "#tests/support/mail-server.ts";
import { mailboxOutbox } from "#tests/support/outbox.ts";
import { makeStaff } from "#tests/support/staff-member.ts";
import { startOutbox } from "#shop/mail/outbox.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { supportEmail } from "#shop/contact-addresses.server.ts";
import { sendMessage } from "../contact.server.ts";
import { assignTo, linkOrder, sendReply, setStatus } from "./answer.server.ts";
import { countMessages, listMessages, MESSAGES_PAGE, listWaitingMessages } from "./list-messages.server.ts";
import { listSavedReplies, removeSavedReply, saveReply } from "./saved-replies.server.ts";
import { listRepliers, otherMessages, readThread } from "./thread.server.ts";

const shop = useFreshDatabase(5);
const run = (text: string, values: unknown[] = []) => shop.pool.query(text, values);
const make = async (name: string, role: "support" | "packer" = "support"): Promise<Acting & { name: string }> => {
  const { staffId } = await makeStaff(shop, { url: "http://localhost", secret: "for tests only" }, role, { name });
  return { staffId, role, address: "203.0.113.7", requestId: "a-request", name };
};
let grace: Acting;
let linus: Acting;
beforeAll(async () => {
  grace = await make("Grace");
  linus = await make("Linus");
});
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const someEmail = () => `ada-${randomUUID().slice(0, 8)}@example.com`;

async function message(email = someEmail(), text: string = randomUUID()): Promise<{ id: string; email: string }> {
  await sendMessage(shop.db, uncounted, { name: "Ada Lovelace", email, message: text }, "192.0.2.1");
  const { rows } = await run("SELECT id FROM contact_messages WHERE email = $1 ORDER BY created_at DESC LIMIT 1", [
    email,
  ]);
  return { id: rows[0].id, email };
}

async function order(email: string, userId: string | null = null, daysAgo = 0): Promise<string> {
  const { rows } = await run(
    `INSERT INTO orders (checkout_key, user_id, stage, subtotal, shipping, tax, total, email, phone, shipping_first_name,
       shipping_last_name, shipping_address_line1, shipping_city, shipping_state, shipping_postal_code, shipping_method, ship_by, terms_version, created_at)
     VALUES (gen_random_uuid(), $1, 'delivered', 1900, 999, 0, 2899, $2, '', '', '', '', 'New York', 'NY', '10001', 'standard', '2027-03-04', '2025-01-01',
       now() - $3 * interval '1 day') RETURNING id`,
    [userId, email, daysAgo],
  );
  return rows[0].id;
}

const reply = (messageId: string, seen = 0, more: { body?: string; replyId?: string; closes?: boolean } = {}) => ({
  messageId,
  replyId: randomUUID(),
  body: "It does.",
  closes: false,
  ...more,
  seen,
});
const send = (by: Acting, ...of: Parameters<typeof reply>) => sendReply(shop.db, by, reply(...of), anyPermit);
const audited = async (id: string) =>
  (await run("SELECT action FROM audit_log WHERE subject = $1 ORDER BY id", [`message:${id}`])).rows.map(
    ({ action }) => action,
  );
const writesAgain = (id: string, later: string) =>
  run(
    "INSERT INTO incoming_emails (message_id, mail_id, text, first, refused, created_at) VALUES ($1, $2, 'Sure?', false, '{}', now() + $3::interval) RETURNING created_at",
    [id, randomUUID(), later],
  );
const queued = async (replyId: string) =>
  (await run("SELECT FROM pgboss.job WHERE name = 'mail' AND data->>'replyId' = $1", [replyId])).rowCount;

describe("the order of a message", () => {
  const recognized = async (email: string, text: string) =>
    (await readThread(shop.db, (await message(email, text)).id))?.orderId;

  it("is the one it names, with the same email, or else the newest with that email", async () => {
    const email = someEmail();
    const { rows } = await run("INSERT INTO users (email, name) VALUES ($1, 'Ada') RETURNING id", [email]);
    const [older, newer] = [await order(email.toUpperCase(), null, 9), await order("other@example.com", rows[0].id, 1)];
    expect(await recognized(email, `Order ${older.slice(0, 8)}: where is it?`)).toBe(older);
    expect(await recognized(email.toUpperCase(), "Where is it?")).toBe(newer);
    expect(await recognized(someEmail(), `Order ${older.slice(0, 8)}: send it to me!`)).toBeNull();
  });
});

describe("a conversation", () => {
  it("has its replies in order, with author and delivery status", async () => {
    const { id, email } = await message();
    expect(await send(grace, id)).toEqual({ ok: true, repeated: false, closedBy: null });
    expect(await send(linus, id, 1, { body: "And so does a pineapple.", closes: true })).toMatchObject({ ok: true });
    expect(await readThread(shop.db, id)).toMatchObject({
      email,
      status: "closed",
      statusBy: "Linus",
      assignedTo: grace.staffId,
      replies: [
        { by: "Grace", body: "It does.", state: "on its way" },
        { by: "Linus", body: "And so does a pineapple." },
      ],
    });
    expect(await audited(id)).toEqual(["message.reply", "message.reply"]);
    await run("UPDATE contact_replies SET created_at = created_at - interval '3 days' WHERE message_id = $1", [id]);
    expect((await readThread(shop.db, id))?.replies[0]?.state).toBe("not delivered");
    expect(await readThread(shop.db, randomUUID())).toBeNull();
  });

  it("accepts a form sent twice as one reply", async () => {
    const { id } = await message();
    const replyId = randomUUID();
    const sent = await Promise.all([1, 2, 3].map(() => send(grace, id, 0, { replyId })));
    expect(sent.filter((one) => one.ok && !one.repeated)).toHaveLength(1);
    expect(sent.every(({ ok }) => ok)).toBe(true);
    const another = await send(grace, id, 1, { replyId, body: "And a second thing." });
    expect(another).toEqual({ ok: true, repeated: true, isOther: true });
    expect(await queued(replyId)).toBe(1);
    const other = await message();
    expect(await send(grace, other.id, 0, { replyId })).toEqual({ ok: false, reason: "not-found" });
  });

  it("is answered by one of two at once, and the other learns by whom", async () => {
    const { id } = await message();
    const sent = await Promise.all([send(grace, id), send(linus, id)]);
    expect(sent.filter(({ ok }) => ok)).toHaveLength(1);
    const refused = sent.find(({ ok }) => !ok);
    expect(refused).toMatchObject({ reason: "answered", by: sent[0]?.ok ? "Grace" : "Linus" });
    expect((await readThread(shop.db, id))?.replies).toHaveLength(1);
  });

  it("answered and closed at once by two loses no text, and both learn of it", async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = await message();
      const [sent, closed] = await Promise.all([
        send(grace, id),
        setStatus(shop.db, linus, { messageId: id, status: "closed", seen: 0 }),
      ]);
      const thread = await readThread(shop.db, id);
      expect(sent).toMatchObject({ ok: true });
      expect(thread?.replies).toHaveLength(1);
      if (closed.ok)
        expect([sent, thread?.status]).toEqual([{ ok: true, repeated: false, closedBy: "Linus" }, "closed"]);
      else expect([closed, thread?.status]).toEqual([{ ok: false, reason: "answered", by: "Grace" }, "open"]);
    }
  });

  it("is neither answered nor closed past an email of the customer that nobody has read", async () => {
    const { id } = await message();
    const close = (seen: number) => setStatus(shop.db, grace, { messageId: id, status: "closed", seen });
    expect(await send(grace, id)).toMatchObject({ ok: true });
    await writesAgain(id, "1 minute");
    expect(await send(grace, id, 1, { closes: true })).toEqual({ ok: false, reason: "customer-wrote" });
    expect(await close(1)).toEqual({ ok: false, reason: "customer-wrote" });
    expect(await readThread(shop.db, id)).toMatchObject({ status: "open", replies: [{ by: "Grace" }], seen: 2 });
    expect(await send(grace, id, 2)).toMatchObject({ ok: true });
    await run("UPDATE contact_replies SET created_at = created_at + interval '1 hour' WHERE message_id = $1", [id]);
    expect(await send(linus, id, 1)).toEqual({ ok: false, reason: "answered", by: "Grace" });
    expect(await close(3)).toMatchObject({ ok: true });
  });

  it("is closed and reopened once, and a second try names who did it", async () => {
    const { id } = await message();
    const set = (by: Acting, status: "open" | "closed") => setStatus(shop.db, by, { messageId: id, status, seen: 0 });
    expect(await set(grace, "closed")).toEqual({ ok: true, repeated: false });
    expect(await set(linus, "closed")).toEqual({ ok: true, repeated: true, closedBy: "Grace" });
    expect(await set(linus, "open")).toEqual({ ok: true, repeated: false });
    expect(await audited(id)).toEqual(["message.close", "message.reopen"]);
  });

  it("is assigned to staff who may answer, and not over another assignment", async () => {
    const packer = await make("Pat", "packer");
    const { id } = await message();
    const give = (staffId: string | null, was: string | null) =>
      assignTo(shop.db, grace, { messageId: id, staffId, was });
    expect((await listRepliers(shop.db)).map(({ name }) => name)).toEqual(["Grace", "Linus"]);
    expect(await give(packer.staffId, null)).toEqual({ ok: false, reason: "not-staff" });
    expect(await give(linus.staffId, null)).toEqual({ ok: true, repeated: false });
    expect(await give(grace.staffId, null)).toEqual({ ok: false, reason: "changed", by: "Linus" });
    expect(await give(null, linus.staffId)).toEqual({ ok: true, repeated: false });
  });

  it.each([
    ["is disabled", "disabled_at = now()"],
    ["may no longer answer", "role = 'packer'"],
  ])("is unassigned when its assignee %s, until another answers", async (_how, set) => {
    const former = await make(`Former ${set.length}`);
    const { id } = await message();
    await assignTo(shop.db, grace, { messageId: id, staffId: former.staffId, was: null });
    const listed = async () =>
      (await listMessages(shop.db, { status: "open", assigned: { to: null } })).find((row) => row.id === id);
    expect(await listed()).toBeUndefined();
    await run(`UPDATE staff SET ${set} WHERE user_id = $1`, [former.staffId]);
    expect(await listed()).toMatchObject({ assignee: null });
    await send(linus, id);
    expect(await listed()).toBeUndefined();
    expect((await readThread(shop.db, id))?.assignedTo).toBe(linus.staffId);
  });

  it("is linked to an order by its number", async () => {
    const { id } = await message();
    const orderId = await order("somebody@example.com");
    const link = (number: string | null) => linkOrder(shop.db, grace, { messageId: id, number });
    expect(await link("00000000")).toEqual({ ok: false, reason: "no-order" });
    expect(await link(orderId.slice(0, 8))).toEqual({ ok: true, repeated: false });
    expect((await readThread(shop.db, id))?.orderId).toBe(orderId);
    expect(await link(null)).toEqual({ ok: true, repeated: false });
    expect(await audited(id)).toEqual(["message.order", "message.order"]);
  });

  it("never merges with another message of the same email, but lists it", async () => {
    const first = await message();
    const second = await message(first.email.toUpperCase());
    expect((await readThread(shop.db, first.id))?.replies).toEqual([]);
    expect(await otherMessages(shop.db, first)).toMatchObject([{ id: second.id, status: "open" }]);
  });
});

describe("the emails of a conversation", () => {
  it("are one thread in a mail client, from support, after the receipt", async () => {
    const { url: smtpUrl, emails: mails } = await startMailServer();
    const email = "threaded@example.com";
    const { id } = await message(email, "Does it fit a melon?");
    const outbox = await startOutbox(shop.db, shop.url, {
      ...mailboxOutbox,
      baseUrl: "https://shop.example",
      smtpUrl,
    });
    stops.push(outbox.stop);
    const header = (mail: string | undefined, name: string) =>
      new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, "m")
        .exec(mail?.split("\r\n\r\n")[0] ?? "")?.[1]
        ?.replaceAll(/\s+/g, " ");
    const mailOf = (what: string) => mails.find((mail) => header(mail, "Message-ID")?.includes(what));

    const [first, second] = [randomUUID(), randomUUID()];
    await send(grace, id, 0, { replyId: first });
    await expect.poll(async () => (await readThread(shop.db, id))?.replies[0]?.state).toBe("sent");
    await send(linus, id, 1, { replyId: second });
    await expect.poll(() => mailOf(second)).toBeDefined();
    await expect.poll(() => mailOf(`receipt.${id}`)).toBeDefined();

    const receipt = `<receipt.${id}@shop.example>`;
    const firstId = `<reply.${first}@shop.example>`;
    expect(header(mailOf(first), "Message-ID")).toBe(firstId);
    expect(header(mailOf(first), "In-Reply-To")).toBe(receipt);
    expect(header(mailOf(first), "References")).toBe(receipt);
    expect(header(mailOf(second), "In-Reply-To")).toBe(firstId);
    expect(header(mailOf(second), "References")).toBe(`${receipt} ${firstId}`);
    expect(header(mailOf(second), "From")).toBe(`Polara <${supportEmail()}>`);
    expect(header(mailOf(second), "Reply-To")).toBe(supportEmail());
    expect(header(mailOf(second), "To")).toBe(email);
    expect(header(mailOf(second), "Subject")).toBe("Re: Does it fit a melon?");
    expect(mailOf(second)).toMatch(/text\/plain[\s\S]*text\/html/);
    // Programs answer the receipt as little as they get one; a reply is a person's.
    expect(header(mailOf(`receipt.${id}`), "Auto-Submitted")).toBe("auto-generated");
    expect(header(mailOf(second), "Auto-Submitted")).toBe("no");
  });
});

describe("the list", () => {
  it("has open ones oldest first, closed ones newest first, in pages, and finds beginnings of words", async () => {
    await run("TRUNCATE contact_messages CASCADE");
    await run(
      `INSERT INTO contact_messages (name, email, message, created_at, status, assigned_to)
       SELECT 'Ada Love' || i, 'writer' || i || '@example.com', 'Does a melon fit?', now() - i * interval '1 hour',
         CASE WHEN i % 2 = 0 THEN 'open' ELSE 'closed' END, CASE WHEN i = 2 THEN $1::uuid END FROM generate_series(1, 120) i`,
      [grace.staffId],
    );
    const first = await listMessages(shop.db, { status: "open" });
    expect(first).toHaveLength(MESSAGES_PAGE + 1);
    expect(first[0]?.email).toBe("writer120@example.com");
    const second = await listMessages(shop.db, { status: "open" }, first[MESSAGES_PAGE - 1]?.id);
    expect(second.map(({ email }) => email)).toEqual(
      [20, 18, 16, 14, 12, 10, 8, 6, 4, 2].map((i) => `writer${i}@example.com`),
    );
    const closed = await listMessages(shop.db, { status: "closed" });
    expect(closed[0]?.email).toBe("writer1@example.com");
    expect((await listMessages(shop.db, { status: "closed" }, closed[0]?.id))[0]?.email).toBe("writer3@example.com");
    expect(await countMessages(shop.db, { status: "all" })).toEqual({ count: 120, hasMore: false });
    const emails = async (filter: Parameters<typeof listMessages>[1]) =>
      (await listMessages(shop.db, filter)).map(({ email }) => email);
    expect(await emails({ status: "all", assigned: { to: grace.staffId } })).toEqual(["writer2@example.com"]);
    expect((await countMessages(shop.db, { status: "open", assigned: { to: null } })).count).toBe(59);
    for (const search of ["writer77@", "Love77", "WRITER77@example.com MEL", "love77 ('"]) {
      expect([search, await emails({ status: "all", search })]).toEqual([search, ["writer77@example.com"]]);
    }
    expect((await countMessages(shop.db, { status: "all", search: "pineapple" })).count).toBe(0);
    expect((await emails({ status: "open", search: "melon" })).slice(0, 2)).toEqual([
      "writer120@example.com",
      "writer118@example.com",
    ]);
    expect((await countMessages(shop.db, { status: "closed", search: "melon" })).count).toBe(60);
    await run(
      "INSERT INTO contact_messages (name, email, message) VALUES ($1, 'plus+melons@example.com', 'Does one fit?')",
      ["हिन्दी"],
    );
    for (const search of ["plus+melons@example.com", "plus+mel", "+melons@", "हिन्दी"])
      expect([search, await emails({ status: "all", search })]).toEqual([search, ["plus+melons@example.com"]]);
    for (const search of ["?!", "a", "+ ("])
      expect([search, await emails({ status: "all", search })]).toEqual([search, []]);
    expect((await countMessages(shop.db, { status: "all", search: " " })).count).toBe(121);
    await run("DELETE FROM contact_messages WHERE email = 'plus+melons@example.com'");
    await run(
      `INSERT INTO contact_messages (name, email, message, created_at, status)
       SELECT 'Ada', 'many' || i || '@example.com', 'How is a melon cut?', now() - i * interval '1 year', 'closed'
       FROM generate_series(1, $1::int) i`,
      [1_000],
    );
    expect(await countMessages(shop.db, { status: "closed", search: "melon" })).toEqual({
      count: 1_000,
      hasMore: true,
    });
    const waiting = await listWaitingMessages(shop.db);
    expect(waiting.count).toBe(60);
    expect(waiting.oldest.map(({ name }) => name)).toEqual([120, 118, 116, 114, 112].map((i) => `Ada Love${i}`));
  });

  it("has as waiting only open ones whose last word is the customer's", async () => {
    await run("TRUNCATE contact_messages CASCADE");
    const [answered, wroteAgain] = [await message(), await message()];
    await run(
      "INSERT INTO contact_replies (id, message_id, body, created_at) SELECT gen_random_uuid(), id, 'It does.', now() + interval '1 hour' FROM contact_messages",
    );
    expect(await listWaitingMessages(shop.db)).toEqual({ count: 0, hasMore: false, oldest: [] });
    const { rows } = await writesAgain(wroteAgain.id, "2 hours");
    const { count, oldest } = await listWaitingMessages(shop.db);
    expect({ count, oldest }).toMatchObject({
      count: 1,
      oldest: [{ id: wroteAgain.id, waitsSince: rows[0].created_at }],
    });
    const open = await listMessages(shop.db, { status: "open" });
    expect(open.map(({ id, isReplied }) => [id, isReplied])).toEqual([
      [answered.id, true],
      [wroteAgain.id, false],
    ]);
  });
});

describe("a saved reply", () => {
  it("is changed by one of two at once, and has a unique title", async () => {
    expect(await saveReply(shop.db, grace, { id: null, version: "", title: "Melons", body: "They fit." })).toEqual({
      ok: true,
    });
    const [saved] = await listSavedReplies(shop.db);
    const changed = await Promise.all(
      [grace, linus].map((by) => saveReply(shop.db, by, { ...saved!, body: `By ${by.staffId}` })),
    );
    expect(changed.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    expect(changed).toContainEqual({ ok: false, reason: "changed" });
    expect(await saveReply(shop.db, linus, { id: null, version: "", title: "Melons", body: "No." })).toEqual({
      ok: false,
      reason: "title-taken",
    });
    await removeSavedReply(shop.db, grace, saved!.id);
    expect(await listSavedReplies(shop.db)).toEqual([]);
  });

  it("that a colleague deleted is added again with what was typed meanwhile", async () => {
    await saveReply(shop.db, grace, { id: null, version: "", title: "Pears", body: "They fit." });
    const [saved] = await listSavedReplies(shop.db);
    await removeSavedReply(shop.db, linus, saved!.id);
    expect(await saveReply(shop.db, grace, { ...saved!, body: "They fit well." })).toEqual({ ok: true });
    const { id, title } = saved!;
    expect(await listSavedReplies(shop.db)).toMatchObject([{ id, title, body: "They fit well." }]);
    await removeSavedReply(shop.db, grace, id);
  });
});
