import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { anyPermit } from "#tests/support/mail-permit.ts";
import { makeAccount, makeOrder, someEmail } from "#tests/support/people.ts";
import { makeStaff } from "#tests/support/staff-member.ts";
import { policy } from "#shop/policies.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { deleteAccount } from "./erase-account.server.ts";
import { beforeErasing, eraseRequested, exportRequested } from "./requests.server.ts";
import { openCustomer, openGuest } from "./person.server.ts";
import { privacyEmails } from "./privacy-emails.server.ts";
import { dueAt, type NewRequest, requestSchema, urgency } from "./request.ts";
import {
  closeRequest,
  emailHash,
  extendRequest,
  listClosedRequests,
  listOpenRequests,
  noteRequest,
  proveRequest,
  readRequest,
  recordOptOut,
  registerRequest,
  requestsDue,
} from "./requests.server.ts";
import { daysAfter } from "#shop/new-york-time.ts";
import { dayText } from "#shop/policy-text.ts";
import { applyRetention } from "./retention.server.ts";
import { ADD_UNITS } from "#tests/support/units.ts";

const SECRET = "a secret that only tests know, and long enough";
const shop = useFreshDatabase(5);
const run = (text: string, values: unknown[] = []) => shop.pool.query(text, values);
const make = (role: "owner" | "support") => makeStaff(shop, { url: "http://localhost", secret: SECRET }, role);
const acting = async (role: "owner" | "support"): Promise<Acting> => {
  const { staffId } = await make(role);
  return { staffId, role, address: "203.0.113.7", requestId: "a-request" };
};
let grace: Acting;
let mary: Acting;
beforeAll(async () => {
  [grace, mary] = [await acting("owner"), await acting("support")];
});

const DAY_MS = 86_400_000;
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
  (await registerRequest(shop.db, mary, asked(more), SECRET)).id;

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
  it("has the privacy policy's number of days from its receipt", () => {
    const receivedOn = new Date("2026-03-01T12:00:00Z");
    expect(dueAt(receivedOn, "gdpr").getTime() - receivedOn.getTime()).toBe(policy.gdprResponseDays * DAY_MS);
    expect(dueAt(receivedOn, "ccpa").getTime() - receivedOn.getTime()).toBe(policy.ccpaResponseDays * DAY_MS);
    const now = new Date("2026-03-20T12:00:00Z");
    const at = (days: number) => urgency(new Date(now.getTime() + days * DAY_MS), now);
    expect([at(-1), at(-0.1), at(6.9), at(7.1)]).toEqual(["late", "soon", "soon", "open"]);
  });

  it("refuses a future day, or none", () => {
    const messages = (fields: object) =>
      requestSchema
        .safeParse({ ...asked(), receivedOn: "2026-03-01", note: "", ...fields })
        .error?.issues.map(({ message }) => message);
    expect(messages({})).toBeUndefined();
    expect(messages({ receivedOn: "2999-01-01" })).toEqual(["This date is in the future"]);
    for (const receivedOn of ["", "0026-11-27", "2026-02-30"])
      expect(messages({ receivedOn })).toEqual(["Enter the date it was received"]);
    expect(messages({ receivedOn: "soon", law: "none" })).toEqual(["Choose a law", "Enter the date it was received"]);
    expect(messages({ kind: "arbitration-opt-out" })).toEqual(["Enter the name and address in the notice"]);
  });
});

