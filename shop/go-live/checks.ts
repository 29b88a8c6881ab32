/** Needs of a shop before it sells, as one table of rules. */
import type { PaymentMode } from "#shop/payment-mode.ts";
import { nexusWords } from "#shop/tax/nexus.ts";

/** Intents of the tests that staff can run. */
export type TestName = "mail" | "payments" | "tax" | "address";

/** Facts of the process about itself. */
export type Setup = {
  baseUrl: string;
  isPublic: boolean;
  payments: PaymentMode;
  /** Methods that are offered, in words. */
  payBy: string;
  /** PayPal is on in the settings, but not set up. */
  lacksPayPal: boolean;
  hasSmtp: boolean;
  /** Provider that answers "Continue with Google"; null: the button is left out. */
  google: "sandbox" | "google" | null;
  hasTax: boolean;
  /** Names of the states of tax in the settings. */
  taxStates: readonly string[];
  hasCarriers: boolean;
  supportEmail: string;
  ordersEmail: string;
  returnAddress: readonly string[];
  /** An address is still that of the first edition. */
  isSampleAddress: boolean;
  /** Terms, privacy policy and warranty as staff published them. */
  hasOwnLegalTexts: boolean;
};

export type Facts = Setup & {
  /** Last event that Stripe sent by itself in the mode of the key; null for none in 30 days. */
  webhookAt: Date | null;
  /** Null if none is known. */
  backupAt: Date | null;
  /** Owners who can sign in. */
  owners: number;
};

/** An optional need counts as done. */
type Verdict = { isDone: boolean; isOptional?: true; text: string; at?: Date };
type Rule = {
  title: string;
  /** Null where the question does not arise. */
  judge(facts: Facts, now: Date): Verdict | null;
  link?: { label: string; href: string };
  test?: { name: TestName; isOffered(facts: Facts): boolean };
};

export type Finding = Verdict & { key: string; title: string; link: Rule["link"]; test: TestName | null };

const HOUR_MS = 3_600_000;
/** As the alert of shop/health. */
const OLD_BACKUP_MS = 26 * HOUR_MS;

const done = (text: string, at?: Date): Verdict => ({ isDone: true, text, ...(at && { at }) });
const missing = (text: string, at?: Date): Verdict => ({ isDone: false, text, ...(at && { at }) });

const optional = (text: string): Verdict => ({ isDone: true, isOptional: true, text });

const STRIPE = "https://dashboard.stripe.com";

/** "Wilmington, DE 19801" at the end of an address; null for an address of another form. */
export function placeOf(lines: readonly string[]): { city: string; state: string; postalCode: string } | null {
  const [, city = "", state = "", postalCode = ""] =
    /^(.+), ([A-Z]{2}) (\d{5})(?:-\d{4})?$/.exec(lines.at(-1) ?? "") ?? [];
  return city ? { city, state, postalCode } : null;
}

function judgePayments({ payments, payBy, lacksPayPal }: Facts): Verdict {
  const how = "Connect your Stripe account: set PAYMENTS=stripe and the account’s keys.";
  if (payments === "none") return missing(`Orders are placed without payment. ${how}`);
  if (payments === "sandbox") return missing(`The sandbox takes test cards only. ${how}`);
  if (payments === "test")
    return missing("Stripe’s test mode takes test cards only. Set the live key once test orders go well.");
  if (lacksPayPal)
    return missing("PayPal is on under Settings, but not connected. Set PAYPAL_CLIENT_ID and PAYPAL_SECRET.");
  return done(`The shop takes ${payBy}. Settings has the ways to pay.`);
}

function judgeTax({ hasTax, taxStates, isSampleAddress, returnAddress }: Facts): Verdict {
  const place = placeOf(returnAddress);
  const states = new Intl.ListFormat("en-US").format(taxStates);
  if (states && hasTax) return done(`The checkout adds sales tax in ${states}.`);
  if (states) return missing(`${states} would be taxed, but Stripe Tax is not connected: set TAX=stripe.`);
  if (place && !isSampleAddress && nexusWords(place.state) === null)
    return done(`${place.state} has no sales tax. Tax shows how near the thresholds of other states are.`);
  return missing(
    "No sales tax is collected. Register in your own state at least, connect Stripe Tax (TAX=stripe), and turn the state on under Settings.",
  );
}

