/** What is kept of an account at Google: whose it is here, one for each customer, and nothing to ask Google by. */
import type { BetterAuthOptions } from "better-auth";

type Hooks = NonNullable<NonNullable<BetterAuthOptions["databaseHooks"]>["account"]>;

/** Google is asked who somebody is, and nothing later: what would let the shop ask again is not kept. */
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
     * better-auth looks for the email where it does not know Google's id. An address may have been given to somebody
     * else since: who has an account at Google already gets no second one. Two at once meet the table's unique key.
     */
    async before({ userId, providerId }, call) {
      const held = await call?.context.internalAdapter.findAccounts(userId);
      return held?.some((account) => account.providerId === providerId) ? false : withoutTokens;
    },
  },
  update: { before: async () => withoutTokens },
} satisfies Hooks;
