/** Search for orders, each way by an index of its own. */
import { SQL, sql } from "drizzle-orm";
import { idsByPrefix } from "#db/lists.sql.ts";
import { idsByName } from "#db/names.sql.ts";
import { PHONE_DIGITS } from "#shop/orders/order.tables.ts";

/** Condition on the id; null if `typed` is no order number, longer part of an id, or start of `least` characters. */
export function idBegins(typed: string, least = 8): SQL | null {
  const digits = typed.trim().toLowerCase().replaceAll(/^#|-/g, "");
  if (digits.length < least || !/^[0-9a-f]{1,32}$/.test(digits)) return null;
  return sql`id BETWEEN ${digits.padEnd(32, "0")}::uuid AND ${digits.padEnd(32, "f")}::uuid`;
}

/** The first digits of a number in the United States, without its country code; null if `typed` is none. */
function phoneOf(typed: string): string | null {
  if (!/^\+?[\d\s().-]+$/.test(typed)) return null;
  const digits = typed.replaceAll(/\D/g, "").replace(/^1(?=\d{10}$)/, "");
  return /^\d{6,10}$/.test(digits) ? digits : null;
}

/**
 * Ids of the `rows` (a table and its WHERE) that match: by words of the name, the start of an order number (four characters), a
 * ZIP code, or, `inContacts`, an email or a phone number, and by a whole tracking number.
 */
export function foundOrders(search: string, inContacts: boolean, rows: SQL): SQL {
  const text = search.trim().replaceAll(/\s+/g, " ");
  const begins = idBegins(text, 4);
  const phone = inContacts ? phoneOf(text) : null;
  const ways = [
    idsByName(text, rows),
    inContacts && idsByPrefix(text, [sql`lower(email)`], rows),
    sql`SELECT id FROM ${rows} AND id IN (
      SELECT order_id FROM shipments WHERE tracking_number = ${text.replaceAll(/[\s-]/g, "").toUpperCase()})`,
    begins && sql`SELECT id FROM ${rows} AND ${begins}`,
    /^\d{5}(-\d{0,4})?$/.test(text) && idsByPrefix(text, [sql`shipping_postal_code`], rows),
    phone && idsByPrefix(phone, [PHONE_DIGITS], rows),
  ];
  return sql.join(
    ways.filter((way) => way instanceof SQL),
    sql` UNION ALL `,
  );
}
