/** What happens whenever somebody has signed in, by whichever way: the last plugin, so that a pending second factor counts. */
import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";

/** Told of every completed sign-in; may answer with cookies for the browser. */
export type SignedIn = (
  user: { id: string; emailVerified: boolean },
  headers: Headers,
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
            for (const { name, value, maxAge } of await signedIn(newSession.user, ctx.headers)) {
              ctx.setCookie(name, value, { ...ctx.context.authCookies.sessionToken.attributes, maxAge });
            }
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}
