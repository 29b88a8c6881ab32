/** Limits what this process may call by HTTP to whom the configuration names, even where a response names another address. */
import type { Config } from "../app/config.server.ts";
import { providerOrigins } from "../shop/accounts/google/google.ts";

const STRIPE = "https://api.stripe.com";

/** The origins that the configuration allows: those of sign-in and of payment, where they are set up. */
export const allowedOrigins = ({
  google,
  payments,
  baseUrl,
}: Pick<Config, "google" | "payments" | "baseUrl">): string[] => [
  ...(google ? providerOrigins(google.issuer) : []),
  ...(payments?.by === "stripe" ? [payments.apiUrl ? new URL(payments.apiUrl).origin : STRIPE] : []),
  // The sandbox is within this process, and tells the shop by its own address.
  ...(payments?.by === "sandbox" ? [baseUrl] : []),
];

/** `fetch`, but it refuses every other origin, and every redirect. */
export function fetchOnly(origins: string[], fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const { origin } = new URL(input instanceof Request ? input.url : input);
    if (!origins.includes(origin))
      throw new Error(`The shop calls ${origins.join(", ") || "nobody"}, and not ${origin}`);
    return fetch(input, { ...init, redirect: init?.redirect === "manual" ? "manual" : "error" });
  };
}
