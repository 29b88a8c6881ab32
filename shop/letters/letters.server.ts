/** Letters of the back office: written, scheduled, stopped and listed. */
import { and, desc, eq, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { type Acting, writeAudit } from "#shop/audit/audit.server.ts";
import type { AuditAction } from "#shop/audit/actions.ts";
import { countAudience } from "./audience.server.ts";
import type { LetterDraft } from "./letter.ts";
import { letters } from "./letter.tables.ts";

const LISTED = 200;

// The names are written out: in a selection of one table Drizzle leaves the table out, and "id" would be the recipient's.
const ofLetter = sql`FROM letter_recipients WHERE letter_id = letters.id`;
const recipients = sql<number>`(SELECT count(*)::int ${ofLetter})`;
const queued = sql<number>`(SELECT count(queued_at)::int ${ofLetter})`;
const { id, subject, markdown, audience, productId, pace, state, version, createdAt, sendAt, endedAt } = letters;

export type LetterRow = Awaited<ReturnType<typeof listLetters>>[number];

/** The newest 200. `queued` counts the emails that have left for the outbox. */
export const listLetters = (db: Database) =>
  db
    .select({ id, subject, audience, state, createdAt, sendAt, endedAt, recipients, queued })
    .from(letters)
    .orderBy(desc(createdAt), desc(id))
    .limit(LISTED);

export type Letter = NonNullable<Awaited<ReturnType<typeof getLetter>>>;

export async function getLetter(db: DatabaseOrTransaction, letterId: string) {
  const columns = {
    id,
    subject,
    markdown,
    audience,
    productId,
    pace,
    state,
    version,
    sendAt,
    endedAt,
    recipients,
    queued,
  };
  const [found] = await db.select(columns).from(letters).where(eq(id, letterId));
  return found ?? null;
}

const note = (tx: DatabaseOrTransaction, by: Acting, action: AuditAction, letterId: string) =>
  writeAudit(tx, by, { action, subject: `letter:${letterId}` });

/** Begins a draft. Returns its id. */
export const createLetter = (db: Database, by: Acting, typed: { subject: string }): Promise<string> =>
  db.transaction(async (tx) => {
    const [made] = await tx.insert(letters).values(typed).returning({ id });
    await note(tx, by, "letter.create", made!.id);
    return made!.id;
  });

type Saved =
  | { ok: true; version: number }
  | { ok: false; reason: "changed"; version: number }
  | { ok: false; reason: "no-draft" };

/** Saves a draft over its `version`. Refused: 'changed', if somebody saved another in between, and 'no-draft'. */
export const saveLetter = (db: Database, by: Acting, letterId: string, draft: LetterDraft): Promise<Saved> =>
  db.transaction(async (tx): Promise<Saved> => {
    const [was] = await tx.select({ state, version }).from(letters).where(eq(id, letterId)).for("update");
    if (was?.state !== "draft") return { ok: false, reason: "no-draft" };
    if (was.version !== draft.version) return { ok: false, reason: "changed", version: was.version };
    await tx
      .update(letters)
      .set({ ...draft, version: was.version + 1 })
      .where(eq(id, letterId));
    await note(tx, by, "letter.edit", letterId);
    return { ok: true, version: was.version + 1 };
  });

/** Schedules a draft. Returns the number of its recipients by now; null if it is no draft, or nobody would get it. */
export const scheduleLetter = (db: Database, by: Acting, letterId: string, at: Date): Promise<number | null> =>
  db.transaction(async (tx) => {
    const [letter] = await tx
      .select({ audience, productId })
      .from(letters)
      .where(and(eq(id, letterId), eq(state, "draft")))
      .for("update");
    const people = letter ? await countAudience(tx, letter) : 0;
    if (people === 0) return null;
    await tx.update(letters).set({ state: "scheduled", sendAt: at }).where(eq(id, letterId));
    await note(tx, by, "letter.schedule", letterId);
    return people;
  });

/**
 * Stops a letter: a scheduled one is a draft again and keeps its time, of one that is being sent nothing more leaves. False if it was
 * neither.
 */
export const stopLetter = (db: Database, by: Acting, letterId: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    const { rowCount } = await tx.execute(sql`
      UPDATE letters SET state = CASE state WHEN 'scheduled' THEN 'draft' ELSE 'stopped' END,
        ended_at = CASE state WHEN 'sending' THEN now() END
      WHERE id = ${letterId}::uuid AND state IN ('scheduled', 'sending')`);
    if (rowCount) await note(tx, by, "letter.stop", letterId);
    return Boolean(rowCount);
  });

/** Deletes a draft. False if it is none. */
export const removeLetter = (db: Database, by: Acting, letterId: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    const { rowCount } = await tx.delete(letters).where(and(eq(id, letterId), eq(state, "draft")));
    if (rowCount) await note(tx, by, "letter.remove", letterId);
    return Boolean(rowCount);
  });
