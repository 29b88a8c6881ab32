/** Makes an order anonymous: the record of the sale stays, without name, street, phone and email. */
import { sql } from "drizzle-orm";

/** For the SET of an UPDATE of `orders`. */
export const anonymous = sql`user_id = NULL, session_id = NULL, email = '', phone = '', shipping_first_name = '',
  shipping_last_name = '', shipping_address_line1 = '', shipping_address_line2 = NULL, shipping_postal_code = '',
  save_information = false`;
