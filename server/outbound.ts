/** Limits what this process may call by HTTP to the sign-in provider, even where its responses name another address. */
import { providerOrigins } from "../shop/accounts/google/google.ts";

/** The origins that the configuration allows: none where Google is not set up. */
export const allowedOrigins = (google: { issuer: string } | null): string[] =>
  google ? providerOrigins(google.issuer) : [];

/** `fetch`, but it refuses every other origin, and every redirect. */
export function fetchOnly(origins: string[], fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const { origin } = new URL(input instanceof Request ? input.url : input);
    if (!origins.includes(origin))
      throw new Error(`The shop calls ${origins.join(", ") || "nobody"}, and not ${origin}`);
    return fetch(input, { ...init, redirect: init?.redirect === "manual" ? "manual" : "error" });
  };
}
