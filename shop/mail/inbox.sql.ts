import { sql, type SQL, type SQLWrapper } from "drizzle-orm";

/** The inbox of an address, as `inboxOf` has it. Immutable, so that an index may have it. */
export const inboxOfColumn = (email: SQLWrapper): SQL => sql`(CASE
  WHEN split_part(lower(${email}), '@', 2) IN ('gmail.com', 'googlemail.com')
    THEN replace(split_part(split_part(lower(${email}), '@', 1), '+', 1), '.', '') || '@gmail.com'
  WHEN lower(${email}) LIKE '+%' THEN lower(${email})
  ELSE split_part(split_part(lower(${email}), '@', 1), '+', 1) || '@' || split_part(lower(${email}), '@', 2) END)`;
