/** The words that a column may hold, for the IN of its CHECK. */
import { sql, type SQL } from "drizzle-orm";

/** `words` are of the source, and have no quotes in them. */
export const oneOf = (words: readonly string[]): SQL => sql.raw(`(${words.map((word) => `'${word}'`).join(", ")})`);
