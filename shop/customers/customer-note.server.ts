/** The note and the tags of the staff about a person, who gets them with their data. The audit log does not repeat them. */
import { eq, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { customerNotes } from "./customer-note.tables.ts";

export const MAX_TAGS = 20;

/** A person by their email, and as the audit log names them. */
type Person = { email: string; subject: string };

/** Returns the note and tags about a person, which are empty if there are none. */
export async function readNotes(db: DatabaseOrTransaction, email: string): Promise<{ note: string; tags: string[] }> {
  const { note, tags } = customerNotes;
  const [found] = await db
    .select({ note, tags })
    .from(customerNotes)
    .where(eq(customerNotes.email, email.toLowerCase()));
  return found ?? { note: "", tags: [] };
}

/** Every tag in use, in the order of the alphabet. */
export async function listTags(db: Database): Promise<string[]> {
  const { rows } = await db.execute<{ tag: string }>(
    sql`SELECT DISTINCT unnest(tags) AS tag FROM customer_notes WHERE tags <> '{}' ORDER BY tag`,
  );
  return rows.map(({ tag }) => tag);
}

/** Changes the row of a person under its lock; `change` returns null for a change that is none or refused. */
async function changeNotes(
  tx: DatabaseOrTransaction,
  by: Acting,
  { email, subject }: Person,
  action: "customer.note" | "customer.tags",
  change: (was: { note: string; tags: string[] }) => Partial<{ note: string; tags: string[] }> | null,
): Promise<void> {
  const own = eq(customerNotes.email, email.toLowerCase());
  await tx.insert(customerNotes).values({ email: email.toLowerCase() }).onConflictDoNothing();
  const [was] = await tx.select().from(customerNotes).where(own).for("update");
  const changed = was && change(was);
  if (!changed) return;
  await tx.update(customerNotes).set(changed).where(own);
  await writeAudit(tx, by, { action, subject });
}

/**
 * Replaces the note `was`. Refused with the note as it is `now`, if a colleague changed it meanwhile, so that nobody overwrites
 * what they have not seen.
 */
export const saveNote = (
  db: Database,
  by: Acting,
  person: Person,
  { note, was }: { note: string; was: string },
): Promise<{ ok: true } | { ok: false; now: string }> =>
  db.transaction(async (tx) => {
    let now: string | null = null;
    await changeNotes(tx, by, person, "customer.note", (stored) => {
      if (stored.note === note) return null;
      if (stored.note !== was) now = stored.note;
      return stored.note === was ? { note } : null;
    });
    return now === null ? { ok: true } : { ok: false, now };
  });

/** A tag as it is in use already, perhaps in other capitals. */
async function spelled(tx: DatabaseOrTransaction, typed: string): Promise<string> {
  const { rows } = await tx.execute<{ tag: string }>(
    sql`SELECT tag FROM customer_notes, unnest(tags) AS tag WHERE lower(tag) = lower(${typed}) ORDER BY tag <> ${typed} LIMIT 1`,
  );
  return rows[0]?.tag ?? typed;
}

/** Adds a tag to a person, of whom it is told once. Refused if they have 20. */
export const addTag = (db: Database, by: Acting, person: Person, typed: string): Promise<{ ok: boolean }> =>
  db.transaction(async (tx) => {
    let ok = true;
    const tag = await spelled(tx, typed);
    await changeNotes(tx, by, person, "customer.tags", ({ tags }) => {
      if (tags.includes(tag)) return null;
      ok = tags.length < MAX_TAGS;
      return ok ? { tags: [...tags, tag].toSorted() } : null;
    });
    return { ok };
  });

export const removeTag = (db: Database, by: Acting, person: Person, tag: string): Promise<void> =>
  db.transaction((tx) =>
    changeNotes(tx, by, person, "customer.tags", ({ tags }) =>
      tags.includes(tag) ? { tags: tags.filter((each) => each !== tag) } : null,
    ),
  );
