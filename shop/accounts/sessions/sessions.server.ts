/** Where a customer is signed in. */
import { and, desc, eq, gt, ne, not, or, sql } from "drizzle-orm";
import type { Database } from "../../../db/connection.server.ts";
import { sessions, users } from "../account.tables.ts";
import { deviceName } from "./device.ts";

export type SignedInDevice = { id: string; device: string; lastUsedAt: Date };

/** The customer's sessions that still hold, the last used first. A session's time of use is true to a day. */
export async function listSessions(db: Database, customerId: string): Promise<SignedInDevice[]> {
  const rows = await db
    .select({ id: sessions.id, userAgent: sessions.userAgent, lastUsedAt: sessions.updatedAt })
    .from(sessions)
    .where(and(eq(sessions.userId, customerId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.updatedAt), desc(sessions.id));
  return rows.map(({ userAgent, ...session }) => ({ ...session, device: deviceName(userAgent) }));
}

/** Whether a customer's session still holds and is whole: with its second factor, where the account has one. */
export async function isSessionLive(db: Database, customerId: string, sessionId: string): Promise<boolean> {
  const found = await db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.id, sessionId),
        eq(sessions.userId, customerId),
        gt(sessions.expiresAt, sql`now()`),
        or(eq(sessions.aal, "aal2"), not(users.twoFactorEnabled)),
      ),
    );
  return found.length > 0;
}

/** Signs the customer out everywhere but here. */
export async function endOtherSessions(db: Database, customerId: string, sessionId: string): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.userId, customerId), ne(sessions.id, sessionId)));
}

/** Signs the customer out where one other session is. False where they have no such session. */
export async function endOtherSession(
  db: Database,
  customerId: string,
  sessionId: string,
  endedId: string,
): Promise<boolean> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, customerId), ne(sessions.id, sessionId), eq(sessions.id, endedId)))
    .returning({ id: sessions.id });
  return ended.length > 0;
}
