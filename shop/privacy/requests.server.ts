/** Requests for data or deletion: registered once, answered in time, and what was done to each stands in the audit log. */
import { and, asc, desc, eq, lt, or, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "../../db/connection.server.ts";
import { users } from "../accounts/account.tables.ts";
import { enqueueEmail } from "../mail/enqueue-email.server.ts";
import type { MailPermit } from "../mail/mail-budget.server.ts";
import { maskEmail } from "../orders/mask.ts";
import { writeAudit, type Acting, type AuditEntry } from "../staff/audit.server.ts";
import { emailHash } from "./email-hash.server.ts";
import type { NewRequest } from "./request-form.ts";
import { dueAt, LAW_DAYS } from "./request-clock.ts";
import { SOON_DAYS, type RequestProof } from "./request.ts";
import { privacyRequests } from "./request.tables.ts";

export const REQUESTS_PAGE = 50;

export type PrivacyRequest = typeof privacyRequests.$inferSelect;
export type ListedRequest = PrivacyRequest & { staffName: string | null };

const rows = (db: Database) =>
  db
    .select({ request: privacyRequests, staffName: users.name })
    .from(privacyRequests)
    .leftJoin(users, eq(users.id, privacyRequests.staffId));
const flat = ({ request, staffName }: { request: PrivacyRequest; staffName: string | null }): ListedRequest => ({
  ...request,
  staffName,
});

const isOpen = sql`${privacyRequests.state} = 'open'`;

/** The open ones, those first that are due first; there are never many. */
export const listOpenRequests = async (db: Database): Promise<ListedRequest[]> =>
  (await rows(db).where(isOpen).orderBy(asc(privacyRequests.dueAt), asc(privacyRequests.id)).limit(500)).map(flat);

/** One page of the answered ones, the newest first, and one more where there are more; `after` is an id. */
export async function listClosedRequests(db: Database, after?: string): Promise<ListedRequest[]> {
  const last = after ? await readRequest(db, after) : null;
  const { closedAt, id } = privacyRequests;
  const older = last?.closedAt
    ? or(lt(closedAt, last.closedAt), and(eq(closedAt, last.closedAt), lt(id, last.id)))
    : undefined;
  const page = rows(db).where(and(sql`${closedAt} IS NOT NULL`, older));
  return (await page.orderBy(desc(closedAt), desc(id)).limit(REQUESTS_PAGE + 1)).map(flat);
}

export async function readRequest(db: Database, id: string): Promise<ListedRequest | null> {
  const [found] = await rows(db).where(eq(privacyRequests.id, id));
  return found ? flat(found) : null;
}

const audit = (tx: DatabaseOrTransaction, by: Acting, id: string, entry: AuditEntry) =>
  writeAudit(tx, by, { subject: `privacy:${id}`, ...entry });

/** Registers a request. The same person has one open request of a kind: asked again it answers with that one. */
export const registerRequest = (
  db: Database,
  by: Acting,
  { receivedOn, ...asked }: NewRequest,
  secret: string,
): Promise<{ id: string; isNew: boolean }> =>
  db.transaction(async (tx) => {
    const due = dueAt(receivedOn, asked.law);
    const values = { ...asked, receivedAt: receivedOn, dueAt: due, emailHash: emailHash(asked.email, secret) };
    const [made] = await tx
      .insert(privacyRequests)
      .values({ ...values, staffId: by.staffId })
      .onConflictDoNothing()
      .returning({ id: privacyRequests.id });
    if (made) {
      const { kind, law, channel, email } = asked;
      const after = { kind, law, channel, email: maskEmail(email), due: due.toISOString() };
      await audit(tx, by, made.id, { action: "privacy.register", after });
      return { id: made.id, isNew: true };
    }
    const [there] = await tx
      .select({ id: privacyRequests.id })
      .from(privacyRequests)
      .where(
        and(
          isOpen,
          eq(privacyRequests.kind, asked.kind),
          eq(sql`lower(${privacyRequests.email})`, asked.email.toLowerCase()),
        ),
      );
    return { id: there!.id, isNew: false };
  });

export type RequestResult = { ok: true } | { ok: false; reason: "not-found" | "closed" | "extended" };

type Done = { set: Partial<typeof privacyRequests.$inferInsert>; entry: AuditEntry } | { reason: "extended" };
type Change = (row: PrivacyRequest, tx: DatabaseOrTransaction) => Promise<Done> | Done;

/** Changes an open request under its lock. Refused: 'not-found', 'closed'. */
const change = (db: Database, by: Acting, id: string, act: Change): Promise<RequestResult> =>
  db.transaction(async (tx): Promise<RequestResult> => {
    const [row] = await tx.select().from(privacyRequests).where(eq(privacyRequests.id, id)).for("update");
    if (!row) return { ok: false, reason: "not-found" };
    if (row.state !== "open") return { ok: false, reason: "closed" };
    const acted = await act(row, tx);
    if ("reason" in acted) return { ok: false, reason: acted.reason };
    await tx
      .update(privacyRequests)
      .set({ ...acted.set, staffId: by.staffId })
      .where(eq(privacyRequests.id, id));
    await audit(tx, by, id, acted.entry);
    return { ok: true };
  });

/** Says how the shop knows that it is they who ask. */
export const proveRequest = (db: Database, by: Acting, id: string, proof: RequestProof) =>
  change(db, by, id, (row) => ({
    set: { proof },
    entry: { action: "privacy.prove", before: { proof: row.proof }, after: { proof } },
  }));

const withNote = (row: PrivacyRequest, note: string) => [row.note, note].filter(Boolean).join("\n");

/** Adds to what was noted: nobody overwrites a colleague's words. */
export const noteRequest = (db: Database, by: Acting, id: string, note: string) =>
  change(db, by, id, (row) => ({ set: { note: withNote(row, note) }, entry: { action: "privacy.note" } }));

/** Takes the further time that the law allows, once, and mails them why. Refused: 'extended' where it was taken before. */
export const extendRequest = (db: Database, by: Acting, id: string, reason: string, permit: MailPermit) =>
  change(db, by, id, async (row, tx) => {
    if (row.extendedAt) return { reason: "extended" };
    const until = new Date(row.dueAt.getTime() + LAW_DAYS[row.law].extension * 86_400_000);
    await enqueueEmail(tx, { template: "request-extended", requestId: id }, permit);
    return {
      set: { dueAt: until, extendedAt: new Date(), extensionReason: reason },
      entry: {
        action: "privacy.extend",
        before: { due: row.dueAt.toISOString() },
        after: { due: until.toISOString() },
      },
    };
  });

/** Answered, or refused with what was noted. Closing it again changes nothing. */
export const closeRequest = (
  db: Database,
  by: Acting,
  id: string,
  { state, note }: { state: "done" | "refused"; note: string | null },
) =>
  change(db, by, id, (row) => ({
    set: { state, closedAt: new Date(), ...(note && { note: withNote(row, note) }) },
    entry: { action: "privacy.close", after: { state } },
  }));

const SHOWN = 5;
export type DueRequests = { count: number; late: number; first: Pick<PrivacyRequest, "id" | "kind" | "dueAt">[] };

/** Open requests that are due within SOON_DAYS or late, at most five of them: for the screen of what needs a hand. */
export async function requestsDue(db: Database): Promise<DueRequests> {
  const { id, kind, dueAt: due } = privacyRequests;
  const found = await db
    .select({
      id,
      kind,
      dueAt: due,
      count: sql<number>`(count(*) OVER ())::int`,
      late: sql<number>`(count(*) FILTER (WHERE ${due} < now()) OVER ())::int`,
    })
    .from(privacyRequests)
    .where(and(isOpen, sql`${due} < now() + ${SOON_DAYS} * interval '1 day'`))
    .orderBy(asc(due), asc(id))
    .limit(SHOWN);
  const { count = 0, late = 0 } = found[0] ?? {};
  return { count, late, first: found.map(({ count: _count, late: _late, ...row }) => row) };
}
