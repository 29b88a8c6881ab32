/** A session's token is a new one after every sign-in and every proof of who is there, and the one before ends. */
import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { generateRandomString } from "better-auth/crypto";

const TOKEN_CHARACTERS = 32;

type Context = Parameters<typeof setSessionCookie>[0];
type Opened = Parameters<typeof setSessionCookie>[1];

/**
 * Gives the row of a session another token: it stays the same session, begun when it began. Of two requests at once
 * only one does; the other leaves the cookie to it.
 */
async function replaceToken(ctx: Context, { session, user }: Opened): Promise<void> {
  const token = generateRandomString(TOKEN_CHARACTERS);
  const updated = await ctx.context.internalAdapter.updateSession(session.token, { token });
  if (updated) await setSessionCookie(ctx, { session: { ...session, token }, user });
}

/**
 * The last plugin. Its endpoint `auth.api.renewSession` is for who has just proved who they are: the answer has the
 * cookie of the session under its new token, and none where the session has ended or was renewed meanwhile.
 */
export function sessionTokens() {
  return {
    id: "session-tokens",
    endpoints: {
      renewSession: createAuthEndpoint.serverOnly({ method: "POST" }, async (ctx) => {
        const opened = await getSessionFromCtx(ctx, { disableRefresh: true });
        if (opened) await replaceToken(ctx, opened);
        return null;
      }),
    },
    hooks: {
      after: [
        {
          matcher: () => true,
          handler: createAuthMiddleware(async (ctx) => {
            const { newSession, session: known, returned, internalAdapter, authCookies, secret } = ctx.context;
            const isSecondStep = ctx.path?.startsWith("/two-factor/") ?? false;
            const awaitsSecondStep =
              returned !== null && typeof returned === "object" && "twoFactorRedirect" in returned;
            if (!newSession && !isSecondStep && !awaitsSecondStep) return;
            const old = await ctx.getSignedCookie(authCookies.sessionToken.name, secret);
            if (!old) return;
            const replaced = newSession && newSession.session.token !== old ? newSession.session : null;
            if (replaced || awaitsSecondStep) {
              // Setting up or removing a second factor opens a session, and is no sign-in.
              if (replaced && isSecondStep && known?.session.token === old) {
                await internalAdapter.updateSession(replaced.token, { createdAt: known.session.createdAt });
              }
              await internalAdapter.deleteSession(old);
              return;
            }
            // After Google, the second step raises a session that has been in use.
            const isRight = ctx.path?.startsWith("/two-factor/verify-") && !(returned instanceof Error);
            if (isRight && known && known.session.aal !== "aal2") await replaceToken(ctx, known);
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}
