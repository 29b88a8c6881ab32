/** Suspension of a customer's account, which the terms reserve. Its orders go on, and links in their emails still work. */
import { eq } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { sessions, users } from "#shop/accounts/account.tables.ts";
import { endResetLinks } from "#shop/accounts/email-links.server.ts";
import type { SuspensionReason } from "#shop/accounts/suspension.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { clock } from "#shop/clock.ts";
import { enqueueEmail, type MailPermit } from "#shop/mail/enqueue-email.server.ts";
import { isStaff } from "./staff.server.ts";

export type SuspensionResult = { ok: true } | { ok: false; reason: "not-found" | "is-staff" | "unchanged" };

/**
 * Suspends an account, or with null ends it, once for two members who do it together. Every session ends at once, and no
 * way to sign in opens another. Without a permit (an unverified email) nobody is emailed. Refused: 'not-found',
 * 'unchanged', 'is-staff'.
 */
export const changeSuspension = (
  db: Database,
  by: Acting,
  userId: string,
  suspensionReason: SuspensionReason | null,
  permit: MailPermit | null,
): Promise<SuspensionResult> =>
  db.transaction(async (tx): Promise<SuspensionResult> => {
    const [user] = await tx
      .select({ was: users.suspensionReason })
      .from(users)
      .where(eq(users.id, userId))
      .for("update");
    if (!user) return { ok: false, reason: "not-found" };
    if ((user.was === null) === (suspensionReason === null)) return { ok: false, reason: "unchanged" };
    if (await isStaff(tx, userId)) return { ok: false, reason: "is-staff" };
    await tx
      .update(users)
      .set({ suspensionReason, suspendedAt: suspensionReason && clock.now() })
      .where(eq(users.id, userId));
    await tx.delete(sessions).where(eq(sessions.userId, userId));
    await endResetLinks(tx, userId);
    if (permit) await enqueueEmail(tx, { template: "account-suspended", userId }, permit);
    await writeAudit(tx, by, {
      action: suspensionReason ? "customer.suspend" : "customer.reinstate",
      subject: `customer:${userId}`,
      before: { reason: user.was },
      after: { reason: suspensionReason },
    });
    return { ok: true };
  });
