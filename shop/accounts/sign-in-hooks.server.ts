/** Steps of every sign-up and sign-in: verification emails, new session tokens, cookies of the shop. */
import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { generateRandomString } from "better-auth/crypto";
import type { Database } from "#db/connection.server.ts";
import { consumeMail, enqueueEmail, type MailPermit } from "#shop/mail/enqueue-email.server.ts";
import { networkOf, type RateLimits, waitMessage } from "#shop/rate-limits/rate-limits.server.ts";
import { type SuspensionReason, suspensionWords } from "./suspension.ts";

const TOKEN_CHARACTERS = 32;
/** Accounts younger than this are not returning. */
const NEW_ACCOUNT_MS = 60_000;
/** Endpoints that open an account without a session; links have their own email. */
const WAYS_IN = ["/sign-in/email", "/callback/:id", "/two-factor/verify-totp", "/two-factor/verify-backup-code"];

type Context = Parameters<typeof setSessionCookie>[0];
type Opened = Parameters<typeof setSessionCookie>[1];

/**
 * Called after every completed sign-in; may return cookies. `isReturning`: an existing account was opened, not by a
 * link from its mailbox.
 */
export type SignedIn = (
  user: { id: string; emailVerified: boolean },
  headers: Headers,
  isReturning: boolean,
) => Promise<{ name: string; value: string; maxAge: number }[]>;

/** Replaces a session's token and keeps its row and start. Of two simultaneous requests one sets the cookie. */
async function replaceToken(ctx: Context, { session, user }: Opened): Promise<void> {
  const token = generateRandomString(TOKEN_CHARACTERS);
  const updated = await ctx.context.internalAdapter.updateSession(session.token, { token });
  if (updated) await setSessionCookie(ctx, { session: { ...session, token }, user });
}

/** Raises the session after a second factor, and lets the shop set its cookies. */
const afterSignIn = (signedIn: SignedIn | undefined) =>
  createAuthMiddleware(async (ctx) => {
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
  });

/** Ends the session before a sign-in, and replaces the token of a session that a second factor raised. */
const rotateToken = createAuthMiddleware(async (ctx) => {
  const { newSession, session: known, returned, internalAdapter, authCookies, secret } = ctx.context;
  const isSecondStep = ctx.path?.startsWith("/two-factor/") ?? false;
  const awaitsSecondStep = returned !== null && typeof returned === "object" && "twoFactorRedirect" in returned;
  if (!newSession && !isSecondStep && !awaitsSecondStep) return;
  const old = await ctx.getSignedCookie(authCookies.sessionToken.name, secret);
  if (!old) return;
  const replaced = newSession && newSession.session.token !== old ? newSession.session : null;
  if (replaced || awaitsSecondStep) {
    // Turning the second factor on or off is no sign-in.
    if (replaced && isSecondStep && known?.session.token === old) {
      await internalAdapter.updateSession(replaced.token, { createdAt: known.session.createdAt });
    }
    await internalAdapter.deleteSession(old);
    return;
  }
  // After Google, the second step raises an existing session.
  const isRight = ctx.path?.startsWith("/two-factor/verify-") && !(returned instanceof Error);
  if (isRight && known && known.session.aal !== "aal2") await replaceToken(ctx, known);
});

/**
 * The last plugin, so that a pending second factor counts. `auth.api.renewSession` follows a reauthentication: the
 * answer sets the cookie of the new token, unless the session has ended or was renewed meanwhile.
 */
export function signInHooks(signedIn: SignedIn | undefined) {
  const always = () => true;
  return {
    id: "sign-in-hooks",
    endpoints: {
      renewSession: createAuthEndpoint.serverOnly({ method: "POST" }, async (ctx) => {
        const opened = await getSessionFromCtx(ctx, { disableRefresh: true });
        if (opened) await replaceToken(ctx, opened);
        return null;
      }),
    },
    hooks: {
      after: [
        { matcher: always, handler: afterSignIn(signedIn) },
        { matcher: always, handler: rotateToken },
      ],
    },
  } satisfies BetterAuthPlugin;
}

type Hooks = NonNullable<BetterAuthOptions["databaseHooks"]>;
type Call = { headers?: Headers | undefined } | null | undefined;

const networkBehind = (call: Call) => networkOf(call?.headers?.get("x-caller-address") ?? "");

/**
 * Consumes the email limit before queueing. A new account over the limit is refused with TOO_MANY_EMAILS, since nobody
 * could verify it. No session opens for an unverified email or, with ACCOUNT_SUSPENDED, in a suspended account.
 */
export function verificationMail(db: Database, rateLimits: RateLimits) {
  /** The permit of the account being created by a request. */
  const permits = new WeakMap<object, MailPermit>();
  const consume = (to: string, call: Call) => consumeMail(rateLimits, { to, network: networkBehind(call) });
  return {
    user: {
      create: {
        async before(user, call) {
          if (user.emailVerified) return;
          const decision = await consume(user.email, call);
          if (!decision.permit) {
            const message = waitMessage(decision.wait);
            throw new APIError("TOO_MANY_REQUESTS", { code: "TOO_MANY_EMAILS", message });
          }
          if (call) permits.set(call, decision.permit);
        },
        async after(user, call) {
          const permit = call && permits.get(call);
          if (permit) await enqueueEmail(db, { template: "verify-email", userId: user.id }, permit);
        },
      },
    },
    session: {
      create: {
        async before(session, call) {
          const user = await call?.context.internalAdapter.findUserById(session.userId);
          const reason = (user as { suspensionReason?: SuspensionReason | null } | null | undefined)?.suspensionReason;
          if (reason) throw new APIError("FORBIDDEN", { code: "ACCOUNT_SUSPENDED", message: suspensionWords(reason) });
          if (call?.path !== "/sign-in/email" || !user || user.emailVerified) return;
          const { permit } = await consume(user.email, call);
          if (permit) await enqueueEmail(db, { template: "verify-email", userId: user.id }, permit);
          throw new APIError("FORBIDDEN", { code: "EMAIL_NOT_VERIFIED", message: "Email not confirmed" });
        },
      },
    },
  } satisfies Hooks;
}
