/**
 * Google sign-in: turned off if the provider's metadata names another issuer or weak signatures; no token is stored.
 */
import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";

/** Accepted signature algorithms. Google uses RS256. */
const SIGNATURES = ["RS256", "PS256", "ES256", "EdDSA"];

/** Runs after genericOAuth, which reads the metadata at start or before a sign-in. */
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

export const GOOGLE_ISSUER = "https://accounts.google.com";

/** Google's metadata names these for tokens and signing keys. */
const GOOGLE_ORIGINS = [GOOGLE_ISSUER, "https://oauth2.googleapis.com", "https://www.googleapis.com"];

/** Origins that a sign-in by `issuer` requests: Google's three, or that of another provider. */
export const providerOrigins = (issuer: string): string[] =>
  issuer === GOOGLE_ISSUER ? GOOGLE_ORIGINS : [new URL(issuer).origin];

type Hooks = NonNullable<NonNullable<BetterAuthOptions["databaseHooks"]>["account"]>;

/** Tokens are discarded: the shop never calls Google after sign-in. */
const withoutTokens = {
  data: {
    accessToken: null,
    refreshToken: null,
    idToken: null,
    accessTokenExpiresAt: null,
    refreshTokenExpiresAt: null,
  },
};

export const providerAccounts = {
  create: {
    /**
     * better-auth matches by email if the Google id is unknown. An address may have changed hands, so an account that
     * has a Google id gets no second one; the unique key settles a race.
     */
    async before({ userId, providerId }, call) {
      const linked = await call?.context.internalAdapter.findAccounts(userId);
      return linked?.some((account) => account.providerId === providerId) ? false : withoutTokens;
    },
  },
  update: { before: async () => withoutTokens },
} satisfies Hooks;
