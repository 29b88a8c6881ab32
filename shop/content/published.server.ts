/** Texts that staff have published, held by each process: read at its start, and again when any process publishes. */
import { AsyncLocalStorage } from "node:async_hooks";
import { and, asc, desc, isNotNull, not, sql, type SQL } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import { clock } from "#shop/clock.ts";
import { newYorkMoment } from "#shop/new-york-time.ts";
import { singleton } from "#shop/singleton.ts";
import { texts } from "./text.tables.ts";

export type TextVersion = typeof texts.$inferSelect;

const held = singleton("texts", () => ({
  /** By key, newest first: the version that is shown now, and the scheduled ones after it. */
  versions: new Map<string, TextVersion[]>(),
  preview: new AsyncLocalStorage<TextVersion>(),
}));

/** True for a version that is never shown: a newer one replaces it, or is published for the same time or an earlier one. */
export const isReplaced = (of: SQL) => sql<boolean>`EXISTS (SELECT FROM texts AS newer
  WHERE newer.key = ${of}.key AND newer.version > ${of}.version
    AND (newer.replaces = ${of}.version OR newer.publish_at <= ${of}.publish_at))`;

/** Reads what is published into the process. */
export async function loadTexts(db: DatabaseOrTransaction): Promise<void> {
  const { key, version, publishAt } = texts;
  const shown = sql`(SELECT max(version) FROM texts AS due
    WHERE due.key = ${key} AND due.publish_at <= now() AND NOT ${isReplaced(sql`due`)})`;
  const rows = await db
    .select()
    .from(texts)
    .where(and(isNotNull(publishAt), sql`${version} >= coalesce(${shown}, 0)`, not(isReplaced(sql`texts`))))
    .orderBy(asc(key), desc(version));
  held.versions = Map.groupBy(rows, (row) => row.key);
}

/** The version that is shown now; null if the edition of the code is. */
export function publishedText(key: string): TextVersion | null {
  const preview = held.preview.getStore();
  if (preview?.key === key) return preview;
  const now = clock.now();
  const row = held.versions.get(key)?.find(({ publishAt }) => publishAt !== null && publishAt <= now);
  return row && row.markdown !== null ? row : null;
}

/** Keys of a kind that have a version that is shown now. */
export const publishedKeys = (start: string): string[] =>
  [...new Set([...held.versions.keys(), held.preview.getStore()?.key ?? ""])].filter(
    (key) => key.startsWith(start) && publishedText(key) !== null,
  );

/** Versions of a key that are still to be shown, the next first. */
export function scheduledTexts(key: string): TextVersion[] {
  const now = clock.now();
  const versions = held.versions.get(key) ?? [];
  return versions.filter(({ publishAt }) => publishAt !== null && publishAt > now).toReversed();
}

/** True for a notice whose own end has come. */
export function hasEnded({ until = "" }: Record<string, string>, now: Date): boolean {
  const end = newYorkMoment(until);
  return end !== null && end <= now;
}

/** Time at which the next scheduled version is due, or the notice bar ends; null for never. */
export function nextPublication(): Date | null {
  const now = clock.now();
  const versions = [...held.versions.values()].flat();
  const due = versions.flatMap(({ publishAt, fields }) => [publishAt, newYorkMoment(fields.until ?? "")]);
  const next = Math.min(...due.flatMap((at) => (at && at > now ? [at.getTime()] : [])));
  return Number.isFinite(next) ? new Date(next) : null;
}

/** The version that this request previews, or null. */
export const previewedText = (): TextVersion | null => held.preview.getStore() ?? null;

/** Runs a request in which a version is shown in place of the published one. */
export const withPreview = <Result>(version: TextVersion, run: () => Result): Result => held.preview.run(version, run);
