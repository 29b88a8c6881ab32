/** Carriers from the environment. */
import { z } from "zod";
import type { EasyPostAccount } from "#shop/carriers/easypost.server.ts";
import type { Config } from "./config.server.ts";
import type { Env } from "./environment.ts";
import { isLocal, optional } from "./environment-values.ts";

const SHIP_FROM = "Polara, 1 Warehouse Way, Albany, NY, 12207, 518-555-0100";

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
  SHIP_FROM: optional(
    z
      .string()
      .regex(
        /^[^,]+,[^,]+,[^,]+, *[A-Z]{2} *, *\d{5} *,[^,]+$/,
        `SHIP_FROM must be the address that parcels leave from, with commas between name, street, city, state, ZIP code and phone: SHIP_FROM="${SHIP_FROM}".`,
      ),
  ),
};

/** Validates carriers: a key and an address for EasyPost, and a sandbox only on a local shop. */
export function checkCarriers(env: Env, isPublic: boolean): void {
  const { CARRIERS, EASYPOST_API_KEY, EASYPOST_WEBHOOK_SECRET, EASYPOST_API_URL, SHIP_FROM: from } = env;
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
  if (!from) throw new Error(`SHIP_FROM must be set where CARRIERS=easypost, for example SHIP_FROM="${SHIP_FROM}".`);
  if (EASYPOST_API_URL && !isLocal(EASYPOST_API_URL)) {
    throw new Error("EASYPOST_API_URL must be on this machine: it is for tests. Unset it to use EasyPost itself.");
  }
}

function contactIn(text: string): EasyPostAccount["from"] {
  const [name = "", line1 = "", city = "", state = "", postalCode = "", phone = ""] = text
    .split(",")
    .map((part) => part.trim());
  return { name, line1, line2: "", city, state, postalCode, phone };
}

export function carriersOf(env: Env): Config["carriers"] {
  const { CARRIERS, EASYPOST_API_KEY: apiKey, EASYPOST_WEBHOOK_SECRET, EASYPOST_API_URL } = env;
  const from = contactIn(env.SHIP_FROM ?? SHIP_FROM);
  if (CARRIERS === "sandbox") return { by: "sandbox", from };
  if (CARRIERS !== "easypost" || !apiKey) return null;
  return {
    by: "easypost",
    apiKey,
    webhookSecret: EASYPOST_WEBHOOK_SECRET ?? null,
    apiUrl: EASYPOST_API_URL ?? null,
    from,
  };
}
