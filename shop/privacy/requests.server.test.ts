import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";
import { anyPermit } from "../../tests/support/mail-permit.ts";
import { makeStaff } from "../../tests/support/staff-member.ts";
import { listCustomers, CUSTOMERS_PAGE } from "../accounts/list-customers.server.ts";
import { listGuests, GUESTS_PAGE } from "../orders/list-guests.server.ts";
import { policy } from "../policies.ts";
import type { Acting } from "../staff/audit.server.ts";
import { emailHash } from "./email-hash.server.ts";
import { deleteAccount } from "./erase-account.server.ts";
import { beforeErasing, eraseRequested, exportRequested } from "./fulfill-request.server.ts";
import { openCustomer, openGuest } from "./person.server.ts";
import { privacyEmails } from "./privacy-emails.server.ts";
import { requestSchema, type NewRequest } from "./request-form.ts";
import { dueAt } from "./request-clock.ts";
import { urgency } from "./request.ts";
import {
  closeRequest,
  extendRequest,
  listClosedRequests,
  listOpenRequests,
  noteRequest,
  proveRequest,
  readRequest,
  registerRequest,
  requestsDue,
} from "./requests.server.ts";
import { applyRetention, lastRetention } from "./retention.server.ts";

const SECRET = "a secret that only tests know, and long enough";
const shop = useFreshDatabase(5);
const run = (text: string, values: unknown[] = []) => shop.pool.query(text, values);
const make = (role: "owner" | "support", options?: { isDisabled?: boolean }) =>
  makeStaff(shop, { url: "http://localhost", secret: SECRET }, role, options);
let grace: Acting;
beforeAll(async () => {
  const { staffId } = await make("owner");
  grace = { staffId, role: "owner", address: "203.0.113.7", requestId: "a-request" };
});

const DAY_MS = 86_400_000;
const someEmail = () => `ada-${randomUUID().slice(0, 8)}@example.com`;
const asked = (more: Partial<NewRequest> = {}): NewRequest => ({
  kind: "deletion",
  law: "gdpr",
  channel: "email",
  email: someEmail(),
  receivedOn: new Date(),
  note: "Ada wrote by hand.",
  ...more,
});
const register = async (more: Partial<NewRequest> = {}) =>
  (await registerRequest(shop.db, grace, asked(more), SECRET)).id;

async function account(email: string): Promise<string> {
  const { rows } = await run(
    "INSERT INTO users (email, email_verified, name) VALUES ($1, true, 'Ada Lovelace') RETURNING id",
    [email],
  );
  return rows[0].id;
}
async function order(email: string, userId: string | null = null, status = "delivered"): Promise<string> {
  const { rows } = await run(
    `INSERT INTO orders (checkout_key, user_id, status, subtotal, shipping, tax, total, email, phone, shipping_first_name,
       shipping_last_name, shipping_address_line1, shipping_city, shipping_state, shipping_postal_code, shipping_method)
     VALUES (gen_random_uuid(), $1, $3, 1900, 999, 0, 2899, $2, '2125550100', 'Ada', 'Lovelace', '12 Analytical Ave',
       'New York', 'NY', '10001', 'standard') RETURNING id`,
    [userId, email, status],
  );
  return rows[0].id;
}
const write = (email: string) =>
  run("INSERT INTO contact_messages (name, email, message) VALUES ('Ada', $1, 'Hello?') RETURNING id", [email]);
const audited = async (subject: string) =>
  (await run("SELECT action FROM audit_log WHERE subject = $1 ORDER BY id", [subject])).rows.map(
    ({ action }) => action,
  );
const mails = async (template: string, email: string) =>
  (
    await run("SELECT FROM pgboss.job WHERE name = 'mail' AND data->>'template' = $1 AND data->>'email' = $2", [
      template,
      email,
    ])
  ).rowCount;

