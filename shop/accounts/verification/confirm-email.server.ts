/**
 * Opening the link in a verification mail. Opening it harms nobody, however often: mail scanners do it
 * too. What it does, it does by a button: the waitlist's link once, and an account that somebody else
 * opened with this address is taken from them only when the mailbox's owner says so. No link ever
 * replaces the session of somebody else, and none signs in to an account that was verified before.
 */
import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint, getSessionFromCtx } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../db/connection.server.ts";
import { endResetLinks, makeResetToken } from "../passwords/reset-token.server.ts";
import { accounts, sessions, twoFactors, users } from "../account.tables.ts";
import { readVerifyToken, type Shop } from "./verify-token.server.ts";

export type Confirmation =
  /** The email is verified, now or before. */
  | { outcome: "confirmed" }
  /** The same, in a browser that stays signed in as somebody else. */
  | { outcome: "confirmed-for-other"; email: string; signedInAs: string }
  | { outcome: "invalid" | "expired" }
  /** The waitlist's link: its button has not been pressed yet, or was before. */
  | { outcome: "press"; email: string }
  /** The account is verified, and its place on the waitlist waits for the same button; nobody is signed in by it. */
  | { outcome: "press-for-place"; email: string }
  | { outcome: "used" }
  /** Opened where nobody is signed in to this account: only its owner can say whether it is theirs. */
  | { outcome: "ask"; email: string; hasPassword: boolean }
  | { outcome: "wrong-password"; email: string; hasPassword: true }
  /** The account now belongs to the mailbox alone; `resetToken` sets its password. */
  | { outcome: "taken-over"; email: string; resetToken: string };

/** The places on the waitlist of accounts that were verified before: accounts know nothing else of them. */
export type Places = {
  isUnconfirmed(userId: string): Promise<boolean>;
  confirm(userId: string): Promise<void>;
};

/** Verifies the email; false where it was verified before. Of many at once, one verifies it. */
async function verifyEmail(db: Database, userId: string): Promise<boolean> {
  const verified = await db
    .update(users)
    .set({ emailVerified: true, updatedAt: sql`now()` })
    .where(and(eq(users.id, userId), eq(users.emailVerified, false)))
    .returning({ id: users.id });
  return verified.length > 0;
}

/**
 * Ends every way in that was set up before the mailbox was proven: sessions, passwords, reset links, linked accounts,
 * second factors.
 */
async function endOtherWaysIn(db: Database, userId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.delete(sessions).where(eq(sessions.userId, userId));
    await tx.delete(accounts).where(eq(accounts.userId, userId));
    await tx.delete(twoFactors).where(eq(twoFactors.userId, userId));
    await endResetLinks(tx, userId);
    await tx.update(users).set({ twoFactorEnabled: false, emailVerified: true }).where(eq(users.id, userId));
  });
}

/**
 * The mailbox was proven by another link, that of a password reset: the email is verified, and where
 * it was not before, no second factor or linked account set up until then survives.
 */
export async function mailboxProven(db: Database, userId: string): Promise<void> {
  await db.execute(sql`
    WITH proven AS (
      UPDATE users SET email_verified = true, two_factor_enabled = false
      WHERE id = ${userId}::uuid AND NOT email_verified RETURNING id
    ), factors AS (
      DELETE FROM two_factors USING proven WHERE user_id = proven.id
    )
    DELETE FROM accounts USING proven WHERE user_id = proven.id AND provider_id <> 'credential'`);
}

/** better-auth endpoint `auth.api.confirmEmail`: opens a link; once more with what was asked: its button, the password, or a takeover. */
export function confirmEmail(db: Database, shop: Shop & { places?: Places }) {
  return {
    id: "confirm-email",
    endpoints: {
      confirmEmail: createAuthEndpoint(
        "/confirm-email",
        {
          method: "POST",
          body: z.object({
            token: z.string(),
            press: z.boolean().optional(),
            password: z.string().optional(),
            takeOver: z.boolean().optional(),
          }),
        },
        async (ctx): Promise<Confirmation> => {
          const { token, press, password, takeOver } = ctx.body;
          const { internalAdapter } = ctx.context;
          const link = await readVerifyToken(token, shop);
          if (typeof link === "string") return { outcome: link };
          const user = await internalAdapter.findUserById(link.userId);
          if (!user || !link.isFor(user.email)) return { outcome: "invalid" };

          const ways = await internalAdapter.findAccounts(user.id);
          const session = await getSessionFromCtx(ctx);
          const isOwnBrowser = session?.user.id === user.id;
          // The waitlist's silent account: there is no other way in than this link.
          const isSilent = ways.length === 0;
          const confirmed = async (signIn: boolean): Promise<Confirmation> => {
            if (session && !isOwnBrowser) {
              return { outcome: "confirmed-for-other", email: user.email, signedInAs: session.user.email };
            }
            if (signIn) {
              const opened = session?.session ?? (await internalAdapter.createSession(user.id));
              await setSessionCookie(ctx, { session: opened, user: { ...user, emailVerified: true } });
            }
            return { outcome: "confirmed" };
          };

          if (user.emailVerified && (await shop.places?.isUnconfirmed(user.id))) {
            if (!press && !isOwnBrowser) return { outcome: "press-for-place", email: user.email };
            await shop.places?.confirm(user.id);
            return confirmed(false);
          }
          if (user.emailVerified) return isSilent ? { outcome: "used" } : confirmed(false);
          if (isSilent) {
            if (!press) return { outcome: "press", email: user.email };
            return (await verifyEmail(db, user.id)) ? confirmed(true) : { outcome: "used" };
          }
          if (isOwnBrowser) {
            await verifyEmail(db, user.id);
            return confirmed(true);
          }
          if (takeOver) {
            await endOtherWaysIn(db, user.id);
            return { outcome: "taken-over", email: user.email, resetToken: await makeResetToken(db, user.id) };
          }
          const hash = ways.find((way) => way.providerId === "credential")?.password;
          if (password === undefined || !hash) {
            return { outcome: "ask", email: user.email, hasPassword: hash !== undefined && hash !== null };
          }
          if (!(await ctx.context.password.verify({ hash, password }))) {
            return { outcome: "wrong-password", email: user.email, hasPassword: true };
          }
          await verifyEmail(db, user.id);
          return confirmed(true);
        },
      ),
    },
  } satisfies BetterAuthPlugin;
}
