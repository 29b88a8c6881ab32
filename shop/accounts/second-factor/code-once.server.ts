/** Shows better-auth only the codes that work by the shop's rule (app-code.server.ts). */
import type { BetterAuthPlugin, GenericEndpointContext } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { eq } from "drizzle-orm";
import type { Database } from "../../../db/connection.server.ts";
import { twoFactors } from "../account.tables.ts";
import { checkAppCode } from "./app-code.server.ts";

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
            const { code, ...body } = ctx.body as { code: string };
            const is = await checkAppCode(db, ctx.context.secretConfig, factor, code);
            // better-auth counts it as a wrong one.
            if (is === "wrong") return { context: { body: { ...body, code: "" } } };
            if (is === "right") return;
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