describe("the clock of a request", () => {
  it("has as many days as the privacy policy says, from the day on which it came", () => {
    const receivedOn = new Date("2026-03-01T12:00:00Z");
    expect(dueAt(receivedOn, "gdpr").getTime() - receivedOn.getTime()).toBe(policy.gdprResponseDays * DAY_MS);
    expect(dueAt(receivedOn, "ccpa").getTime() - receivedOn.getTime()).toBe(policy.ccpaResponseDays * DAY_MS);
    const now = new Date("2026-03-20T12:00:00Z");
    const at = (days: number) => urgency(new Date(now.getTime() + days * DAY_MS), now);
    expect([at(-0.1), at(0.1), at(6.9), at(7.1)]).toEqual(["late", "soon", "soon", "open"]);
  });

  it("is not set to a day to come, or to none", () => {
    const messages = (fields: object) =>
      requestSchema
        .safeParse({ ...asked(), receivedOn: "2026-03-01", note: "", ...fields })
        .error?.issues.map(({ message }) => message);
    expect(messages({})).toBeUndefined();
    expect(messages({ receivedOn: "2999-01-01" })).toEqual(["This day is still to come"]);
    expect(messages({ receivedOn: "soon", law: "none" })).toEqual(["Choose a law", "Enter the day on which it came"]);
  });
});

describe("a request", () => {
  it("is registered once, proved, noted and closed; each stands in the audit log, without the email", async () => {
    const email = someEmail();
    const id = await register({ email });
    expect(await registerRequest(shop.db, grace, asked({ email: email.toUpperCase() }), SECRET)).toEqual({
      id,
      isNew: false,
    });
    await proveRequest(shop.db, grace, id, "wrote");
    await Promise.all(["One.", "Two."].map((note) => noteRequest(shop.db, grace, id, note)));
    expect(await closeRequest(shop.db, grace, id, { state: "refused", note: "Not theirs." })).toEqual({ ok: true });
    expect(await closeRequest(shop.db, grace, id, { state: "done", note: null })).toEqual({
      ok: false,
      reason: "closed",
    });
    const request = await readRequest(shop.db, id);
    expect(request).toMatchObject({ state: "refused", proof: "wrote", email, emailHash: emailHash(email, SECRET) });
    for (const words of ["Ada wrote by hand.", "One.", "Two.", "Not theirs."]) expect(request?.note).toContain(words);
    expect(await audited(`privacy:${id}`)).toEqual([
      "privacy.register",
      "privacy.prove",
      "privacy.note",
      "privacy.note",
      "privacy.close",
    ]);
    expect((await run("SELECT FROM audit_log WHERE strpos(after::text, $1) > 0", [email])).rowCount).toBe(0);
    expect((await listClosedRequests(shop.db))[0]?.id).toBe(id);
    expect(await listClosedRequests(shop.db, id)).toEqual([]);
  });

  it("has further time once, and they are told why", async () => {
    const email = someEmail();
    const id = await register({ email, law: "ccpa", kind: "data" });
    const before = (await readRequest(shop.db, id))!.dueAt.getTime();
    const extend = () => extendRequest(shop.db, grace, id, "the archive is slow.", anyPermit);
    expect(await Promise.all([extend(), extend()])).toEqual(
      expect.arrayContaining([{ ok: true }, { ok: false, reason: "extended" }]),
    );
    expect((await readRequest(shop.db, id))!.dueAt.getTime() - before).toBe(45 * DAY_MS);
    const shopOf = { baseUrl: "http://localhost:3000", secret: SECRET, supportEmail: "help@shop.example" };
    const mail = await privacyEmails["request-extended"].write(shop.db, { requestId: id }, shopOf);
    expect(mail).toMatchObject({ to: email, text: expect.stringContaining("Why: the archive is slow.") });
  });

  it("stands above those that are due later, and is counted while it needs a hand", async () => {
    await run("DELETE FROM privacy_requests");
    const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
    const ids = [];
    for (const days of [1, 31, 25]) ids.push(await register({ receivedOn: ago(days) }));
    expect((await listOpenRequests(shop.db)).map(({ id }) => id)).toEqual([ids[1], ids[2], ids[0]]);
    expect(await requestsDue(shop.db)).toMatchObject({ count: 2, late: 1, first: [{ id: ids[1] }, { id: ids[2] }] });
  });
});

