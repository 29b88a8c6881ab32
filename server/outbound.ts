/** Outgoing HTTP is limited to configured origins, as a guard against forged URLs in responses. */
import type { Config } from "#platform/config.server.ts";
import { providerOrigins } from "#shop/accounts/google.server.ts";
import { EASYPOST_ORIGINS } from "#shop/carriers/easypost.server.ts";

const STRIPE = "https://api.stripe.com";

export const allowedOrigins = ({
  google,
  payments,
  payPal,
  carriers,
  baseUrl,
}: Pick<Config, "google" | "payments" | "payPal" | "carriers" | "baseUrl">): string[] => [
  ...(google?.by === "google" ? providerOrigins(google.issuer) : []),
  ...(payments?.by === "stripe" ? [payments.apiUrl ? new URL(payments.apiUrl).origin : STRIPE] : []),
  ...(payPal ? [new URL(payPal.apiUrl).origin] : []),
  ...(carriers?.by === "easypost" ? (carriers.apiUrl ? [new URL(carriers.apiUrl).origin] : EASYPOST_ORIGINS) : []),
  // The sandbox runs in this process and calls the shop at its own URL.
  ...(payments?.by === "sandbox" ? [baseUrl] : []),
];

/** As long as the most patient caller waits; some libraries wait forever. */
const TIMEOUT_MS = 20_000;

/** `fetch` that throws for other origins and for redirects, and after twenty seconds without the whole answer. */
export function fetchOnly(origins: string[], fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const { origin } = new URL(input instanceof Request ? input.url : input);
    if (!origins.includes(origin))
      throw new Error(`The shop calls ${origins.join(", ") || "no host"}, and not ${origin}`);
    const ofCaller = init?.signal ?? (input instanceof Request ? input.signal : null);
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(ofCaller ? [ofCaller] : [])]);
    return fetch(input, { ...init, signal, redirect: init?.redirect === "manual" ? "manual" : "error" });
  };
}
