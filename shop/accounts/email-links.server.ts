/** Links in emails: a verification link proves a mailbox for a day, a reset link works once within an hour. */
import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt } from "drizzle-orm";
import { jwtVerify, SignJWT } from "jose";
import { JWTExpired } from "jose/errors";
import { z } from "#shop/zod.ts";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { purposeKey, signed } from "#shop/purpose-key.server.ts";
import { users, verifications } from "./account.tables.ts";

const VERIFY_LINK_SECONDS = 24 * 3600;

const TYPE = "verify-email+jwt";

export type Shop = { baseUrl: string; secret: string };

const keyOf = ({ secret }: Shop) => purposeKey(secret, "verify an email");
const audienceOf = ({ baseUrl }: Shop) => `${baseUrl}/auth/verify`;

/** A keyed hash of the mailbox: addresses of pages end up in logs and histories. */
const mailboxOf = ({ id, email }: { id: string; email: string }, { secret }: Shop) =>
  signed(secret, "name a mailbox", `${id} ${email}`);

export function verifyToken(user: { id: string; email: string }, shop: Shop): Promise<string> {
  return new SignJWT({ userId: user.id, mailbox: mailboxOf(user, shop) })
    .setProtectedHeader({ alg: "HS256", typ: TYPE })
    .setIssuer(shop.baseUrl)
    .setAudience(audienceOf(shop))
    .setIssuedAt()
    .setExpirationTime(`${VERIFY_LINK_SECONDS}s`)
    .sign(keyOf(shop));
}

/**
 * Reads a token: its user, and whether it was sent to their current address. Tokens of other purposes or shops are
 * "invalid".
 */
export async function readVerifyToken(
  token: string,
  shop: Shop,
): Promise<{ userId: string; isFor(email: string): boolean } | "invalid" | "expired"> {
  try {
    const { payload } = await jwtVerify(token, keyOf(shop), {
      algorithms: ["HS256"],
      typ: TYPE,
      issuer: shop.baseUrl,
      audience: audienceOf(shop),
      requiredClaims: ["exp"],
    });
    const read = z.object({ userId: z.uuid(), mailbox: z.string() }).safeParse(payload);
    if (!read.success) return "invalid";
    const { userId, mailbox } = read.data;
    return { userId, isFor: (email) => mailboxOf({ id: userId, email }, shop) === mailbox };
  } catch (error) {
    return error instanceof JWTExpired ? "expired" : "invalid";
  }
}

export type VerifyLink = { to: string; link: string };

/** Recipient and link; null if the user is gone or verified. */
export async function verifyLink(db: Database, userId: string, shop: Shop): Promise<VerifyLink | null> {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  if (!user || user.emailVerified) return null;
  return linkTo(user, shop);
}

export async function linkTo(user: { id: string; email: string }, shop: Shop): Promise<VerifyLink> {
  return { to: user.email, link: `${shop.baseUrl}/auth/verify?token=${await verifyToken(user, shop)}` };
}

export const RESET_LINK_SECONDS = 3600;

/** The stored hash of a token, in better-auth's format. */
const storedReset = (token: string) => createHash("sha256").update(`reset-password:${token}`).digest("base64url");

export async function makeResetToken(db: Database, userId: string): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  await db.insert(verifications).values({
    identifier: storedReset(token),
    value: userId,
    expiresAt: new Date(Date.now() + RESET_LINK_SECONDS * 1000),
  });
  return token;
}

/** The user of a valid reset token, or null. Does not consume it. */
export async function findResetUser(db: Database, token: string): Promise<string | null> {
  const [found] = await db
    .select({ userId: verifications.value })
    .from(verifications)
    .where(and(eq(verifications.identifier, storedReset(token)), gt(verifications.expiresAt, new Date())));
  return found?.userId ?? null;
}

/** Revokes a user's reset links and pending second-factor sign-ins. */
export async function endResetLinks(db: DatabaseOrTransaction, userId: string): Promise<void> {
  await db.delete(verifications).where(eq(verifications.value, userId));
}
