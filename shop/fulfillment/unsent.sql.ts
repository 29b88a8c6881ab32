/** SQL about orders with units left to ship, and the shop's day. The partial indexes of orders have the same condition. */
import { sql } from "drizzle-orm";

export const isUnsent = sql`(status = 'processing' OR status = 'shipped' AND rest_to_ship)`;
export const today = sql`(now() AT TIME ZONE 'America/New_York')::date`;
