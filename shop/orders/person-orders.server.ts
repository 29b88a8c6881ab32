/** The orders of one person as staff see them: those of the account with an email, and those of guests with it. */
import { sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import type { OrderStatus } from "./lifecycle.ts";

export type PersonOrder = {
  id: string;
  status: OrderStatus;
  totalCents: number;
  createdAt: Date;
  /** Placed without signing in. */
  isGuest: boolean;
};

/** The newest `limit` of them, whoever typed the email. */
export async function listPersonOrders(
  db: Pick<Database, "execute">,
  email: string,
  limit: number,
): Promise<PersonOrder[]> {
  const newest = sql`ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
  const { rows } = await db.execute<Omit<PersonOrder, "createdAt"> & { createdAt: string }>(sql`
    SELECT id, status, total AS "totalCents", created_at AS "createdAt", user_id IS NULL AS "isGuest" FROM (
      (SELECT * FROM orders WHERE user_id IS NULL AND lower(email) = lower(${email}::text) ${newest})
      UNION ALL
      (SELECT o.* FROM orders o WHERE o.user_id = (SELECT id FROM users WHERE users.email = lower(${email}::text)) ${newest})
    ) theirs ${newest}`);
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }));
}