describe("carrying it out", () => {
  it("asks how the shop knows who asks, and does it once", async () => {
    const id = await register();
    expect(await exportRequested(shop.db, grace, id)).toEqual({ ok: false, reason: "not-proven" });
    expect(await eraseRequested(shop.db, grace, id, anyPermit)).toEqual({ ok: false, reason: "not-proven" });
    await proveRequest(shop.db, grace, id, "answered");
    const erased = await Promise.all([1, 2].map(() => eraseRequested(shop.db, grace, id, anyPermit)));
    expect(erased).toEqual(expect.arrayContaining([{ ok: true }, { ok: false, reason: "closed" }]));
    expect(await exportRequested(shop.db, grace, randomUUID())).toEqual({ ok: false, reason: "not-found" });
  });

  it("gives the file of an account, or of a guest's orders and messages", async () => {
    const [member, guest] = [someEmail(), someEmail()];
    await order(member, await account(member));
    await order(guest.toUpperCase());
    await write(guest);
    for (const email of [member, guest]) {
      const id = await register({ email, kind: "data" });
      await proveRequest(shop.db, grace, id, "wrote");
      const exported = await exportRequested(shop.db, grace, id);
      expect(exported).toMatchObject({
        ok: true,
        file: { orders: [{ totalCents: 2899 }], requests: [{ kind: "data" }] },
      });
      expect(JSON.stringify(exported)).toContain("12 Analytical Ave");
      expect(JSON.stringify(exported)).not.toContain(emailHash(email, SECRET));
      expect(await audited(`privacy:${id}`)).toContain("privacy.export");
    }
    const [found] = (await run("SELECT id FROM privacy_requests WHERE email = $1", [guest])).rows;
    expect(await exportRequested(shop.db, grace, found.id)).toMatchObject({
      file: { email: guest, messages: [{ message: "Hello?" }] },
    });
  });

  it.each([
    ["an account", true],
    ["a guest", false],
  ])("erases %s: of the request a keyed hash stays, and one mail tells them", async (_who, hasAccount) => {
    const email = someEmail();
    const userId = hasAccount ? await account(email) : null;
    const [sent, open] = [await order(email, userId), await order(email, userId, "processing")];
    const asGuest = await order(email.toUpperCase());
    await write(email);
    const id = await register({ email });
    const data = await register({ email, kind: "data" });
    await proveRequest(shop.db, grace, id, "document");
    expect(await beforeErasing(shop.db, email)).toEqual({ unshipped: 1, hasAccount });
    expect(await eraseRequested(shop.db, grace, id, anyPermit)).toEqual({ ok: true });
    const { rows } = await run("SELECT * FROM orders WHERE id = ANY($1)", [[sent, open, asGuest]]);
    // An id may happen to spell a name.
    expect(JSON.stringify(rows).replaceAll(/[0-9a-f-]{36}/g, "")).not.toMatch(/ada-|Ada|Lovelace|Analytical|212555/i);
    expect(rows.find((row) => row.id === open)?.status).toBe("canceled");
    expect((await run("SELECT FROM contact_messages WHERE lower(email) = $1", [email])).rowCount).toBe(0);
    expect((await run("SELECT FROM users WHERE email = $1", [email])).rowCount).toBe(0);
    for (const request of [id, data]) {
      expect(await readRequest(shop.db, request)).toMatchObject({
        email: null,
        note: null,
        state: "done",
        closedAt: expect.any(Date),
        emailHash: emailHash(email, SECRET),
      });
    }
    expect(await audited(`privacy:${id}`)).toContain("privacy.erase");
    expect(await mails(hasAccount ? "account-deleted" : "data-deleted", email)).toBe(1);
  });
});

