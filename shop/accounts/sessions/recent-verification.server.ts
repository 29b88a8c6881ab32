/** What proves that the customer is there in person, and not only their open browser. */
import { and, eq, isNotNull } from "drizzle-orm";
import type { Database } from "../../../db/connection.server.ts";
import { accounts, users } from "../account.tables.ts";

export const FRESH_MINUTES = 10;

/** How a customer can prove it: with their password, by having signed in just now, or not before they sign in again. */
export type Proof = "password" | "fresh" | "stale";

/** What is asked of a customer, without a password of their own where they came by Google or the waitlist. */
export async function proofOf(
  db: Database,
  { id, signedInAt }: { id: string; signedInAt: Date },
  now = new Date(),
): Promise<Proof> {
  const [own] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.userId, id), eq(accounts.providerId, "credential"), isNotNull(accounts.password)));
  if (own) return "password";
  return now.getTime() - signedInAt.getTime() <= FRESH_MINUTES * 60_000 ? "fresh" : "stale";
}

/** Whose account it is, by its email in lower case; null where there is none. */
export async function getUserId(db: Database, email: string): Promise<string | null> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  return user?.id ?? null;
}
