/** The note of the staff about a customer: one text, which the customer gets with their data. */
import { eq } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { profiles, users } from "#shop/accounts/account.tables.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";

export type NoteResult =
  | { ok: true }
  | { ok: false; reason: "not-found" }
  | { ok: false; reason: "changed"; now: string };

/**
 * Replaces the note `was`, and never one that a colleague wrote meanwhile, which the refusal `changed` returns as `now`.
 * The audit log does not repeat it.
 */
export const saveCustomerNote = (
  db: Database,
  by: Acting,
  userId: string,
  { note, was }: { note: string; was: string },
): Promise<NoteResult> =>
  db.transaction(async (tx): Promise<NoteResult> => {
    const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
    if (!user) return { ok: false, reason: "not-found" };
    const [profile] = await tx.select().from(profiles).where(eq(profiles.id, userId));
    const now = profile?.staffNote ?? "";
    if (now === note) return { ok: true };
    if (now !== was) return { ok: false, reason: "changed", now };
    await tx
      .insert(profiles)
      .values({ id: userId, staffNote: note })
      .onConflictDoUpdate({ target: profiles.id, set: { staffNote: note } });
    await writeAudit(tx, by, { action: "customer.note", subject: `customer:${userId}` });
    return { ok: true };
  });
