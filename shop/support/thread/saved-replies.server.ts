/** Answers that are written once and sent often. Who changes one is told where a colleague has changed it meanwhile. */
import { and, asc, eq, sql } from "drizzle-orm";
import type { Database } from "../../../db/connection.server.ts";
import { writeAudit, type Acting } from "../../staff/audit.server.ts";
import { savedReplies } from "../contact.tables.ts";

export type SavedReply = { id: string; title: string; body: string; version: string };

/** Changes with each edit; it says which text somebody has seen. */
const version = sql<string>`to_char(${savedReplies.updatedAt} AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS')`;

/** All of them, by title. */
export const listSavedReplies = (db: Database): Promise<SavedReply[]> =>
  db
    .select({ id: savedReplies.id, title: savedReplies.title, body: savedReplies.body, version })
    .from(savedReplies)
    .orderBy(asc(savedReplies.title));

export type SaveResult = { ok: true } | { ok: false; reason: "changed" | "title-taken" };

const isTaken = (error: unknown) =>
  (error as { cause?: { constraint?: string } }).cause?.constraint === "saved_replies_title_unique";

/** Adds an answer, or changes one whose `version` is still the one that was seen. Refused: 'changed', 'title-taken'. */
export async function saveReply(
  db: Database,
  by: Acting,
  { id, version: seen, title, body }: { id: string | null; version: string; title: string; body: string },
): Promise<SaveResult> {
  try {
    return await db.transaction(async (tx): Promise<SaveResult> => {
      const saved = id
        ? await tx
            .update(savedReplies)
            .set({ title, body, updatedAt: sql`clock_timestamp()` })
            .where(and(eq(savedReplies.id, id), eq(version, seen)))
            .returning({ id: savedReplies.id })
        : await tx.insert(savedReplies).values({ title, body }).returning({ id: savedReplies.id });
      if (!saved[0]) return { ok: false, reason: "changed" };
      await writeAudit(tx, by, {
        action: "message.saved-reply",
        subject: `saved-reply:${saved[0].id}`,
        after: { title },
      });
      return { ok: true };
    });
  } catch (error) {
    if (isTaken(error)) return { ok: false, reason: "title-taken" };
    throw error;
  }
}

/** Removes an answer; what was sent of it stays. */
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
