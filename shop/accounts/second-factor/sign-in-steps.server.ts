/** What happens whenever somebody has signed in, by whichever way: the last plugin, so that a pending second factor counts. */
import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";

/** Whose account is opened at this moment for the first time is no stranger to it. */
const NEW_ACCOUNT_MS = 60_000;

/** How an account is opened where nobody had a session of it; a link from a mail has its own letter. */
const WAYS_IN = ["/sign-in/email", "/callback/:id", "/two-factor/verify-totp", "/two-factor/verify-backup-code"];

/**
 * Told of every completed sign-in; may answer with cookies for the browser. `isReturning`: somebody came in to an
 * account that was there before, and not by a link from its mailbox.
 */
export type SignedIn = (
  user: { id: string; emailVerified: boolean },
  headers: Headers,
  isReturning: boolean,
) => Promise<{ name: string; value: string; maxAge: number }[]>;

/** Raises the session to aal2 after a second factor, and calls `signedIn`. */
export function signInSteps(signedIn: SignedIn | undefined) {
  return {
    id: "sign-in-steps",
    hooks: {
      after: [
        {
          matcher: () => true,
          handler: createAuthMiddleware(async (ctx) => {
            const { newSession, session: knownSession } = ctx.context;
            const failed = ctx.context.returned instanceof Error;
            const session = newSession?.session ?? knownSession?.session;
            if (!failed && session && ctx.path?.startsWith("/two-factor/verify-")) {
              await ctx.context.internalAdapter.updateSession(session.token, { aal: "aal2" });
            }
            if (!newSession || !signedIn || !ctx.headers) return;
            const isOld = newSession.user.createdAt.getTime() < Date.now() - NEW_ACCOUNT_MS;
            const isReturning = isOld && !knownSession && WAYS_IN.includes(ctx.path ?? "");
            for (const { name, value, maxAge } of await signedIn(newSession.user, ctx.headers, isReturning)) {
              ctx.setCookie(name, value, { ...ctx.context.authCookies.sessionToken.attributes, maxAge });
            }
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}
