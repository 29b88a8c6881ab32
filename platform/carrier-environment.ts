/** Carriers from the environment. */
import { z } from "zod";
import type { Config } from "./config.server.ts";
import type { Env } from "./environment.ts";
import { isLocal, optional } from "./environment-values.ts";

export const carrierVariables = {
  CARRIERS: optional(
    z.enum(["sandbox", "easypost"], {
      error:
        "CARRIERS can be 'sandbox', to try labels on this machine, or 'easypost'. Unset it to paste tracking numbers.",
    }),
  ),
  EASYPOST_API_KEY: optional(z.string()),
  EASYPOST_WEBHOOK_SECRET: optional(
    z.string().min(16, "EASYPOST_WEBHOOK_SECRET must have at least 16 characters: the secret of the webhook."),
  ),
  EASYPOST_API_URL: optional(
    z.url({
      protocol: /^https?$/,
      error: "EASYPOST_API_URL must be the full address of a carrier sandbox; unset it to use EasyPost itself.",
    }),
  ),
};

/** Validates carriers: a key for EasyPost, and a sandbox only on a local shop. */
export function checkCarriers(env: Env, isPublic: boolean): void {
  const { CARRIERS, EASYPOST_API_KEY, EASYPOST_WEBHOOK_SECRET, EASYPOST_API_URL } = env;
  if (CARRIERS === "sandbox" && isPublic) {
    throw new Error(
      "CARRIERS=sandbox sells labels that no carrier knows, so it is refused where BASE_URL is not this machine. Set CARRIERS=easypost, or unset it.",
    );
  }
  if (CARRIERS !== "easypost") {
    const set = Object.entries({ EASYPOST_API_KEY, EASYPOST_WEBHOOK_SECRET, EASYPOST_API_URL }).find(
      ([, value]) => value,
    );
    if (set)
      throw new Error(`${set[0]} is set, but labels are not bought at EasyPost. Set CARRIERS=easypost, or unset it.`);
    return;
  }
  if (!EASYPOST_API_KEY)
    throw new Error("EASYPOST_API_KEY must be set where CARRIERS=easypost: a key of your account.");
  if (EASYPOST_API_URL && !isLocal(EASYPOST_API_URL)) {
    throw new Error("EASYPOST_API_URL must be on this machine: it is for tests. Unset it to use EasyPost itself.");
  }
}

export function carriersOf(env: Env): Config["carriers"] {
  const { CARRIERS, EASYPOST_API_KEY: apiKey, EASYPOST_WEBHOOK_SECRET, EASYPOST_API_URL } = env;
  if (CARRIERS === "sandbox") return { by: "sandbox" };
  if (CARRIERS !== "easypost" || !apiKey) return null;
  return {
    by: "easypost",
    apiKey,
    webhookSecret: EASYPOST_WEBHOOK_SECRET ?? null,
    apiUrl: EASYPOST_API_URL ?? null,
  };
}
