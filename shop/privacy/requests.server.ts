/**
 * Privacy requests: registered once, answered in time, audited, and fulfilled once the identity is proven. Opting out of
 * arbitration is one that is done once it is recorded.
 */
import { and, asc, desc, eq, getTableColumns, inArray, isNull, lt, ne, or, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { clock } from "#shop/clock.ts";
import { enqueueEmail, type MailPermit } from "#shop/mail/enqueue-email.server.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { maskEmail } from "#shop/orders/order.ts";
import { wasConfirmed } from "#shop/orders/stage.sql.ts";
import { policy } from "#shop/policies.ts";
import { writeAudit, type Acting, type AuditEntry } from "#shop/audit/audit.server.ts";
import { accountOf } from "#shop/accounts/customers.server.ts";
import { guestOrders, ordersAbout } from "#shop/orders/history.server.ts";
import { signed } from "#shop/purpose-key.server.ts";
import { ROLES } from "#shop/roles.ts";
import { may } from "#shop/staff/permissions.ts";
import { staff } from "#shop/staff/staff.tables.ts";
import { newYorkDate, today } from "#shop/new-york-time.sql.ts";
import { countUnshipped, eraseCustomer, eraseGuest } from "./erase-account.server.ts";
import { exportCustomer, exportGuest } from "./export.server.ts";
import { dueAt, LAW_DAYS, type NewRequest, SOON_DAYS } from "./request.ts";
import { privacyRequests } from "./request.tables.ts";

export const REQUESTS_PAGE = 50;

export type PrivacyRequest = typeof privacyRequests.$inferSelect;
export type ListedRequest = PrivacyRequest & { staffName: string | null };

const rows = (db: Database) =>
  db
    .select({ ...getTableColumns(privacyRequests), staffName: users.name })
    .from(privacyRequests)
    .leftJoin(users, eq(users.id, privacyRequests.staffId));

const isOpen = sql`${privacyRequests.state} = 'open'`;

/** Open requests, earliest deadline first. */
export const listOpenRequests = (db: Database): Promise<ListedRequest[]> =>
  rows(db).where(isOpen).orderBy(asc(privacyRequests.dueAt), asc(privacyRequests.id)).limit(500);

/** A page of closed requests, newest first, and one row more if another page follows; `after` is an id. */
export async function listClosedRequests(db: Database, after?: string): Promise<ListedRequest[]> {
  const last = after ? await readRequest(db, after) : null;
  const { closedAt, id } = privacyRequests;
  const older = last?.closedAt
    ? or(lt(closedAt, last.closedAt), and(eq(closedAt, last.closedAt), lt(id, last.id)))
    : undefined;
  const page = rows(db).where(and(sql`${closedAt} IS NOT NULL`, older));
  return page.orderBy(desc(closedAt), desc(id)).limit(REQUESTS_PAGE + 1);
}

export async function readRequest(db: Database, id: string): Promise<ListedRequest | null> {
  const [found] = await rows(db).where(eq(privacyRequests.id, id));
  return found ?? null;
}

/** A keyed hash, with which a past erasure can be confirmed to its owner. */
export const emailHash = (email: string, secret: string): string =>
  signed(secret, "privacy request", email.toLowerCase());

const audit = (tx: DatabaseOrTransaction, by: Acting | null, id: string, entry: AuditEntry) =>
  writeAudit(tx, by, { subject: `privacy:${id}`, ...entry });

async function insertRequest(
  tx: DatabaseOrTransaction,
  by: Acting | null,
  { receivedOn, ...request }: NewRequest,
  secret: string,
  closed: Pick<typeof privacyRequests.$inferInsert, "state" | "closedAt"> = {},
): Promise<{ id: string; dueAt: Date } | null> {
  const due = dueAt(receivedOn, request.law);
  const values = { ...request, ...closed, receivedAt: receivedOn, dueAt: due };
  const staffId = by?.staffId ?? null;
  const [made] = await tx
    .insert(privacyRequests)
    .values({ ...values, emailHash: emailHash(request.email, secret), staffId, registeredBy: staffId })
    .onConflictDoNothing()
    .returning({ id: privacyRequests.id });
  if (!made) return null;
  const { kind, law, channel, email } = request;
  const after = { kind, law, channel, email: maskEmail(email), due: due.toISOString() };
  await audit(tx, by, made.id, { action: "privacy.register", after });
  return { id: made.id, dueAt: due };
}

/** Registers a request, or returns the open one of the same person and kind. `by` is null for the customer. */
export const registerRequest = (
  db: Database,
  by: Acting | null,
  request: NewRequest,
  secret: string,
): Promise<{ id: string; isNew: boolean; dueAt: Date }> =>
  db.transaction(async (tx) => {
    const made = await insertRequest(tx, by, request, secret);
    if (made) return { ...made, isNew: true };
    const [there] = await tx
      .select({ id: privacyRequests.id, dueAt: privacyRequests.dueAt })
      .from(privacyRequests)
      .where(
        and(
          isOpen,
          eq(privacyRequests.kind, request.kind),
          eq(sql`lower(${privacyRequests.email})`, request.email.toLowerCase()),
        ),
      );
    return { ...there!, isNew: false };
  });

/** Last day (YYYY-MM-DD, New York) on which a notice of this email is in time; null before a first purchase. */
async function lastOptOutDay(db: DatabaseOrTransaction, email: string): Promise<string | null> {
  const { rows: found } = await db.execute<{ first: string | null }>(sql`
    SELECT ${newYorkDate(sql`min(o.created_at)`)}::text AS first FROM orders o
    WHERE ${wasConfirmed} AND (
      (o.user_id IS NULL AND lower(o.email) = lower(${email}::text))
      OR o.user_id = (SELECT id FROM users u WHERE u.email = lower(${email}::text)))`);
  const first = found[0]?.first;
  return first ? daysAfter(first, policy.arbitrationOptOutDays) : null;
}

type OptOutResult = { ok: true } | { ok: false; reason: "known" } | { ok: false; reason: "late"; until: string };

/** Records a notice of opting out of arbitration, closed at once, and confirms it by email. Refused: 'known', 'late'. */
export const recordOptOut = (
  db: Database,
  by: Acting,
  optOut: NewRequest,
  secret: string,
  permit: MailPermit,
): Promise<OptOutResult> =>
  db.transaction(async (tx): Promise<OptOutResult> => {
    const until = await lastOptOutDay(tx, optOut.email);
    if (until && newYorkDay(optOut.receivedOn) > until) return { ok: false, reason: "late", until };
    const made = await insertRequest(tx, by, optOut, secret, { state: "done", closedAt: clock.now() });
    if (!made) return { ok: false, reason: "known" };
    await enqueueEmail(tx, { template: "arbitration-opt-out", requestId: made.id }, permit);
    return { ok: true };
  });

type Refusal = {
  ok: false;
  reason:
    | ("not-found" | "closed" | "other-kind" | "own-request" | "extended" | "not-proven")
    | ("is-staff" | "unsettled" | "not-erased");
};
export type RequestResult = { ok: true } | Refusal;

type Done =
  | { set: Partial<typeof privacyRequests.$inferInsert>; entry: AuditEntry }
  | { reason: "extended" | "own-request" };
type Change = (row: PrivacyRequest, tx: DatabaseOrTransaction) => Promise<Done> | Done;

/** Locks an open request and changes it. Refused: 'not-found', 'closed'. */
const change = (db: Database, by: Acting, id: string, make: Change): Promise<RequestResult> =>
  db.transaction(async (tx): Promise<RequestResult> => {
    const [row] = await tx.select().from(privacyRequests).where(eq(privacyRequests.id, id)).for("update");
    if (!row) return { ok: false, reason: "not-found" };
    if (row.state !== "open") return { ok: false, reason: "closed" };
    const changed = await make(row, tx);
    if ("reason" in changed) return { ok: false, reason: changed.reason };
    await tx
      .update(privacyRequests)
      .set({ ...changed.set, staffId: by.staffId })
      .where(eq(privacyRequests.id, id));
    await audit(tx, by, id, changed.entry);
    return { ok: true };
  });

const HANDLERS = ROLES.filter((role) => may(role, "privacy:handle"));

/** True if another member must record the proof: the one who registered the request may not, unless they work alone. */
export async function needsOtherProver(
  db: DatabaseOrTransaction,
  { registeredBy }: Pick<PrivacyRequest, "registeredBy">,
  staffId: string,
): Promise<boolean> {
  const others = and(ne(staff.userId, staffId), isNull(staff.disabledAt), inArray(staff.role, HANDLERS));
  return registeredBy === staffId && (await db.$count(staff, others)) > 0;
}

/** Records the proof of identity. Refused: 'own-request'. */
export const proveRequest = (db: Database, by: Acting, id: string, proof: PrivacyRequest["proof"]) =>
  change(db, by, id, async (row, tx) => {
    if (await needsOtherProver(tx, row, by.staffId)) return { reason: "own-request" };
    return {
      set: { proof },
      entry: { action: "privacy.prove", before: { proof: row.proof }, after: { proof } },
    };
  });

const withNote = (row: PrivacyRequest, note: string) => [row.note, note].filter(Boolean).join("\n");

/** Appends a note. */
export const noteRequest = (db: Database, by: Acting, id: string, note: string) =>
  change(db, by, id, (row) => ({ set: { note: withNote(row, note) }, entry: { action: "privacy.note" } }));

/** Uses the single legal extension and emails the reason. Refused: 'extended'. */
export const extendRequest = (db: Database, by: Acting, id: string, reason: string, permit: MailPermit) =>
  change(db, by, id, async (row, tx) => {
    if (row.extendedAt) return { reason: "extended" };
    const until = new Date(row.dueAt.getTime() + LAW_DAYS[row.law].extension * 86_400_000);
    await enqueueEmail(tx, { template: "request-extended", requestId: id }, permit);
    return {
      set: { dueAt: until, extendedAt: clock.now(), extensionReason: reason },
      entry: {
        action: "privacy.extend",
        before: { due: row.dueAt.toISOString() },
        after: { due: until.toISOString() },
      },
    };
  });

type Closing = { state: "done" | "refused"; answer?: { text: string; permit: MailPermit } | null };

/** True if the shop knows an email by more than its privacy requests. */
export async function hasData(db: Database, email: string): Promise<boolean> {
  const { requests: _requests, email: _email, ...found } = await exportGuest(db, email);
  return Object.values(found).some(({ length }) => length > 0) || (await accountOf(db, email)) !== null;
}

/**
 * Closes a request as answered or refused, and emails the answer if there is one. Refused if it is closed, and with
 * 'not-erased' if a deletion is to be done: erasing the data closes its request.
 */
export async function closeRequest(
  db: Database,
  by: Acting,
  id: string,
  { state, answer }: Closing,
): Promise<RequestResult> {
  const asked = await readRequest(db, id);
  const isDeletion = asked?.kind === "deletion" && asked.state === "open" && state === "done";
  if (isDeletion && asked.email && (await hasData(db, asked.email))) return { ok: false, reason: "not-erased" };
  return change(db, by, id, async (_row, tx) => {
    if (answer) await enqueueEmail(tx, { template: "request-answered", requestId: id }, answer.permit);
    return {
      set: { state, closedAt: clock.now(), answer: answer?.text ?? null },
      entry: { action: "privacy.close", after: { state } },
    };
  });
}

/** Open requests with a customer's email, for its verified owner. */
export const openRequestsOf = (db: Database, email: string) =>
  db
    .select({ id: privacyRequests.id, kind: privacyRequests.kind, dueAt: privacyRequests.dueAt })
    .from(privacyRequests)
    .where(and(isOpen, eq(sql`lower(${privacyRequests.email})`, email.toLowerCase())))
    .orderBy(asc(privacyRequests.dueAt));

const SHOWN = 5;
type DueRequests = { count: number; late: number; first: Pick<PrivacyRequest, "id" | "kind" | "dueAt">[] };

/** Up to five open requests due within SOON_DAYS or late, for Today. */
export async function requestsDue(db: Database): Promise<DueRequests> {
  const { id, kind, dueAt: due } = privacyRequests;
  const found = await db
    .select({
      id,
      kind,
      dueAt: due,
      count: sql<number>`(count(*) OVER ())::int`,
      late: sql<number>`(count(*) FILTER (WHERE ${newYorkDate(due)} < ${today}) OVER ())::int`,
    })
    .from(privacyRequests)
    .where(and(isOpen, sql`${due} < now() + ${SOON_DAYS} * interval '1 day'`))
    .orderBy(asc(due), asc(id))
    .limit(SHOWN);
  const { count = 0, late = 0 } = found[0] ?? {};
  return { count, late, first: found.map(({ count: _count, late: _late, ...row }) => row) };
}

/** The email of an open, proven request of a kind, which stays locked. */
async function ready(
  db: DatabaseOrTransaction,
  id: string,
  kind: PrivacyRequest["kind"],
): Promise<{ ok: true; email: string } | Refusal> {
  const [request] = await db.select().from(privacyRequests).where(eq(privacyRequests.id, id)).for("update");
  if (!request) return { ok: false, reason: "not-found" };
  if (request.state !== "open" || !request.email) return { ok: false, reason: "closed" };
  if (request.kind !== kind) return { ok: false, reason: "other-kind" };
  return request.proof ? { ok: true, email: request.email } : { ok: false, reason: "not-proven" };
}

/** The person of a proven email, with or without an account. */
const ownerOf = async (db: DatabaseOrTransaction, email: string) => {
  const id = await accountOf(db, email);
  return id ? { id, email: email.toLowerCase(), emailVerified: true } : null;
};

/** The export file of an open data request. Refused: 'not-found', 'closed', 'other-kind', 'not-proven'. */
export async function exportRequested(
  db: Database,
  by: Acting,
  id: string,
): Promise<{ ok: true; file: object } | Refusal> {
  const found = await ready(db, id, "data");
  if (!found.ok) return found;
  await audit(db, by, id, { action: "privacy.export" });
  const owner = await ownerOf(db, found.email);
  return { ok: true, file: owner ? await exportCustomer(db, owner) : await exportGuest(db, found.email) };
}

/** Preview of an erasure: orders to cancel, and whether there is an account. */
export async function beforeErasing(db: Database, email: string): Promise<{ unshipped: number; hasAccount: boolean }> {
  const owner = await ownerOf(db, email);
  const which = owner ? ordersAbout(owner) : guestOrders(email);
  return { unshipped: await countUnshipped(db, which), hasAccount: owner !== null };
}

/**
 * Erases the person of an open deletion request and emails them, in one transaction. The request keeps a keyed hash of
 * the email. Refused: as exportRequested and eraseCustomer.
 */
export const eraseRequested = (db: Database, by: Acting, id: string, permit: MailPermit): Promise<RequestResult> =>
  db.transaction(async (tx): Promise<RequestResult> => {
    const found = await ready(tx, id, "deletion");
    if (!found.ok) return found;
    const { email } = found;
    const owner = await ownerOf(tx, email);
    const erased = owner ? await eraseCustomer(tx, owner, "staff") : await eraseGuest(tx, email);
    if (!erased.ok) return erased;
    await tx.update(privacyRequests).set({ staffId: by.staffId }).where(eq(privacyRequests.id, id));
    await audit(tx, by, id, { action: "privacy.erase", after: { account: owner !== null } });
    await enqueueEmail(tx, { template: owner ? "account-deleted" : "data-deleted", email }, permit);
    return { ok: true };
  });
