/** A customer's sessions. */
import { and, desc, eq, gt, isNotNull, ne, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { accounts, sessions } from "./account.tables.ts";

/** Prefix of the account's cookies. */
export const ACCOUNT_COOKIES = "polara";

export const isHttps = (baseUrl: string): boolean => baseUrl.startsWith("https:");

/** Cookie name at `baseUrl`: prefixed __Host- on https, so that no sibling host can set it. */
export const cookieName = (baseUrl: string, base: string): string => (isHttps(baseUrl) ? `__Host-${base}` : base);

type SignedInDevice = { id: string; device: string; lastUsedAt: Date };

/** Live sessions, last used first. The time of use is accurate to a day. */
export async function listSessions(db: Database, customerId: string): Promise<SignedInDevice[]> {
  const rows = await db
    .select({ id: sessions.id, userAgent: sessions.userAgent, lastUsedAt: sessions.updatedAt })
    .from(sessions)
    .where(and(eq(sessions.userId, customerId), gt(sessions.expiresAt, sql`pg_catalog.now()`)))
    .orderBy(desc(sessions.updatedAt), desc(sessions.id));
  return rows.map(({ userAgent, ...session }) => ({ ...session, device: deviceName(userAgent) }));
}

/** True if the session is live, its account not suspended and, for accounts with a second factor, at aal2. */
export async function isSessionLive(db: Database, customerId: string, sessionId: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    SELECT FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = ${sessionId} AND s.user_id = ${customerId}
      AND s.expires_at > pg_catalog.now() AND u.suspended_at IS NULL AND (s.aal = 'aal2' OR NOT u.two_factor_enabled)`);
  return rowCount === 1;
}

/** Ends the other sessions of the customer, or `only` one of them. Returns how many. */
export async function endOtherSessions(
  db: Database,
  customerId: string,
  sessionId: string,
  only?: string,
): Promise<number> {
  const others = and(eq(sessions.userId, customerId), ne(sessions.id, sessionId));
  const { rowCount } = await db.delete(sessions).where(only ? and(others, eq(sessions.id, only)) : others);
  return rowCount ?? 0;
}

export const isOpenSession = async (db: Database, sessionId: string): Promise<boolean> =>
  (await db.$count(sessions, eq(sessions.id, sessionId))) > 0;

const BROWSERS: [pattern: RegExp, name: string][] = [
  [/Edg(?:e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];

const SYSTEMS: [pattern: RegExp, name: string][] = [
  [/iPhone|iPod/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/CrOS/, "ChromeOS"],
  [/Windows/, "Windows"],
  [/Macintosh|Mac OS X/, "Mac"],
  [/Linux/, "Linux"],
];

/** A readable name for a User-Agent, such as "Safari on iPhone". */
export function deviceName(userAgent: string | null): string {
  const find = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? "Unknown device";
}

const FRESH_MINUTES = 10;

/** Ways to reauthenticate: by password, by a recent sign-in, or by signing in again. */
export type Proof = "password" | "fresh" | "stale";

/** The way for one customer; Google and waitlist accounts have no password. */
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
