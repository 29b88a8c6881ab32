/** Findings of Go live, by configuration and database. */
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { clock } from "#shop/clock.ts";
import { findings, type Finding, type Setup } from "#shop/go-live/checks.ts";
import { publishedText } from "#shop/content/published.server.ts";
import { firstKeys } from "#shop/content/texts.server.ts";
import { paymentMode } from "#shop/payment-mode.ts";
import { offersPayPal, onlinePaymentMethods } from "#shop/payments/offered.server.ts";
import { readFacts } from "#shop/go-live/facts.server.ts";
import { settings } from "#shop/settings/settings.server.ts";
import { FIRST_SETTINGS, type Settings } from "#shop/settings/settings.ts";
import { US_STATE_CODES, US_STATES } from "#shop/us-states.ts";

/** Addresses to which mail and parcels go, and from which parcels leave. */
const addressesOf = ({ contact, parcels }: Settings, hasCarriers: boolean): string[] =>
  [contact.returnAddress, contact.postalAddress, ...(hasCarriers ? [parcels.shipFrom] : [])].map((address) =>
    JSON.stringify(address),
  );

function setup(): Setup {
  const { baseUrl, smtpUrl, google, hasTax, carriers, watched } = config();
  const { supportEmail, ordersEmail, returnAddress } = settings().contact;
  const samples = addressesOf(FIRST_SETTINGS, carriers !== null);
  return {
    baseUrl,
    isPublic: watched.isPublic,
    payments: paymentMode(),
    payBy: onlinePaymentMethods(),
    lacksPayPal: settings().payments.paypal && !offersPayPal(),
    hasSmtp: smtpUrl !== null,
    google: google?.by ?? null,
    hasTax,
    taxStates: US_STATE_CODES.filter((state) => settings().tax[state]).map((state) => US_STATES[state]),
    hasCarriers: carriers !== null,
    supportEmail,
    ordersEmail,
    returnAddress,
    isSampleAddress: addressesOf(settings(), carriers !== null).some((address) => samples.includes(address)),
    hasOwnLegalTexts: firstKeys("legal").every((key) => publishedText(key) !== null),
  };
}

export const loadFindings = async (): Promise<Finding[]> => findings(await readFacts(db, setup()), clock.now());

/** Findings that are not done. */
export const loadMissing = async (): Promise<Finding[]> => (await loadFindings()).filter(({ isDone }) => !isDone);
