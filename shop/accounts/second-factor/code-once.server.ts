/** A code of an authenticator app works once: whoever looks over a shoulder, or sends it twice at the same moment, is refused. */
import { createOTP } from "@better-auth/utils/otp";
import type { BetterAuthPlugin, GenericEndpointContext } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import { eq, sql } from "drizzle-orm";
import type { Database } from "../../../db/connection.server.ts";
import { twoFactors } from "../account.tables.ts";

const STEP_MS = 30_000;
/** As many steps before and after the present one are accepted as better-auth does, for clocks that differ. */
const WINDOW = 1;

/** Before better-auth checks a code: a right one is marked as used, and one of the same step or an earlier one is refused. */
export function codeOnce(db: Database) {
  return {
    id: "code-once",
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === "/two-factor/verify-totp",
          handler: createAuthMiddleware(async (ctx) => {
            const userId = await whoEnters(ctx);
            if (!userId) return;
            const [factor] = await db.select().from(twoFactors).where(eq(twoFactors.userId, userId));
            // A locked step tells nothing of the code.
            if (!factor || (factor.lockedUntil && factor.lockedUntil > new Date())) return;
            const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: factor.secret });
            const { code } = ctx.body as { code: string };
            const step = await stepOf(secret, code);
            if (step === null || (await useStep(db, factor.id, step))) return;
            throw new APIError("UNAUTHORIZED", { code: "CODE_ALREADY_USED", message: "That code was used already" });
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/** Whose code it is: that of the session, or of the password that was just shown. */
async function whoEnters(ctx: GenericEndpointContext): Promise<string | null> {
  const session = await getSessionFromCtx(ctx, { disableRefresh: true });
  if (session) return session.user.id;
  const { name } = ctx.context.createAuthCookie("two_factor");
  const challenge = await ctx.getSignedCookie(name, ctx.context.secret);
  return challenge ? ((await ctx.context.internalAdapter.findVerificationValue(challenge))?.value ?? null) : null;
}

/** The step of time that a code belongs to, the latest where it is that of several; null for a wrong one. */
async function stepOf(secret: string, code: string): Promise<number | null> {
  const now = Math.floor(Date.now() / STEP_MS);
  const otp = createOTP(secret);
  for (let step = now + WINDOW; step >= now - WINDOW; step--) if ((await otp.hotp(step)) === code) return step;
  return null;
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
