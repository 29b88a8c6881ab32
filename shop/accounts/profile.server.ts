/** What a customer tells of themselves. */
import { eq } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { profiles } from "./account.tables.ts";

export type Profile = { firstName: string; lastName: string; phone: string };

/** The customer's own profile. */
export async function getProfile(db: Database, customerId: string): Promise<Profile> {
  const [found] = await db
    .select({ firstName: profiles.firstName, lastName: profiles.lastName, phone: profiles.phone })
    .from(profiles)
    .where(eq(profiles.id, customerId));
  return found ?? { firstName: "", lastName: "", phone: "" };
}

/** Changes the customer's own profile. */
export async function updateProfile(db: Database, customerId: string, profile: Profile): Promise<void> {
  await db.update(profiles).set(profile).where(eq(profiles.id, customerId));
}
