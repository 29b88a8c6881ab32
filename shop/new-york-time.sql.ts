/** Days in New York, where the shop's days begin and end, in SQL. */
import { sql, type SQL, type SQLWrapper } from "drizzle-orm";

export const newYorkDate = (moment: SQLWrapper) => sql`(${moment} AT TIME ZONE 'America/New_York')::date`;
export const today = newYorkDate(sql`now()`);
/** The moment at which a day begins. */
export const midnight = (day: SQL) => sql`((${day})::timestamp AT TIME ZONE 'America/New_York')`;
