/** Google sign-in from the environment. */
import { z } from "zod";
import { GOOGLE_ISSUER } from "#shop/accounts/google.server.ts";
import { signed } from "#shop/purpose-key.server.ts";
import type { Config } from "./config.server.ts";
import type { Env } from "./environment.ts";
import { isLocal, optional } from "./environment-values.ts";

export const googleVariables = {
  GOOGLE_CLIENT_ID: optional(z.string()),
  GOOGLE_CLIENT_SECRET: optional(z.string()),
  GOOGLE_ISSUER: optional(
    z.url({
      protocol: /^https?$/,
      error: "GOOGLE_ISSUER must be the full address of an OpenID provider; unset it to use Google itself.",
    }),
  ),
};

export function checkGoogle({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER: issuer }: Env): void {
  if (Boolean(GOOGLE_CLIENT_ID) !== Boolean(GOOGLE_CLIENT_SECRET)) {
    throw new Error(
      "GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be set together: both come with the OAuth client. Unset both for a shop without Google.",
    );
  }
  if (issuer && !issuer.startsWith("https:") && !isLocal(issuer)) {
    throw new Error("GOOGLE_ISSUER must begin with https:// where it is not this machine.");
  }
}

/** The sandbox is for a local shop, and null for a public one: it lets anybody be anybody. */
export function googleOf(env: Env, secret: string): Config["google"] {
  const { BASE_URL, GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer } = env;
  if (clientId && clientSecret) return { by: "google", clientId, clientSecret, issuer: issuer ?? GOOGLE_ISSUER };
  if (!isLocal(BASE_URL)) return null;
  const own = signed(secret, "google sandbox", "client secret");
  return { by: "sandbox", clientId: "google-sandbox", clientSecret: own, issuer: `${BASE_URL}/google-sandbox` };
}
