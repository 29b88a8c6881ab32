/** A provider whose own description names another issuer, or signatures that are not to be believed, is asked nothing. */
import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";

/** By public keys, with SHA-256 or better. Google's is RS256. */
const SIGNATURES = ["RS256", "PS256", "ES256", "EdDSA"];

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
            const provider = socialProviders[at];
            if (!provider) return;
            const { idToken } = provider;
            const signedBy = idToken && "algorithms" in idToken ? (idToken.algorithms ?? []) : [];
            const isKnown = signedBy.length > 0 && signedBy.every((one) => SIGNATURES.includes(one));
            if (provider.issuer === issuer && isKnown) return;
            socialProviders.splice(at, 1);
            const reason = new Error(
              `The provider calls itself ${provider.issuer} and signs by ${signedBy.join() || "nothing it names"}; GOOGLE_ISSUER is ${issuer}`,
            );
            logger.error("Google sign-in is off", reason);
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}
