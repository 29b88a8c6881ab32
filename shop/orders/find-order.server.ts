/** The order that somebody names by its number and the email it was placed with: the link goes to that email only. */
import { and, between, desc, eq, sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { orders } from "./order.tables.ts";

export type FoundOrder = { id: string; linkVersion: number; email: string };

/** The newest one, where several have the number. Null where there is none. */
export async function findOrder(
  db: Database,
  { number, email }: { number: string; email: string },
): Promise<FoundOrder | null> {
  const ends = ["0000-0000-0000-000000000000", "ffff-ffff-ffff-ffffffffffff"].map((end) => `${number}-${end}`);
  const [found] = await db
    .select({ id: orders.id, linkVersion: orders.linkVersion, email: orders.email })
    .from(orders)
    // By the index of the id, whose first characters are the number.
    .where(and(between(orders.id, ends[0]!, ends[1]!), eq(sql`lower(${orders.email})`, email.toLowerCase())))
    .orderBy(desc(orders.createdAt))
    .limit(1);
  return found ?? null;
}