function judgeMail({ hasSmtp, ordersEmail, supportEmail }: Facts): Verdict {
  if (!hasSmtp)
    return missing("Emails stay in the shop’s mailbox. Connect your mail server: set SMTP_URL to its address.");
  const sample = [ordersEmail, supportEmail].find((address) => address.endsWith(".example"));
  if (sample) return missing(`${sample} is a sample. Change it under Settings.`);
  return done(`Emails come from ${ordersEmail}, answers go to ${supportEmail}.`);
}

const RULES = {
  address: {
    title: "Public address",
    judge: ({ isPublic, baseUrl }) =>
      isPublic
        ? done(baseUrl)
        : missing(`${baseUrl} is this machine only. Give the shop its own https:// address: set BASE_URL.`),
  },
  payments: {
    title: "Payments",
    judge: judgePayments,
    link: { label: "Keys at Stripe", href: `${STRIPE}/apikeys` },
    test: { name: "payments", isOffered: ({ payments }) => payments !== "none" },
  },
  webhook: {
    title: "Payment webhook",
    judge({ payments, webhookAt, baseUrl }) {
      if (payments === "none") return null;
      if (webhookAt) return done("The last event came", webhookAt);
      if (payments === "sandbox") return missing("No test payment yet: the sandbox sends its news with the first one.");
      return missing(
        `Stripe has sent no news of payments in 30 days. It needs this address: ${baseUrl}/payments/stripe/events`,
      );
    },
    link: { label: "Webhooks at Stripe", href: `${STRIPE}/webhooks` },
  },
  mail: { title: "Email", judge: judgeMail, test: { name: "mail", isOffered: () => true } },
  google: {
    title: "Google sign-in",
    judge({ google }) {
      if (google === "google") return done("Customers can continue with Google.");
      const how = "To offer it, set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.";
      return google === null
        ? optional(`“Continue with Google” is left out. ${how}`)
        : optional(`The sandbox signs anyone in. At a public address “Continue with Google” is left out. ${how}`);
    },
    link: { label: "Credentials at Google", href: "https://console.cloud.google.com/apis/credentials" },
  },
  tax: {
    title: "Sales tax",
    judge: judgeTax,
    link: { label: "Settings", href: "/admin/settings#tax" },
    test: { name: "tax", isOffered: ({ hasTax, returnAddress }) => hasTax && placeOf(returnAddress) !== null },
  },
  returns: {
    title: "Addresses",
    judge: ({ isSampleAddress, returnAddress }) =>
      isSampleAddress
        ? missing(
            "The return address, the postal address, or the one that parcels leave from is a sample. Change it under Settings.",
          )
        : done(returnAddress.join(", ")),
    link: { label: "Settings", href: "/admin/settings#contact" },
    test: { name: "address", isOffered: ({ hasCarriers }) => hasCarriers },
  },
  texts: {
    title: "Legal texts",
    judge: ({ hasOwnLegalTexts }) =>
      hasOwnLegalTexts
        ? done("Terms, privacy policy and warranty are your own.")
        : missing("Terms, privacy policy or warranty are samples. Have a lawyer read them, and publish yours."),
    link: { label: "Texts", href: "/admin/texts" },
  },
  backup: {
    title: "Backup",
    judge({ backupAt }, now) {
      if (!backupAt) return missing("None is known. Back up every hour.");
      const isOld = now.getTime() - backupAt.getTime() > OLD_BACKUP_MS;
      return isOld ? missing("The last one is old:", backupAt) : done("The last one ran", backupAt);
    },
  },
  owner: {
    title: "Second owner",
    judge: ({ owners }) =>
      owners > 1
        ? done(`${owners} owners can sign in.`)
        : missing(
            "If the only owner loses their phone and backup codes, they’re locked out until someone helps from the server.",
          ),
    link: { label: "Staff", href: "/admin/staff" },
  },
} satisfies Record<string, Rule>;

/** Needs that are missing and done, in the order of the work. */
export const findings = (facts: Facts, now: Date): Finding[] =>
  Object.entries<Rule>(RULES).flatMap(([key, { title, link, test, judge }]) => {
    const verdict = judge(facts, now);
    return verdict ? [{ key, title, link, test: test?.isOffered(facts) ? test.name : null, ...verdict }] : [];
  });
