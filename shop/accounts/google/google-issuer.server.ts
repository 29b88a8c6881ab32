/** A provider whose own description names another issuer than the configured one is not asked who anybody is. */
import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";

/** Comes after genericOAuth, which reads the description at start or, where that failed, before a sign-in. */
export function googleIssuer(issuer: string | undefined) {
  return {
    id: "google-issuer",
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === "/sign-in/social" || path === "/callback/:id",
          handler: createAuthMiddleware(async (ctx) => {
            const { socialProviders, logger } = ctx.context;
            const at = socialProviders.findIndex(({ id }) => id === "google");
            const named = socialProviders[at]?.issuer;
            if (at < 0 || named === issuer) return;
            socialProviders.splice(at, 1);
            const reason = new Error(`The provider calls itself ${named}, and GOOGLE_ISSUER is ${issuer}`);
            logger.error("Google sign-in is off", reason);
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}
