/** What is missing before the shop sells, by configuration and database. */
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { clock } from "#shop/clock.ts";
import { DEFAULT_ADDRESSES } from "#shop/contact-addresses.ts";
import { findings, type Finding, type Setup } from "#shop/go-live/checks.ts";
import { readFacts } from "#shop/go-live/facts.server.ts";

function paymentsOf(): Setup["payments"] {
  const { payments } = config();
  if (!payments || payments.by === "sandbox") return payments?.by ?? "none";
  return payments.secretKey.includes("_live_") ? "live" : "test";
}

function setup(): Setup {
  const { baseUrl, smtpUrl, hasTax, carriers, watched, supportEmail, ordersEmail, returnAddress } = config();
  return {
    baseUrl,
    isPublic: watched.isPublic,
    payments: paymentsOf(),
    hasSmtp: smtpUrl !== null,
    hasTax,
    hasCarriers: carriers !== null,
    supportEmail,
    ordersEmail,
    returnAddress,
    isSampleAddress: returnAddress === DEFAULT_ADDRESSES.returnAddress,
  };
}

export const loadFindings = async (): Promise<Finding[]> => findings(await readFacts(db, setup()), clock.now());

/** Findings that are not done. */
export const loadMissing = async (): Promise<Finding[]> => (await loadFindings()).filter(({ isDone }) => !isDone);
