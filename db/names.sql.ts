/** Search for people by any word of their name, without accents, case, apostrophes and hyphens. */
import { sql, type SQL } from "drizzle-orm";
import { index, type ExtraConfigColumn } from "drizzle-orm/pg-core";
import { LISTED } from "./lists.sql.ts";

const MAX_TYPED_WORDS = 5;

/** A generated column `name_words`: a name folded by the database's own function, "siobhan obrien nunez". */
export const nameWords = (name: SQL): SQL => sql`fold_words(${name})`;

/** The folded name, and from its second to its fifth word on; null if it has fewer. Later words are found with one of these. */
const KEYS = [
  sql`name_words`,
  sql`nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + 2), '')`,
  sql`nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + length(split_part(name_words, ' ', 2)) + 3), '')`,
  sql`nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + length(split_part(name_words, ' ', 2)) + length(split_part(name_words, ' ', 3)) + 4), '')`,
  sql`nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + length(split_part(name_words, ' ', 2)) + length(split_part(name_words, ' ', 3)) + length(split_part(name_words, ' ', 4)) + 5), '')`,
];

/** An index for each key, newest first among equal names; most names have two words, and are in two of them. */
export const nameIndexes = (table: string, createdAt: ExtraConfigColumn) =>
  KEYS.map((key, i) =>
    index(`${table}_name_${i + 1}`)
      .on(sql`${key} text_pattern_ops`, createdAt.desc().nullsFirst())
      .where(sql`${key} IS NOT NULL`),
  );

/** A word or words as typed, folded as names are; null if nothing is left of them. */
const folded = (typed: string): SQL => sql`nullif(fold_words(${typed}), '')`;

/** Rows of which a word and what follows it begins as typed, as idsByPrefix finds them. */
const beginning = (typed: string, rows: SQL): SQL[] =>
  KEYS.map(
    (key) => sql`(SELECT id, name_words FROM ${rows} AND ${key} LIKE ${folded(typed)} || '%'
      ORDER BY ${key} USING ~<~, created_at DESC LIMIT ${LISTED})`,
  );

/**
 * Ids of `rows` (a table with `name_words`, and its WHERE) whose name has the typed words: side by side, the last one
 * begun, or each of them anywhere, of the rows that have the longest one.
 */
export function idsByName(typed: string, rows: SQL): SQL {
  const [longest = "", ...others] = typed
    .split(/[\s\p{Pd}]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, MAX_TYPED_WORDS)
    .toSorted((a, b) => b.length - a.length);
  const ways = beginning(typed, rows).map((found) => sql`SELECT id FROM ${found} AS named`);
  const hasOthers = sql.join(
    others.map((other) => sql`' ' || name_words LIKE '% ' || ${folded(other)} || '%'`),
    sql` AND `,
  );
  const apart = others.length > 0 ? beginning(longest, rows) : [];
  const all = [...ways, ...apart.map((found) => sql`SELECT id FROM ${found} AS named WHERE ${hasOthers}`)];
  return sql.join(all, sql` UNION ALL `);
}
