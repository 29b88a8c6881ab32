/** The client of Stripe's own SDK, which is loaded with the first call. */
import type Stripe from "stripe";
import { ProviderError } from "../provider.ts";

/** Pinned, so that an update of the SDK or the account changes nothing by itself. */
const API_VERSION = "2026-10-28.endive";
const TIMEOUT_MS = 10_000;

/** Called once, with the first call. `apiUrl` replaces Stripe's address and is reached through `fetch`. */
export type StripeConnect = () => Promise<{
  secretKey: string;
  apiUrl: string | null;
  fetch?: typeof globalThis.fetch;
}>;

type Opened = { stripe: Stripe; isLive: boolean };

/** `call` throws a ProviderError if the call was not carried out. */
export function stripeClient(connect: StripeConnect) {
  let opened: Promise<Opened> | undefined;
  const client = (): Promise<Opened> =>
    (opened ??= open(connect).catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
  const call = async <Result>(run: (stripe: Stripe) => Promise<Result>): Promise<Result> => {
    const { stripe } = await client();
    return run(stripe).catch((error: unknown) => {
      throw providerError(error);
    });
  };
  return { client, call };
}

async function open(connect: StripeConnect): Promise<Opened> {
  const [{ default: StripeClient }, { secretKey, apiUrl, fetch }] = await Promise.all([import("stripe"), connect()]);
  const place = apiUrl ? new URL(apiUrl) : null;
  const stripe = new StripeClient(secretKey, {
    apiVersion: API_VERSION,
    // Outbound calls use `fetch`, which server/outbound.ts limits to the configured hosts.
    httpClient: StripeClient.createFetchHttpClient(fetch),
    timeout: TIMEOUT_MS,
    // Retries are left to the caller.
    maxNetworkRetries: 0,
    telemetry: false,
    ...(place && {
      host: place.hostname,
      port: place.port,
      protocol: place.protocol === "http:" ? ("http" as const) : ("https" as const),
    }),
  });
  return { stripe, isLive: secretKey.includes("_live_") };
}

function providerError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const { statusCode: status } = error as { statusCode?: number };
  const cause = { cause: error };
  if (status === undefined) return new ProviderError("away", cause);
  // A wrong API key says nothing about a payment.
  if (status === 401 || status === 403) return new ProviderError("denied", cause);
  // Status 409: the same key is in progress.
  if (status === 409 || status === 429) return new ProviderError("busy", cause);
  return new ProviderError(status >= 500 ? "fault" : "refused", cause);
}
