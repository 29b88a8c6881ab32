/** Accounts by their email, and a customer's own profile. */
import { eq } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { profiles, users } from "./account.tables.ts";

/** The id of the account with an email, or null. */
export async function accountOf(db: DatabaseOrTransaction, email: string): Promise<string | null> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email.toLowerCase()));
  return user?.id ?? null;
}

/** The email of an account, or null. */
export async function emailOf(db: Database, userId: string): Promise<{ address: string; isVerified: boolean } | null> {
  const { email: address, emailVerified: isVerified } = users;
  const [user] = await db.select({ address, isVerified }).from(users).where(eq(users.id, userId));
  return user ?? null;
}

type Profile = { firstName: string; lastName: string; phone: string };

export async function getProfile(db: Database, customerId: string): Promise<Profile> {
  const [found] = await db
    .select({ firstName: profiles.firstName, lastName: profiles.lastName, phone: profiles.phone })
    .from(profiles)
    .where(eq(profiles.id, customerId));
  return found ?? { firstName: "", lastName: "", phone: "" };
}

export async function updateProfile(db: Database, customerId: string, profile: Profile): Promise<void> {
  await db.update(profiles).set(profile).where(eq(profiles.id, customerId));
}
