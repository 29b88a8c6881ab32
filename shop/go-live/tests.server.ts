/** Tests of what a shop depends on, each with the real thing: the provider, the carrier, the mail server. */
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { type Acting, writeAudit } from "#shop/audit/audit.server.ts";
import { type CarrierProvider, CarrierError } from "#shop/carriers/carrier-provider.ts";
import { DEFAULT_TAX_CODE } from "#shop/catalog/product.ts";
import { clock } from "#shop/clock.ts";
import { enqueueEmailCall, type MailPermit } from "#shop/mail/enqueue-email.server.ts";
import { MAIL_QUEUE } from "#shop/mail/mailbox.server.ts";
import { formatMoney } from "#shop/money.ts";
import { type PaymentProviders, ProviderError } from "#shop/payments/provider.ts";
import { type TaxProvider, TaxError } from "#shop/tax/tax-provider.ts";
import { placeOf, type TestName } from "./checks.ts";

/** Finding of a test, in words for staff. */
export type Tried = { ok: boolean; text: string };

const NAMES = { stripe: "Stripe", paypal: "PayPal" };
const REFUSED_KEY = "refuses the key, or what it may not do.";
const NO_ANSWER = "did not answer.";

const kindWords = ({ kind }: ProviderError | TaxError): string =>
  kind === "denied" || kind === "refused" ? REFUSED_KEY : NO_ANSWER;

/** Asks each provider for its newest events, which takes its key; the sandbox needs none. */
export async function tryPayments(providers: PaymentProviders, isSandbox: boolean): Promise<Tried> {
  const problems = await Promise.all(
    Object.values(providers).map(async (provider) => {
      try {
        await provider.missed(clock.now());
        return [];
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        return [`${NAMES[provider.name]} ${kindWords(error)}`];
      }
    }),
  );
  const text = problems.flat().join(" ");
  const names = Object.values(providers).map(({ name }) => NAMES[name]);
  if (text) return { ok: false, text };
  if (isSandbox) return { ok: true, text: "The sandbox answered. It takes no keys, so yours weren’t tried." };
  return { ok: true, text: `${names.join(" and ")} answered and accepted the keys.` };
}

const TAXED_CENTS = 100_00;

/** Asks for the tax of $100 at the place of an address. */
export async function tryTax(provider: TaxProvider, address: readonly string[], isSandbox: boolean): Promise<Tried> {
  const place = placeOf(address);
  if (!place) return { ok: false, text: "The return address does not end with city, state and ZIP code." };
  const { city, state, postalCode } = place;
  const line = { productId: "test", quantity: 1, amountCents: TAXED_CENTS, taxCode: DEFAULT_TAX_CODE };
  try {
    const { taxCents } = await provider.quote([line], 0, { state, postalCode });
    const who = isSandbox ? "The sandbox" : "Stripe";
    const text = `${who} answered: ${formatMoney(taxCents)} on ${formatMoney(TAXED_CENTS)} in ${city}, ${state}.`;
    return { ok: true, text: taxCents > 0 ? text : `${text} Without a registration there, Stripe adds none.` };
  } catch (error) {
    if (!(error instanceof TaxError)) throw error;
    const isUnknown = error.kind === "address";
    return { ok: false, text: isUnknown ? `${postalCode} is not in ${state}.` : `Stripe ${kindWords(error)}` };
  }
}

/** Asks the carrier whether it delivers to an address, whose last two lines are street and place. */
export async function tryAddress(
  carrier: CarrierProvider,
  address: readonly string[],
  isSandbox: boolean,
): Promise<Tried> {
  const place = placeOf(address);
  if (!place) return { ok: false, text: "The return address does not end with city, state and ZIP code." };
  try {
    const found = await carrier.check({ line1: address.at(-2) ?? "", line2: "", ...place });
    if (!found) return { ok: false, text: "The carriers do not know this address." };
    const { line1, city, state, postalCode } = found;
    const who = isSandbox ? "The sandbox delivers" : "The carriers deliver";
    return { ok: true, text: `${who} to ${line1}, ${city}, ${state} ${postalCode}.` };
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    return { ok: false, text: `EasyPost ${["401", "403"].includes(error.code) ? REFUSED_KEY : NO_ANSWER}` };
  }
}

const MAIL_SECONDS = 15;

/**
 * Sends an email through outbox, worker and mail server, or the mailbox without one, and waits up to 15 seconds for what
 * becomes of it.
 */
export async function tryMail(db: Database, email: string, permit: MailPermit, hasSmtp: boolean): Promise<Tried> {
  const job = { template: "test-email", email } as const;
  const queued = await db.execute<{ id: string }>(sql`SELECT ${enqueueEmailCall(job, permit)} AS id`);
  const id = queued.rows[0]?.id ?? "";
  for (let waited = 0; waited < MAIL_SECONDS * 2; waited++) {
    await pause(500);
    const { rows } = await db.execute<{ state: string; code: string | null }>(sql`
      SELECT state, concat_ws(' ', output->>'code', output->>'responseCode') AS code FROM pgboss.job
      WHERE name = ${MAIL_QUEUE} AND id = ${id}::uuid`);
    const { state = "", code = "" } = rows[0] ?? {};
    if (state === "completed")
      return {
        ok: true,
        text: hasSmtp
          ? `Sent to ${email}. Check that inbox and its spam folder.`
          : `The email to ${email} stays in the shop’s mailbox, because no mail server is connected.`,
      };
    if (state === "retry" || state === "failed")
      return {
        ok: false,
        text: `The mail server did not accept it${code ? ` (${code})` : ""}. It is tried again for two days.`,
      };
  }
  return { ok: false, text: "Nothing has sent it yet. Does the worker run?" };
}

/** Records that a test ran, and how it ended. */
export const auditTest = (db: Database, by: Acting, test: TestName, { ok }: Tried): Promise<void> =>
  writeAudit(db, by, { action: "go-live.test", after: { test, outcome: ok ? "ok" : "failed" } });