describe("an account that works in the back office", () => {
  it("is erased neither by itself nor at the desk, until an owner has ended that", async () => {
    const { staffId, email } = await make("support");
    const owner = { id: staffId, email, emailVerified: true };
    expect(await deleteAccount(shop.db, owner, null, null)).toEqual({ ok: false, reason: "is-staff" });
    const id = await register({ email });
    await proveRequest(shop.db, grace, id, "wrote");
    expect(await eraseRequested(shop.db, grace, id, anyPermit)).toEqual({ ok: false, reason: "is-staff" });
    await run("UPDATE staff SET disabled_at = now() WHERE user_id = $1", [staffId]);
    expect(await deleteAccount(shop.db, owner, null, null)).toEqual({ ok: true });
    expect((await run("SELECT FROM users WHERE id = $1", [staffId])).rowCount).toBe(0);
  });

  it("is not taken for one that nobody uses", async () => {
    const working = await make("support");
    const former = await make("support", { isDisabled: true });
    await run("UPDATE users SET last_active_at = '2001-01-01', updated_at = '2001-01-01' WHERE id = ANY($1)", [
      [working.staffId, former.staffId],
    ]);
    await applyRetention(shop.db);
    const { rows } = await run("SELECT id FROM users WHERE id = ANY($1)", [[working.staffId, former.staffId]]);
    expect(rows).toEqual([{ id: working.staffId }]);
  });
});

describe("retention", () => {
  it("goes on until all batches are done, and each run stands in the audit log with its counts", async () => {
    await run(
      `INSERT INTO contact_messages (name, email, message, created_at)
       SELECT 'Ada', 'old@example.com', 'Hello?', now() - interval '4 years' FROM generate_series(1, 2500)`,
    );
    expect((await applyRetention(shop.db))?.messages).toBe(2500);
    expect(await lastRetention(shop.db)).toMatchObject({ at: expect.any(Date), counts: { messages: 2500 } });
    await applyRetention(shop.db);
    expect((await lastRetention(shop.db))?.counts).not.toHaveProperty("messages");
    const { rows } = await run("SELECT staff_id FROM audit_log WHERE action = 'privacy.retention'");
    expect(rows.every(({ staff_id }) => staff_id === null)).toBe(true);
  });

  it("forgets from where staff signed in and acted after 90 days, and keeps when they were last here", async () => {
    const { staffId, sessionId } = await make("support");
    const session = async (daysAgo: number) =>
      (
        await run(
          `INSERT INTO staff_sessions (user_id, token_hash, created_at, last_seen_at, ip_address, user_agent)
           VALUES ($1, $2, now() - $3 * interval '1 day', now() - $3 * interval '1 day', '203.0.113.7', 'a browser') RETURNING id`,
          [staffId, randomUUID(), daysAgo],
        )
      ).rows[0].id;
    await run("DELETE FROM staff_sessions WHERE id = $1", [sessionId]);
    const [recent, old, older] = [await session(89), await session(91), await session(100)];
    const { staffId: away } = await make("support");
    await run("UPDATE staff_sessions SET created_at = now() - interval '1 year', ip_address = 'x' WHERE user_id = $1", [
      away,
    ]);
    for (const days of [89, 91]) {
      await run(
        "INSERT INTO audit_log (at, staff_id, action, address) VALUES (now() - $2 * interval '1 day', $1, 'test', '203.0.113.7')",
        [staffId, days],
      );
    }
    await run(
      `INSERT INTO staff_invitations (email, role, token_hash, expires_at) VALUES ('a@example.com', 'packer', 'a', now() - interval '91 days'),
       ('b@example.com', 'packer', 'b', now())`,
    );
    await applyRetention(shop.db);
    const left = (await run("SELECT id, ip_address FROM staff_sessions WHERE user_id = $1", [staffId])).rows;
    expect(left).toEqual([{ id: recent, ip_address: "203.0.113.7" }]);
    expect([old, older]).not.toContain(left[0].id);
    expect((await run("SELECT ip_address FROM staff_sessions WHERE user_id = $1", [away])).rows).toEqual([
      { ip_address: null },
    ]);
    const { rows } = await run("SELECT address FROM audit_log WHERE staff_id = $1 ORDER BY at", [staffId]);
    expect(rows).toEqual([{ address: null }, { address: "203.0.113.7" }]);
    expect((await run("SELECT email FROM staff_invitations")).rows).toEqual([{ email: "b@example.com" }]);
  });
});

