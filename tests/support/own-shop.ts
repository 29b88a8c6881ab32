/** A shop of one's own for a journey, on a database of its own, whose buyers may pay in a sandbox at another origin. */
import type { Pool } from "pg";
import { openDatabase } from "#db/connection.server.ts";
import { createDatabase } from "./database.setup.ts";
import { startTestPaymentSandbox, type TestPaymentSandbox } from "./payment-sandbox.ts";
import { changeSettings, type ChangedSettings } from "./settings.ts";
import { freePort, startShop } from "./shop.ts";

export type OwnShop = Awaited<ReturnType<typeof startOwnShop>>;

type Options = {
  env?: Record<string, string>;
  /** Settings that it begins with. */
  changed?: ChangedSettings;
  /** Changes the data that it begins with. */
  prepare?: (pool: Pool) => Promise<unknown>;
};

/** The variables by which a shop knows its payment sandbox. */
export const stripeKeys = ({ secretKey, webhookSecret, apiUrl, payPal }: TestPaymentSandbox) => ({
  PAYMENTS: "stripe",
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API_URL: apiUrl,
  PAYPAL_CLIENT_ID: payPal.clientId,
  PAYPAL_SECRET: payPal.secret,
  PAYPAL_WEBHOOK_ID: payPal.webhookId,
  PAYPAL_API_URL: payPal.apiUrl,
});

async function prepared({ changed = {}, prepare }: Options) {
  const { url, drop } = await createDatabase(process.env.E2E_SERVER ?? "", process.env.E2E_TEMPLATE ?? "");
  const { db, pool } = openDatabase(url, 2, null);
  await changeSettings(db, changed);
  await prepare?.(pool);
  return { databaseUrl: url, db, pool, port: String(await freePort()), drop };
}

type Prepared = Awaited<ReturnType<typeof prepared>>;

async function started({ databaseUrl, db, pool, port, drop }: Prepared, env = {}, sandbox?: TestPaymentSandbox) {
  const shop = await startShop({ PORT: port, DATABASE_URL: databaseUrl, ...env });
  const stop = async () => {
    await pool.end();
    await shop.stop();
    await sandbox?.stop();
    await drop();
  };
  return { url: shop.url, db, pool, stop };
}

export const startOwnShop = async (options: Options = {}) => started(await prepared(options), options.env);

export async function startOwnPayingShop(options: Options = {}) {
  const data = await prepared(options);
  const events = `http://localhost:${data.port}/payments/stripe/events`;
  const sandbox = await startTestPaymentSandbox(data.databaseUrl, events);
  return { ...(await started(data, { ...stripeKeys(sandbox), ...options.env }, sandbox)), sandbox };
}
