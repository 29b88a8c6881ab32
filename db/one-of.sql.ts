/** The list of allowed values for an IN in a CHECK. */
import { sql, type SQL } from "drizzle-orm";

/** `words` are constants of the source without quotes. */
export const oneOf = (words: readonly string[]): SQL => sql.raw(`(${words.map((word) => `'${word}'`).join(", ")})`);

/** A set of words as an array. `words` are constants of the source without quotes. */
export const setOf = (words: readonly string[]): SQL => sql.raw(`'{${words.join(",")}}'::text[]`);
