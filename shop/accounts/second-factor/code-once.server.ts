/**
 * A code of an authenticator app works once, and only in its own 30 seconds: whoever looks over a shoulder, or sends it
 * twice at the same moment, is refused.
 */
import { createOTP } from "@better-auth/utils/otp";
import type { BetterAuthPlugin, GenericEndpointContext } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import { eq, sql } from "drizzle-orm";
import type { Database } from "../../../db/connection.server.ts";
import { twoFactors } from "../account.tables.ts";

const STEP_MS = 30_000;

/**
 * Before better-auth checks a code, which takes those of the steps beside the present one as well: only the present
 * one's is shown to it. A right one is marked as used, and is refused where it was before.
 */
export function codeOnce(db: Database) {
  return {
    id: "code-once",
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === "/two-factor/verify-totp",
          handler: createAuthMiddleware(async (ctx) => {
            const who = await whoEnters(ctx);
            if (!who) return;
            const [factor] = await db.select().from(twoFactors).where(eq(twoFactors.userId, who.userId));
            // A locked step tells nothing of the code; it is locked for those only who have no session.
            const isLocked = factor?.lockedUntil && factor.lockedUntil > new Date();
            if (!factor || (isLocked && !who.hasSession)) return;
            const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: factor.secret });
            const { code, ...body } = ctx.body as { code: string };
            const step = Math.floor(Date.now() / STEP_MS);
            // better-auth counts it as a wrong one.
            if (code !== (await createOTP(secret).hotp(step))) return { context: { body: { ...body, code: "" } } };
            if (await useStep(db, factor.id, step)) return;
            throw new APIError("UNAUTHORIZED", { code: "CODE_ALREADY_USED", message: "That code was used already" });
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/** Whose code it is: that of the session, or of the password that was just shown. */
async function whoEnters(ctx: GenericEndpointContext): Promise<{ userId: string; hasSession: boolean } | null> {
  const session = await getSessionFromCtx(ctx, { disableRefresh: true });
  if (session) return { userId: session.user.id, hasSession: true };
  const { name } = ctx.context.createAuthCookie("two_factor");
  const challenge = await ctx.getSignedCookie(name, ctx.context.secret);
  const userId = challenge && (await ctx.context.internalAdapter.findVerificationValue(challenge))?.value;
  return userId ? { userId, hasSession: false } : null;
}

/** Marks a step as used; false where it, or a later one, was before. Two at once do not both get it. */
async function useStep(db: Database, id: string, step: number): Promise<boolean> {
  const used = await db
    .update(twoFactors)
    .set({ lastUsedStep: step })
    .where(sql`${twoFactors.id} = ${id} AND coalesce(${twoFactors.lastUsedStep}, 0) < ${step}`)
    .returning({ id: twoFactors.id });
  return used.length > 0;
}
