/** Tells the owner of an account what changed in it, or that somebody is in: whoever it was, the owner should hear of it. */
import { eq } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { consumeMail } from "../mail/mail-budget.server.ts";
import { enqueueEmail } from "../mail/enqueue-email.server.ts";
import type { RateLimits } from "../rate-limits/rate-limits.server.ts";
import type { AccountChange } from "./account-changed-email.server.ts";
import { users } from "./account.tables.ts";

/** Queues the email; where there is no email left for this inbox or network, the change stands without it. */
export async function emailOwner(
  db: Database,
  rateLimits: RateLimits,
  { userId, network }: { userId: string; network: string },
  change: AccountChange,
): Promise<void> {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  // Who signs up with somebody else's address causes them no mail but the one that asks.
  if (!user?.emailVerified) return;
  const { permit } = await consumeMail(rateLimits, { to: user.email, network });
  if (permit) await enqueueEmail(db, { template: "account-changed", userId, change }, permit);
}
