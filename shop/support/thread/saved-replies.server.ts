/** Saved replies. An edit of an outdated version is refused. */
import { and, asc, eq, sql } from "drizzle-orm";
import { isUniqueViolation, type Database } from "#db/connection.server.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { savedReplies } from "../contact.tables.ts";

type SavedReply = { id: string; title: string; body: string; version: string };

/** Changes with each edit. */
const version = sql<string>`to_char(${savedReplies.updatedAt} AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS')`;

/** All saved replies, by title. */
export const listSavedReplies = (db: Database): Promise<SavedReply[]> =>
  db
    .select({ id: savedReplies.id, title: savedReplies.title, body: savedReplies.body, version })
    .from(savedReplies)
    .orderBy(asc(savedReplies.title));

type SaveResult = { ok: true } | { ok: false; reason: "changed" | "title-taken" };

/**
 * Adds a reply, or changes the one of this `version`; one that was deleted meanwhile is added again. Refused: 'changed',
 * 'title-taken'.
 */
export async function saveReply(
  db: Database,
  by: Acting,
  { id, version: seen, title, body }: { id: string | null; version: string; title: string; body: string },
): Promise<SaveResult> {
  try {
    return await db.transaction(async (tx): Promise<SaveResult> => {
      const changed = id
        ? await tx
            .update(savedReplies)
            .set({ title, body, updatedAt: sql`clock_timestamp()` })
            .where(and(eq(savedReplies.id, id), eq(version, seen)))
            .returning({ id: savedReplies.id })
        : [];
      const [saved] =
        changed.length > 0
          ? changed
          : await tx
              .insert(savedReplies)
              .values({ ...(id && { id }), title, body })
              .onConflictDoNothing({ target: savedReplies.id })
              .returning({ id: savedReplies.id });
      if (!saved) return { ok: false, reason: "changed" };
      await writeAudit(tx, by, {
        action: "message.saved-reply",
        subject: `saved-reply:${saved.id}`,
        after: { title },
      });
      return { ok: true };
    });
  } catch (error) {
    if (isUniqueViolation(error, "saved_replies_title_unique")) return { ok: false, reason: "title-taken" };
    throw error;
  }
}

export const removeSavedReply = (db: Database, by: Acting, id: string): Promise<void> =>
  db.transaction(async (tx) => {
    const [gone] = await tx
      .delete(savedReplies)
      .where(eq(savedReplies.id, id))
      .returning({ title: savedReplies.title });
    if (!gone) return;
    const before = { title: gone.title };
    await writeAudit(tx, by, { action: "message.saved-reply-removed", subject: `saved-reply:${id}`, before });
  });