describe("a customer on one page", () => {
  it("has orders, messages, cart, wishes and place on the waitlist, and no secret; opening it is noted once", async () => {
    const email = someEmail();
    const id = await account(email);
    const [own, asGuest] = [await order(email, id), await order(email)];
    await write(email);
    await run(
      "INSERT INTO accounts (user_id, account_id, provider_id, password) VALUES ($1, 'x', 'credential', 'hash!')",
      [id],
    );
    await run("INSERT INTO waitlist (user_id, email, utm_source) VALUES ($1, $2, 'friend')", [id, email]);
    await run("INSERT INTO wishlists (user_id, product_id) SELECT $1, id FROM products WHERE slug = 'travel-sleeve'", [
      id,
    ]);
    await run(
      "INSERT INTO cart_items (user_id, product_id, quantity) SELECT $1, id, 3 FROM products WHERE slug = 'travel-sleeve'",
      [id],
    );
    await run("INSERT INTO sessions (user_id, token, expires_at) VALUES ($1, 'token!', now() + interval '1 day')", [
      id,
    ]);
    const person = await openCustomer(shop.db, grace, id);
    expect(person).toMatchObject({
      account: { name: "Ada Lovelace", email, waitlistSource: "friend", hasSecondFactor: false },
      orders: expect.arrayContaining([
        expect.objectContaining({ id: own, isGuest: false }),
        expect.objectContaining({ id: asGuest, isGuest: true }),
      ]),
      messages: [{ begins: "Hello?", status: "open" }],
      cart: [{ name: "Travel Sleeve", quantity: 3 }],
      wishlist: ["Travel Sleeve"],
      devices: 1,
    });
    expect(JSON.stringify(person)).not.toMatch(/hash!|token!/);
    await openCustomer(shop.db, grace, id);
    expect(await audited(`customer:${id}`)).toEqual(["customer.open"]);
    expect(await openCustomer(shop.db, grace, randomUUID())).toBeNull();
    expect(await openGuest(shop.db, grace, "nobody@example.com")).toEqual({ orders: [], messages: [], requests: [] });
    expect(await audited("guest:n•••@example.com")).toEqual(["customer.open"]);
  });
});

describe("the lists of customers", () => {
  it("has accounts newest first, by how their email or name begins", async () => {
    await run("TRUNCATE users, orders CASCADE");
    await run(
      `INSERT INTO users (email, name, first_name, last_name, created_at)
       SELECT 'c' || i || '@example.com', 'Ada%_ Last' || i, 'Ada', 'Last' || i, now() - i * interval '1 minute' FROM generate_series(1, 60) i`,
    );
    const first = await listCustomers(shop.db, "");
    expect(first).toHaveLength(CUSTOMERS_PAGE + 1);
    expect((await listCustomers(shop.db, "", first[CUSTOMERS_PAGE - 1]?.id)).map(({ email }) => email)).toEqual(
      [51, 52, 53, 54, 55, 56, 57, 58, 59, 60].map((i) => `c${i}@example.com`),
    );
    for (const search of ["C42@", "last42", "ada%_ last42"]) {
      expect([search, (await listCustomers(shop.db, search)).map(({ email }) => email)]).toEqual([
        search,
        ["c42@example.com"],
      ]);
    }
    expect(await listCustomers(shop.db, "%")).toEqual([]);
  });

  it("has guests by their email, each once", async () => {
    for (let i = 10; i < 65; i++) await order(`Guest${i}@example.com`);
    await order("guest12@EXAMPLE.com");
    await order("", null);
    const first = await listGuests(shop.db, "");
    expect(first).toHaveLength(GUESTS_PAGE + 1);
    expect(first[2]).toMatchObject({ email: "guest12@example.com", orders: 2 });
    const rest = await listGuests(shop.db, "", first[GUESTS_PAGE - 1]?.email);
    expect(rest.map(({ email }) => email)).toEqual([60, 61, 62, 63, 64].map((i) => `guest${i}@example.com`));
    expect((await listGuests(shop.db, "GUEST3")).map(({ email }) => email)).toHaveLength(10);
  });
});
