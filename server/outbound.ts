/** What this process may call by HTTP: the sign-in provider, and nothing that an answer or a redirect names beside it. */
import { GOOGLE_ISSUER, providerOrigins } from "../shop/accounts/google/google.ts";
import type { Env } from "./config.ts";

/** The origins that the environment allows: none where Google is not set up. */
export const allowedOrigins = (
  env: Pick<Env, "GOOGLE_CLIENT_ID" | "GOOGLE_CLIENT_SECRET" | "GOOGLE_ISSUER">,
): string[] =>
  env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET ? providerOrigins(env.GOOGLE_ISSUER ?? GOOGLE_ISSUER) : [];

/** `fetch`, but it refuses every other origin, and every redirect. */
export function fetchOnly(origins: string[], fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const { origin } = new URL(input instanceof Request ? input.url : input);
    if (!origins.includes(origin))
      throw new Error(`The shop calls ${origins.join(", ") || "nobody"}, and not ${origin}`);
    return fetch(input, { ...init, redirect: init?.redirect === "manual" ? "manual" : "error" });
  };
}
