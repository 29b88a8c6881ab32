/** Texts as staff write, publish, schedule and withdraw them: each a new row, with its audit row in one transaction. */
import { and, desc, eq, isNotNull, not, sql } from "drizzle-orm";
import { isUniqueViolation, transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { users } from "#shop/accounts/account.tables.ts";
import type { AuditAction } from "#shop/audit/actions.ts";
import { type Acting, writeAudit } from "#shop/audit/audit.server.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay, newYorkMoment } from "#shop/new-york-time.ts";
import { isReplaced, type TextVersion } from "./published.server.ts";
import { texts } from "./text.tables.ts";

export type VersionRow = Omit<TextVersion, "markdown" | "fields" | "replaces" | "staffId"> & {
  title: string | null;
  /** A newer version has taken its place before it was shown. */
  isReplaced: boolean;
  isWithdrawn: boolean;
  /** Null if the account is gone. */
  by: string | null;
};

const row = {
  key: texts.key,
  version: texts.version,
  publishAt: texts.publishAt,
  effectiveOn: texts.effectiveOn,
  isReplaced: isReplaced(sql`texts`),
  createdAt: texts.createdAt,
  title: sql<string | null>`${texts.fields}->>'title'`,
  isWithdrawn: sql<boolean>`${texts.markdown} IS NULL`,
  by: users.name,
};

const MAX_VERSIONS = 100;

/** Versions of a text, newest first. */
export const listVersions = (db: Database, key: string): Promise<VersionRow[]> =>
  db
    .select(row)
    .from(texts)
    .leftJoin(users, eq(users.id, texts.staffId))
    .where(eq(texts.key, key))
    .orderBy(desc(texts.version))
    .limit(MAX_VERSIONS);

/** The newest version of every text that staff have written. */
export const listNewest = (db: Database): Promise<VersionRow[]> =>
  db
    .selectDistinctOn([texts.key], row)
    .from(texts)
    .leftJoin(users, eq(users.id, texts.staffId))
    .orderBy(texts.key, desc(texts.version));

export async function getVersion(db: DatabaseOrTransaction, key: string, version: number): Promise<TextVersion | null> {
  const [found] = await db
    .select()
    .from(texts)
    .where(and(eq(texts.key, key), eq(texts.version, version)));
  return found ?? null;
}

/** Versions of a legal text that were, are or will be in force. */
const inForce = (key: string) => and(eq(texts.key, key), isNotNull(texts.publishAt), not(isReplaced(sql`texts`)));

/** `day` comes from an address, and may be none in the calendar. */
const isOfDay = (day: string) => eq(sql`${texts.effectiveOn}::text`, day);

/** The version of a legal text that takes effect on a day; null if none does. */
export async function versionOfDay(db: Database, key: string, day: string): Promise<TextVersion | null> {
  const [found] = await db
    .select()
    .from(texts)
    .where(and(inForce(key), isOfDay(day)));
  return found ?? null;
}

/** True if a version of a legal text was published for a day, also one that was moved or replaced before it. */
export const wasPublishedFor = async (db: Database, key: string, day: string): Promise<boolean> =>
  (await db.$count(texts, and(eq(texts.key, key), isOfDay(day), isNotNull(texts.publishAt)))) > 0;

/** Days on which the versions of a legal text take effect, newest first, without those replaced before their day. */
export async function listDays(db: Database, key: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ day: texts.effectiveOn })
    .from(texts)
    .where(and(inForce(key), isNotNull(texts.effectiveOn)))
    .orderBy(desc(texts.effectiveOn));
  return rows.flatMap(({ day }) => day ?? []);
}

type When = { publishAt: Date | null; effectiveOn?: string | null };

type SaveText = When & {
  key: string;
  /** The newest version that the editor has seen; 0 before the first. */
  version: number;
  /** Null withdraws the text. */
  markdown: string | null;
  fields: Record<string, string>;
  /** A scheduled version that this one is published or scheduled in place of. */
  replaces?: number;
};

export type Saved =
  | { ok: true; version: number }
  | { ok: false; reason: "changed"; version: number; by: string | null; at: Date }
  | { ok: false; reason: "day-taken" };

/**
 * Time at which a version is shown: now, a moment in New York ("2027-01-01T09:00"), or the first moment of a legal text's
 * day of effect. Null for a moment that there is not, or that is past.
 */
export function publication({ at, effectiveOn }: { at: string; effectiveOn: string | null }): When | null {
  const now = clock.now();
  if (effectiveOn === newYorkDay(now) || (!effectiveOn && !at)) return { publishAt: now, effectiveOn };
  const publishAt = newYorkMoment(effectiveOn ? `${effectiveOn}T00:00` : at);
  return publishAt && publishAt > now ? { publishAt, effectiveOn } : null;
}

const actionOf = ({ markdown, publishAt }: SaveText): AuditAction => {
  if (markdown === null) return "text.withdraw";
  if (publishAt === null) return "text.draft";
  return publishAt > clock.now() ? "text.schedule" : "text.publish";
};

/** A legal text that is or was in force is never replaced under its day, since orders name it. */
async function isDayTaken(tx: DatabaseOrTransaction, { key, effectiveOn }: SaveText): Promise<boolean> {
  if (!effectiveOn) return false;
  const found = await versionOfDay(tx as Database, key, effectiveOn);
  return found?.publishAt !== undefined && found.publishAt !== null && found.publishAt <= clock.now();
}

/**
 * Adds a version: a draft without `publishAt`, else shown from then on until a newer one is due, and in place of the
 * scheduled one that it `replaces`. Refusals: 'changed' if the newest is not `version`; 'day-taken' for a legal text in
 * force from the same day.
 */
export async function saveText(db: Database, by: Acting, text: SaveText): Promise<Saved> {
  const { key, version, markdown, fields, publishAt, effectiveOn = null } = text;
  try {
    return await transaction(db, async (tx): Promise<Saved> => {
      const [newest] = await tx
        .select(row)
        .from(texts)
        .leftJoin(users, eq(users.id, texts.staffId))
        .where(eq(texts.key, key))
        .orderBy(desc(texts.version))
        .limit(1);
      if ((newest?.version ?? 0) !== version) {
        return { ok: false, reason: "changed", version: newest!.version, by: newest!.by, at: newest!.createdAt };
      }
      if (publishAt !== null && (await isDayTaken(tx, text))) return { ok: false, reason: "day-taken" };
      const next = version + 1;
      const replaced = publishAt && text.replaces ? await getVersion(tx, key, text.replaces) : null;
      const replaces = replaced?.publishAt && replaced.publishAt > clock.now() ? replaced.version : null;
      await tx
        .insert(texts)
        .values({ key, version: next, markdown, fields, publishAt, effectiveOn, replaces, staffId: by.staffId });
      await writeAudit(tx, by, {
        action: actionOf(text),
        subject: `text:${key}`,
        ...(version > 0 && { before: { version } }),
        after: { version: next, publishAt: publishAt?.toISOString() ?? null, effectiveOn },
      });
      return { ok: true, version: next };
    });
  } catch (error) {
    // Both editors had seen the same version; the other was first.
    if (isUniqueViolation(error, "texts_key_version_pk")) return saveText(db, by, text);
    throw error;
  }
}
