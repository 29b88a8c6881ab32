/** The link that verifies an email, made when its email is written, so that no token waits in the outbox. */
import { eq } from "drizzle-orm";
import type { Database } from "../../../db/connection.server.ts";
import { users } from "../account.tables.ts";
import { verifyToken, type Shop } from "./verify-token.server.ts";

export type VerifyLink = { to: string; link: string };

/** Whom to write to, and their link; null where the user is gone or their email is verified. */
export async function verifyLink(db: Database, userId: string, shop: Shop): Promise<VerifyLink | null> {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  if (!user || user.emailVerified) return null;
  return linkTo(user, shop);
}

/** A link to one user's mailbox, whatever is confirmed by opening it. */
export async function linkTo(user: { id: string; email: string }, shop: Shop): Promise<VerifyLink> {
  return { to: user.email, link: `${shop.baseUrl}/auth/verify?token=${await verifyToken(user, shop)}` };
}