describe("a request", () => {
  it("is registered once, proved, noted and closed, each in the audit log without the email", async () => {
    const email = someEmail();
    const id = await register({ email });
    expect(await registerRequest(shop.db, grace, asked({ email: email.toUpperCase() }), SECRET)).toMatchObject({
      id,
      isNew: false,
    });
    await proveRequest(shop.db, grace, id, "wrote");
    await Promise.all(["One.", "Two."].map((note) => noteRequest(shop.db, grace, id, note)));
    const answer = { text: "Not theirs.", permit: anyPermit };
    expect(await closeRequest(shop.db, grace, id, { state: "refused", answer })).toEqual({ ok: true });
    expect(await closeRequest(shop.db, grace, id, { state: "done" })).toEqual({
      ok: false,
      reason: "closed",
    });
    const request = await readRequest(shop.db, id);
    const answered = { state: "refused", answer: "Not theirs." };
    expect(request).toMatchObject({ ...answered, proof: "wrote", email, emailHash: emailHash(email, SECRET) });
    for (const words of ["Ada wrote by hand.", "One.", "Two."]) expect(request?.note).toContain(words);
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

  it("is extended once, with an email about the reason", async () => {
    const email = someEmail();
    const id = await register({ email, law: "ccpa", kind: "data" });
    const before = (await readRequest(shop.db, id))!.dueAt.getTime();
    const extend = () => extendRequest(shop.db, grace, id, "the archive is slow.", anyPermit);
    expect(await Promise.all([extend(), extend()])).toEqual(
      expect.arrayContaining([{ ok: true }, { ok: false, reason: "extended" }]),
    );
    expect((await readRequest(shop.db, id))!.dueAt.getTime() - before).toBe(45 * DAY_MS);
    const shopOf = { baseUrl: "http://localhost:3000", secret: SECRET };
    await run("UPDATE privacy_requests SET due_at = '2027-03-03 02:00Z' WHERE id = $1", [id]);
    const mail = await privacyEmails["request-extended"].write(shop.db, { requestId: id }, shopOf);
    expect(mail).toMatchObject({ to: email, text: expect.stringContaining("The reason: the archive is slow.") });
    expect(mail?.text).toContain("We’ll answer by March 2, 2027,");
  });

  it("that is not carried out here is closed with its answer, which is emailed", async () => {
    const email = someEmail();
    const id = await register({ email, kind: "correction" });
    const answer = { text: "We corrected your name.", permit: anyPermit };
    expect(await closeRequest(shop.db, grace, id, { state: "done", answer })).toEqual({ ok: true });
    const shopOf = { baseUrl: "http://localhost:3000", secret: SECRET };
    const mail = await privacyEmails["request-answered"].write(shop.db, { requestId: id }, shopOf);
    expect(mail).toMatchObject({ to: email, text: expect.stringContaining("We corrected your name.") });
  });

  it("for deletion is not completed by hand while data is left, but declined", async () => {
    const [member, guest, writer, none] = [someEmail(), someEmail(), someEmail(), someEmail()];
    await makeAccount(shop.db, { email: member });
    await makeOrder(shop.db, { email: guest });
    await write(writer);
    for (const email of [member, guest, writer]) {
      const id = await register({ email });
      const answer = { text: "We deleted your data.", permit: anyPermit };
      await proveRequest(shop.db, grace, id, "wrote");
      expect(await closeRequest(shop.db, grace, id, { state: "done", answer })).toEqual({
        ok: false,
        reason: "not-erased",
      });
      expect((await run("SELECT FROM pgboss.job WHERE data->>'requestId' = $1", [id])).rowCount).toBe(0);
      expect(await closeRequest(shop.db, grace, id, { state: "refused", answer })).toEqual({ ok: true });
    }
    const answer = { text: "We have no data of yours.", permit: anyPermit };
    const id = await register({ email: none });
    expect(await closeRequest(shop.db, grace, id, { state: "done", answer })).toEqual({ ok: true });
  });

  it("is listed by due date, and counted until it is closed", async () => {
    await run("DELETE FROM privacy_requests");
    const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
    const ids = [];
    for (const days of [1, 31, 25]) ids.push(await register({ receivedOn: ago(days) }));
    expect((await listOpenRequests(shop.db)).map(({ id }) => id)).toEqual([ids[1], ids[2], ids[0]]);
    expect(await requestsDue(shop.db)).toMatchObject({ count: 2, late: 1, first: [{ id: ids[1] }, { id: ids[2] }] });
  });
});

describe("opting out of arbitration", () => {
  const FIRST = "2026-03-01";
  const LAST = daysAfter(FIRST, policy.arbitrationOptOutDays);
  /** The next day by UTC. */
  const createdAt = new Date(`${FIRST}T23:30:00-05:00`);
  const kind = "arbitration-opt-out";
  const record = (email: string, receivedOn: string) => {
    const typed = { ...asked({ kind, email }), receivedOn };
    return recordOptOut(shop.db, mary, requestSchema.parse(typed), SECRET, anyPermit);
  };
  const recorded = async (email: string) =>
    (await listClosedRequests(shop.db)).filter((request) => request.email === email);

  it.each([
    ["a guest", false],
    ["an account", true],
  ])("of %s counts until the last day after the first purchase, in New York", async (_who, hasAccount) => {
    const email = someEmail();
    const userId = hasAccount ? (await makeAccount(shop.db, { email })).id : null;
    const order = { email: email.toUpperCase(), userId };
    await makeOrder(shop.db, { ...order, createdAt: new Date("2026-01-01"), stage: "expired" });
    await makeOrder(shop.db, { ...order, createdAt: new Date("2026-06-01") });
    await makeOrder(shop.db, { ...order, createdAt });
    expect(await record(email, daysAfter(LAST, 1))).toEqual({ ok: false, reason: "late", until: LAST });
    expect(await recorded(email)).toEqual([]);
    expect(await record(email.toUpperCase(), LAST)).toMatchObject({ ok: true });
    expect(await recorded(email)).toMatchObject([{ kind, law: "terms", state: "done", staffId: mary.staffId }]);
  });

  it("may come before a purchase, is recorded once, audited, and confirmed with its day", async () => {
    const email = someEmail();
    const results = await Promise.all([1, 2].map(() => record(email, FIRST)));
    expect(results).toEqual(expect.arrayContaining([{ ok: true }, { ok: false, reason: "known" }]));
    const [{ id } = { id: "" }] = await recorded(email);
    expect(await audited(`privacy:${id}`)).toEqual(["privacy.register"]);
    const shopOf = { baseUrl: "http://localhost:3000", secret: SECRET };
    const mail = await privacyEmails["arbitration-opt-out"].write(shop.db, { requestId: id }, shopOf);
    expect(mail).toMatchObject({ to: email, text: expect.stringContaining(dayText(FIRST)) });
  });

  it("outlives the account, and is kept for as long as there is an order, and for its years", async () => {
    const email = someEmail();
    const owner = { id: (await makeAccount(shop.db, { email })).id, email, emailVerified: true };
    await record(email, FIRST);
    const before = await recorded(email);
    const aged = async (years: number, days: number) => {
      const at = [years * 12, days, email];
      await run(
        `UPDATE privacy_requests SET created_at = now() - make_interval(months => $1, days => $2),
           closed_at = now() - make_interval(months => $1, days => $2) WHERE email = $3`,
        at,
      );
      const counts = await applyRetention(shop.db);
      return counts?.["arbitration notices"];
    };
    expect(await aged(policy.transactionYears, 1)).toBe(0);
    await deleteAccount(shop.db, owner, null, null);
    expect(await recorded(email)).toMatchObject([{ email, note: before[0]?.note, state: "done" }]);
    await makeOrder(shop.db, { email });
    expect(await aged(policy.transactionYears, 1)).toBe(0);
    await run("DELETE FROM orders WHERE email = $1", [email]);
    expect(await aged(policy.transactionYears, -1)).toBe(0);
    expect(await recorded(email)).toMatchObject([{ email, note: before[0]?.note }]);
    expect(await aged(policy.transactionYears, 1)).toBe(1);
    expect(await recorded(email)).toEqual([]);
  });
});

describe("carrying it out", () => {
  it("requires a proof of identity, and happens once", async () => {
    const id = await register();
    const copy = await register({ kind: "data" });
    expect(await exportRequested(shop.db, grace, copy)).toEqual({ ok: false, reason: "not-proven" });
    expect(await eraseRequested(shop.db, grace, id, anyPermit)).toEqual({ ok: false, reason: "not-proven" });
    await proveRequest(shop.db, grace, id, "answered");
    const erased = await Promise.all([1, 2].map(() => eraseRequested(shop.db, grace, id, anyPermit)));
    expect(erased).toEqual(expect.arrayContaining([{ ok: true }, { ok: false, reason: "closed" }]));
    expect(await exportRequested(shop.db, grace, randomUUID())).toEqual({ ok: false, reason: "not-found" });
  });

  it("does what was asked for, and nothing else", async () => {
    for (const kind of ["data", "deletion"] as const) {
      const email = someEmail();
      const { id: userId } = await makeAccount(shop.db, { email });
      const id = await register({ email, kind });
      await proveRequest(shop.db, grace, id, "wrote");
      const other =
        kind === "data" ? eraseRequested(shop.db, grace, id, anyPermit) : exportRequested(shop.db, grace, id);
      expect(await other).toEqual({ ok: false, reason: "other-kind" });
      expect((await run("SELECT FROM users WHERE id = $1", [userId])).rowCount).toBe(1);
    }
  });

  it.each([
    ["are disabled", "disabled_at = now()", "disabled_at = NULL"],
    ["may not handle requests", "role = 'packer'", "role = 'owner'"],
  ])("needs a second member for the proof, unless all others %s", async (_why, set, reset) => {
    const id = await register();
    expect(await proveRequest(shop.db, mary, id, "wrote")).toEqual({ ok: false, reason: "own-request" });
    await run(`UPDATE staff SET ${set} WHERE user_id <> $1`, [mary.staffId]);
    expect(await proveRequest(shop.db, mary, id, "wrote")).toEqual({ ok: true });
    await run(`UPDATE staff SET ${reset} WHERE user_id <> $1`, [mary.staffId]);
  });

  it("exports an account, or a guest's orders and messages", async () => {
    const [member, guest] = [someEmail(), someEmail()];
    await makeOrder(shop.db, { email: member, userId: (await makeAccount(shop.db, { email: member })).id });
    await makeOrder(shop.db, { email: guest.toUpperCase() });
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
  ])("erases %s, keeps a keyed hash of the request, and sends one email", async (_who, hasAccount) => {
    const email = someEmail();
    const userId = hasAccount ? (await makeAccount(shop.db, { email })).id : null;
    const sent = await makeOrder(shop.db, { email, userId });
    const open = await makeOrder(shop.db, { email, userId, stage: "to-ship" });
    await run(
      "INSERT INTO order_items (order_id, product_id, name, price, quantity) VALUES ($1, $1, 'A bowl', 1900, 1)",
      [open],
    );
    await run(ADD_UNITS);
    const asGuest = await makeOrder(shop.db, { email: email.toUpperCase() });
    await write(email);
    const id = await register({ email });
    const data = await register({ email, kind: "data" });
    await proveRequest(shop.db, grace, id, "document");
    expect(await beforeErasing(shop.db, email)).toEqual({ unshipped: 1, hasAccount });
    expect(await eraseRequested(shop.db, grace, id, anyPermit)).toEqual({ ok: true });
    const { rows } = await run("SELECT * FROM orders WHERE id = ANY($1)", [[sent, open, asGuest]]);
    // Random ids may spell a name.
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
  it("is not erased until an owner has removed its role", async () => {
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
});

describe("a customer on one page", () => {
  it("has orders, returns, messages, cart, wishlist and waitlist, and no secret, and its views are audited once", async () => {
    const email = someEmail();
    const id = (await makeAccount(shop.db, { email })).id;
    const [own, asGuest] = [await makeOrder(shop.db, { email, userId: id }), await makeOrder(shop.db, { email })];
    for (const [number, order] of [
      ["R-7KQ2MX", own],
      ["R-8KQ2MX", asGuest],
      ["R-9KQ2MX", await makeOrder(shop.db, { email: someEmail() })],
    ])
      await run(
        "INSERT INTO returns (number, form_key, kind, order_id, reason, label_by) VALUES ($1, gen_random_uuid(), 'return', $2, 'not-for-me', 'customer')",
        [number, order],
      );
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
      returns: [{ number: "R-8KQ2MX" }, { number: "R-7KQ2MX" }],
      messages: [{ begins: "Hello?", status: "open" }],
      cart: [{ name: "Travel Sleeve", quantity: 3 }],
      wishlist: ["Travel Sleeve"],
      devices: 1,
    });
    expect(JSON.stringify(person)).not.toMatch(/hash!|token!/);
    await openCustomer(shop.db, grace, id);
    expect(await audited(`customer:${id}`)).toEqual(["customer.open"]);
    expect(await openCustomer(shop.db, grace, randomUUID())).toBeNull();
    expect(await openGuest(shop.db, grace, "nobody@example.com")).toEqual({
      note: "",
      tags: [],
      orders: [],
      returns: [],
      spentCents: 0,
      messages: [],
      requests: [],
    });
    expect(await audited("guest:n•••@example.com")).toEqual(["customer.open"]);
  });
});
