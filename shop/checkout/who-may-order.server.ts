/** Guests may order, and customers whose email is verified: confirmations and shipping updates go there. */
import { sql, type Placeholder, type SQL } from "drizzle-orm";

/** True in SQL where the buyer may order, for a WHERE; `owner` is their id. */
export function mayOrder(kind: "guest" | "customer", owner: string | Placeholder): SQL {
  if (kind === "guest") return sql`true`;
  return sql`EXISTS (SELECT 1 FROM users WHERE id = ${owner}::uuid AND email_verified)`;
}

/** The same rule for a customer who was already read: whether the email has to be verified first. */
export function mustVerifyEmail(customer: { emailVerified: boolean } | null): boolean {
  return customer !== null && !customer.emailVerified;
}
