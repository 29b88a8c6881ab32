/** A product may be open to those who were invited from the waitlist before it is to everybody. */
import { sql, type Placeholder, type SQL } from "drizzle-orm";

/** Whether a row of products is for those with an invitation only, now. */
export const isWaitlistOnly = sql`coalesce(products.waitlist_only_until > now(), false)`;

/**
 * The invitation of a code by its hash, which is null for whoever has none: one that no order was placed with, or only
 * one that has ended since. Whoever waited for its lock does not see the other's order yet: so only one that is seen to
 * have ended lets it through.
 */
export const unusedInvitation = (
  codeHash: SQL | Placeholder,
): SQL => sql`SELECT id FROM waitlist_invitations AS invitation
  WHERE code_hash = ${codeHash} AND (order_id IS NULL OR EXISTS (SELECT FROM orders
    WHERE orders.id = invitation.order_id AND orders.status IN ('lapsed', 'canceled', 'declined')))`;
