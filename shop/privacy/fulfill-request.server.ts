/** Carries out what somebody asked about their data, once it is known that it is they who ask. */
import { and, eq } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { accountOf } from "../accounts/list-customers.server.ts";
import { enqueueEmail } from "../mail/enqueue-email.server.ts";
import type { MailPermit } from "../mail/mail-budget.server.ts";
import { isCancelable } from "../orders/cancel.server.ts";
import { guestOrders, ordersAbout } from "../orders/history.server.ts";
import { orders } from "../orders/order.tables.ts";
import { writeAudit, type Acting } from "../staff/audit.server.ts";
import { eraseCustomer, eraseGuest } from "./erase-account.server.ts";
import { exportCustomer, exportGuest } from "./export.server.ts";
import { privacyRequests } from "./request.tables.ts";
import type { PrivacyRequest } from "./requests.server.ts";

export type FulfillRefusal = { ok: false; reason: "not-found" | "closed" | "not-proven" | "is-staff" };
type Ready = { request: PrivacyRequest; email: string };

const isRefusal = (found: Ready | FulfillRefusal): found is FulfillRefusal => "ok" in found;

async function ready(db: Pick<Database, "select">, id: string, isLocked = false): Promise<Ready | FulfillRefusal> {
  const query = db.select().from(privacyRequests).where(eq(privacyRequests.id, id));
  const [request] = await (isLocked ? query.for("update") : query);
  if (!request) return { ok: false, reason: "not-found" };
  if (request.state !== "open" || !request.email) return { ok: false, reason: "closed" };
  if (!request.proof) return { ok: false, reason: "not-proven" };
  return { request, email: request.email };
}

/** What there is of an email: who asked has proved that it is theirs, as a customer with a verified one has. */
const ownerOf = async (db: Pick<Database, "execute">, email: string) => {
  const id = await accountOf(db, email);
  return id ? { id, email: email.toLowerCase(), emailVerified: true } : null;
};

/** The file of an open request for data, as the customer's own download. Refused: 'not-found', 'closed', 'not-proven'. */
export async function exportRequested(
  db: Database,
  by: Acting,
  id: string,
): Promise<{ ok: true; file: object } | FulfillRefusal> {
  const found = await ready(db, id);
  if (isRefusal(found)) return found;
  await writeAudit(db, by, { action: "privacy.export", subject: `privacy:${id}` });
  const owner = await ownerOf(db, found.email);
  return { ok: true, file: owner ? await exportCustomer(db, owner) : await exportGuest(db, found.email) };
}

/** What erasing an email would cancel, and whether it has an account. */
export async function beforeErasing(db: Database, email: string): Promise<{ unshipped: number; hasAccount: boolean }> {
  const owner = await ownerOf(db, email);
  const theirs = owner ? ordersAbout(owner) : guestOrders(email);
  return { unshipped: await db.$count(orders, and(theirs, isCancelable)), hasAccount: owner !== null };
}

/**
 * Erases the person of an open request for deletion, with or without an account, and mails them that it is done: all in one
 * transaction. The request keeps no more than a keyed hash of their email. Refused: as exportRequested, and 'is-staff'.
 */
export const eraseRequested = (
  db: Database,
  by: Acting,
  id: string,
  permit: MailPermit,
): Promise<{ ok: true } | FulfillRefusal> =>
  db.transaction(async (tx): Promise<{ ok: true } | FulfillRefusal> => {
    const found = await ready(tx, id, true);
    if (isRefusal(found)) return found;
    const { email } = found;
    const owner = await ownerOf(tx, email);
    const erased = owner ? await eraseCustomer(tx, owner, "staff") : await eraseGuest(tx, email);
    if (erased && !erased.ok) return erased;
    await tx.update(privacyRequests).set({ staffId: by.staffId }).where(eq(privacyRequests.id, id));
    await writeAudit(tx, by, { action: "privacy.erase", subject: `privacy:${id}`, after: { account: owner !== null } });
    const job = owner
      ? ({ template: "account-deleted", email } as const)
      : ({ template: "data-deleted", email } as const);
    await enqueueEmail(tx, job, permit);
    return { ok: true };
  });
