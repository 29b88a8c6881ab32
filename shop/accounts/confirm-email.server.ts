/**
 * Verification links. Opening one is harmless, since mail scanners do it; a button on its page acts. An unverified
 * account of somebody else is taken over only on the mailbox owner's word, and no link replaces a session of another
 * account.
 */
import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint, getSessionFromCtx } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { and, eq, sql } from "drizzle-orm";
import { z } from "#shop/zod.ts";
import type { Database } from "#db/connection.server.ts";
import { accounts, sessions, twoFactors, users } from "./account.tables.ts";
import { endResetLinks, makeResetToken, readVerifyToken, type Shop } from "./email-links.server.ts";

export type Confirmation =
  /** The email is verified; `signedIn` is it, if this browser is signed in to its account. */
  | { outcome: "confirmed"; signedIn: string | null }
  /** Verified, in a browser signed in to another account. */
  | { outcome: "confirmed-for-other"; email: string; signedInAs: string }
  | { outcome: "invalid" }
  | { outcome: "expired" }
  | { outcome: "used" }
  /** A waitlist link, whose button was not clicked before. */
  | { outcome: "press"; email: string }
  /** The account is verified; its waitlist place waits for the button, which signs nobody in. */
  | { outcome: "press-for-place"; email: string }
  /** Opened outside a session of this account: its owner has to say whether it is theirs. */
  | { outcome: "ask"; email: string; hasPassword: boolean }
  | { outcome: "wrong-password"; email: string; hasPassword: true }
  /** The account was taken over by the mailbox; `resetToken` sets its password. */
  | { outcome: "taken-over"; email: string; resetToken: string };

/** Waitlist functions that accounts need, passed in to keep the concepts apart. */
export type Places = {
  isUnconfirmed(userId: string): Promise<boolean>;
  confirm(userId: string): Promise<void>;
};

/** Verifies the email. False if it was verified before; of simultaneous calls one returns true. */
async function verifyEmail(db: Database, userId: string): Promise<boolean> {
  const verified = await db
    .update(users)
    .set({ emailVerified: true, updatedAt: sql`pg_catalog.now()` })
    .where(and(eq(users.id, userId), eq(users.emailVerified, false)))
    .returning({ id: users.id });
  return verified.length > 0;
}

/**
 * Removes every credential from before the proof of the mailbox: sessions, passwords, reset links, linked accounts,
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
 * Handles a mailbox proven by a password reset: an unverified account loses second factors and linked accounts set up
 * before.
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

/** The better-auth endpoint `auth.api.confirmEmail`: opens a link, or submits its button, password or takeover. */
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
          // A silent waitlist account has no other way in.
          const isSilent = ways.length === 0;
          const confirmed = async (signIn: boolean): Promise<Confirmation> => {
            if (session && !isOwnBrowser) {
              return { outcome: "confirmed-for-other", email: user.email, signedInAs: session.user.email };
            }
            if (signIn) {
              const opened = session?.session ?? (await internalAdapter.createSession(user.id));
              await setSessionCookie(ctx, { session: opened, user: { ...user, emailVerified: true } });
            }
            return { outcome: "confirmed", signedIn: signIn || isOwnBrowser ? user.email : null };
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
