/** Makes orders anonymous: the record of the sale stays, without name, street, phone, email, card and tracking number. */
import { sql, type SQL } from "drizzle-orm";

/** A statement that makes the orders `which` anonymous, with their payments and parcels, without what staff noted, and answers with their ids. */
export const anonymizeOrders = (which: SQL): SQL => sql`
  WITH nameless AS (
    UPDATE orders SET user_id = NULL, session_id = NULL, email = '', phone = '', shipping_first_name = '',
      shipping_last_name = '', shipping_address_line1 = '', shipping_address_line2 = NULL, shipping_postal_code = '',
      save_information = false, utm_source = NULL, utm_campaign = NULL
    WHERE ${which} RETURNING id
  ), paid AS (
    UPDATE payments SET method = NULL, url = NULL, hold_key = NULL FROM nameless WHERE order_id = nameless.id
  ), noted AS (
    DELETE FROM order_notes USING nameless WHERE order_id = nameless.id
  ), sent AS (
    UPDATE shipments SET tracking_number = '' FROM nameless WHERE order_id = nameless.id
  ) SELECT id FROM nameless`;
