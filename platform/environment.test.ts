import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { authSecret, configOf, placeOf, readEnv } from "./environment.ts";
import { PAYPAL_SANDBOX } from "./payment-environment.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const folder = mkdtempSync(join(tmpdir(), "polara-env-"));
afterAll(() => rmSync(folder, { recursive: true }));

const ofTheWorld = {
  BASE_URL: "https://shop.example",
  AUTH_SECRET,
  DATABASE_URL: "postgres://shop:word@db.example/shop?sslmode=verify-full",
  SMTP_URL: "smtps://user:word@mail.example",
  TRUST_PROXY: "10.0.0.1",
};

describe("a public shop", () => {
  it("is accepted with its own secret, database and mail server over encrypted connections", () => {
    expect(readEnv(ofTheWorld)).toMatchObject(ofTheWorld);
  });

  it.each([
    [{ BASE_URL: "http://shop.example" }, "BASE_URL must begin with https://"],
    [{ CARRIERS: "sandbox" }, "CARRIERS=sandbox sells labels that no carrier knows"],
    [{ TRUST_PROXY: "" }, "TRUST_PROXY must name the proxy"],
    [{ DATABASE_URL: "postgres://shop:word@db.example/shop" }, "DATABASE_URL must end in ?sslmode=verify-full"],
    [{ DATABASE_URL: "postgres://shop:word@db.example/shop?sslmode=no-verify" }, "DATABASE_URL must end in"],
    [{ DATABASE_URL: "postgres://shop:word@db.example/shop?sslmode=require" }, "DATABASE_URL must end in"],
    [
      { DATABASE_URL: "postgres://shop:word@db.example/shop?sslmode=verify-full&sslmode=no-verify" },
      "DATABASE_URL must end in",
    ],
    [{ DATABASE_URL: "postgres://shop:word@127.0.0.1/shop?host=db.example" }, "DATABASE_URL must name its host once"],
    [
      { DATABASE_URL: "postgres://shop:word@db.example/shop?host=db.elsewhere&sslmode=verify-full" },
      "DATABASE_URL must name its host once",
    ],
    [{ DATABASE_URL: "postgres:///shop", PGHOST: "db.example" }, "DATABASE_URL must end in"],
    [{ GOOGLE_ISSUER: "http://accounts.example" }, "GOOGLE_ISSUER must begin with https://"],
    [{ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, "NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody pose"],
    [{ AUTH_SECRET_OLD: "short" }, "AUTH_SECRET_OLD must be the secrets used before"],
  ])("is refused with %j", (more, message) => {
    expect(() => readEnv({ ...ofTheWorld, ...more })).toThrow(message);
  });

  it.each(["postgres://shop:word@127.0.0.1:5432/shop", "postgres://shop:word@localhost/shop?host=/var/run/postgresql"])(
    "may have a local database without encryption: %s",
    (DATABASE_URL) => {
      expect(readEnv({ ...ofTheWorld, DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
    },
  );
});

it.each([
  [{ PORT: "abc" }, "PORT must be a number"],
  [{ PORT: "70000" }, "PORT must be a number"],
  [{ BASE_URL: "shop" }, "BASE_URL must be the shop's full address"],
  [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL must look like postgres://"],
  [{ DATABASE_URL: "postgres://user:password@localhost:99999/polara" }, "DATABASE_URL must look like postgres://"],
  [{ DATABASE_URL: "postgres://user:pass#word@localhost:5432/polara" }, "DATABASE_URL must look like postgres://"],
  [{ SMTP_URL: "http://x" }, "SMTP_URL must look like smtp://"],
  [{ AUTH_SECRET: "short" }, "AUTH_SECRET must have at least 32 characters"],
  [{ HOST: "shop.example" }, "HOST must be an address of this machine, for example HOST=127.0.0.1"],
  [{ MAILBOX: "yes" }, "MAILBOX can only be 'open'"],
  [{ RATE_LIMIT_SCALE: "0" }, "RATE_LIMIT_SCALE must be a number above 0"],
  [{ WORKER: "inside" }, "WORKER can only be 'outside'"],
  [{ TAX: "texas" }, "TAX can be 'stripe', or 'sandbox'"],
  [{ TAX: "stripe" }, "TAX=stripe needs PAYMENTS=stripe"],
  [{ TAX: "stripe", PAYMENTS: "sandbox" }, "TAX=stripe needs PAYMENTS=stripe"],
  [{ CARRIERS: "ups" }, "CARRIERS can be 'sandbox', to try labels on this machine, or 'easypost'"],
  [{ CARRIERS: "easypost" }, "EASYPOST_API_KEY must be set where CARRIERS=easypost"],
  [{ EASYPOST_API_KEY: "k" }, "EASYPOST_API_KEY is set, but labels are not bought at EasyPost"],
  [
    { CARRIERS: "easypost", EASYPOST_API_KEY: "k", EASYPOST_API_URL: "https://labels.example" },
    "EASYPOST_API_URL must be on this machine",
  ],
  [{ GOOGLE_CLIENT_ID: "id" }, "GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be set together"],
  [{ LISTEN_FDS: "2" }, "LISTEN_FDS must be 1"],
  [{ BASE_URL: "https://shop.example" }, "AUTH_SECRET, DATABASE_URL, SMTP_URL must be set"],
])("%j is refused by name, with the remedy", (variables, message) => {
  expect(() => readEnv(variables)).toThrow(message);
});

it("a shop's own secret is random, and its owner's alone", () => {
  const data = join(folder, "data");
  const secret = authSecret(data);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect([data, join(data, "auth-secret")].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  expect(authSecret(data)).toBe(secret);
});

describe("secrets", () => {
  it("can be read from files", () => {
    const file = join(folder, "secret");
    writeFileSync(file, `${AUTH_SECRET}\n`);
    expect(readEnv({ AUTH_SECRET_FILE: file }).AUTH_SECRET).toBe(AUTH_SECRET);
    expect(() => readEnv({ AUTH_SECRET, AUTH_SECRET_FILE: file })).toThrow("AUTH_SECRET and AUTH_SECRET_FILE are both");
    expect(() => readEnv({ SMTP_URL_FILE: join(folder, "none") })).toThrow("SMTP_URL_FILE: the file");
  });
});

describe("pictures", () => {
  const keys = { S3_BUCKET: "shop", S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "secret" };
  const bucket = { S3_ENDPOINT: "https://s3.example", ...keys };
  const pictures = (variables: Record<string, string>) =>
    configOf(readEnv(variables), { databaseUrl: "", secret: "" }).pictures;

  it("are stored in a folder or a bucket", () => {
    expect(pictures({ DATA_DIR: "/srv/shop" })).toEqual({ folder: "/srv/shop/pictures" });
    expect(pictures(bucket)).toEqual({
      bucket: {
        endpoint: "https://s3.example",
        region: "us-east-1",
        name: "shop",
        accessKeyId: "id",
        secretAccessKey: "secret",
      },
    });
  });

  it.each([
    [keys, "S3_ENDPOINT must be set where pictures are kept in a bucket."],
    [{ S3_REGION: "eu" }, "S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY must be set"],
    [{ ...bucket, S3_ENDPOINT: "http://s3.example" }, "S3_ENDPOINT must begin with https://"],
    [{ ...bucket, S3_ENDPOINT: "s3" }, "S3_ENDPOINT must be the full address"],
    [{ ...bucket, S3_BUCKET: "A b" }, "S3_BUCKET must be the name of a bucket"],
  ])("of %o are refused at start", (variables, message) => {
    expect(() => readEnv(variables)).toThrow(message);
  });
});

describe("payments", () => {
  const stripe = { PAYMENTS: "stripe", STRIPE_SECRET_KEY: "sk_test_only", STRIPE_WEBHOOK_SECRET: "whsec_one" };
  const app = { PAYPAL_CLIENT_ID: "id", PAYPAL_SECRET: "secret" };
  const payments = (variables: Record<string, string>) =>
    configOf(readEnv(variables), { databaseUrl: "", secret: "" }).payments;

  it("are none, a sandbox on this machine, or Stripe", () => {
    expect(payments({})).toBeNull();
    expect(payments({ PAYMENTS: "sandbox" })).toEqual({ by: "sandbox" });
    expect(payments({ ...stripe, STRIPE_WEBHOOK_SECRET: "whsec_new,whsec_old" })).toEqual({
      by: "stripe",
      secretKey: "sk_test_only",
      webhookSecrets: ["whsec_new", "whsec_old"],
      apiUrl: null,
    });
    const { STRIPE_WEBHOOK_SECRET: _unset, ...here } = stripe;
    expect(payments(here)).toMatchObject({ webhookSecrets: [] });
    expect(readEnv({ ...ofTheWorld, ...stripe })).toMatchObject(stripe);
  });

  it("take PayPal too", () => {
    const payPal = (variables: Record<string, string>) =>
      configOf(readEnv({ ...stripe, ...variables }), { databaseUrl: "", secret: "" }).payPal;
    const account = { clientId: "id", secret: "secret", webhookId: null, apiUrl: "https://api-m.paypal.com" };
    expect([payPal({}), payPal(app)]).toEqual([null, account]);
    const test = { PAYPAL_WEBHOOK_ID: "8PT597", PAYPAL_API_URL: PAYPAL_SANDBOX };
    expect(payPal({ ...app, ...test })).toEqual({ ...account, webhookId: "8PT597", apiUrl: PAYPAL_SANDBOX });
  });

  it("have keys that can be read from files", () => {
    const file = join(folder, "stripe-key");
    writeFileSync(file, "rk_live_only\n");
    expect(readEnv({ PAYMENTS: "stripe", STRIPE_SECRET_KEY_FILE: file }).STRIPE_SECRET_KEY).toBe("rk_live_only");
  });

  it.each([
    [{ PAYMENTS: "paypal" }, "PAYMENTS can be 'sandbox', to try paying on this machine, or 'stripe'."],
    [{ PAYMENTS: "stripe" }, "STRIPE_SECRET_KEY must be set where PAYMENTS=stripe"],
    [{ ...stripe, STRIPE_SECRET_KEY: "pk_live_public" }, "STRIPE_SECRET_KEY must be a secret or restricted key"],
    [{ ...stripe, STRIPE_WEBHOOK_SECRET: "secret" }, "STRIPE_WEBHOOK_SECRET must be the signing secret of the webhook"],
    [
      { ...stripe, STRIPE_WEBHOOK_SECRET: "whsec_a,whsec_b,whsec_c" },
      "STRIPE_WEBHOOK_SECRET must be the signing secret",
    ],
    [{ STRIPE_SECRET_KEY: "sk_live_only" }, "STRIPE_SECRET_KEY is set, but payment is not by Stripe."],
    [{ ...stripe, PAYMENTS: "sandbox" }, "Set PAYMENTS=stripe, or unset STRIPE_SECRET_KEY."],
    [{ ...stripe, STRIPE_API_URL: "nowhere" }, "STRIPE_API_URL must be the full address"],
    [{ ...stripe, STRIPE_API_URL: "https://evil.example" }, "STRIPE_API_URL must be on this machine"],
    [{ ...ofTheWorld, PAYMENTS: "sandbox" }, "PAYMENTS=sandbox takes no money, so it is refused"],
    [{ HOST: "192.0.2.1", PAYMENTS: "sandbox" }, "PAYMENTS=sandbox takes no money"],
    [{ ...ofTheWorld, PAYMENTS: "sandbox", CLOCK_OFFSET: "45d" }, "PAYMENTS=sandbox takes no money"],
    [{ ...stripe, PAYPAL_SECRET: "secret" }, "PAYPAL_CLIENT_ID and PAYPAL_SECRET must be set"],
    [app, "PAYPAL_CLIENT_ID is set, but payment is not by Stripe."],
    [{ ...stripe, ...app, PAYPAL_WEBHOOK_ID: "a webhook" }, "PAYPAL_WEBHOOK_ID must be the id of the webhook"],
    [{ ...stripe, ...app, PAYPAL_API_URL: "https://evil.example" }, `PAYPAL_API_URL must be ${PAYPAL_SANDBOX} or on`],
    [{ ...ofTheWorld, ...stripe, ...app }, "PAYPAL_WEBHOOK_ID must be set where BASE_URL is not this machine"],
    [{ CLOCK_OFFSET: "45d" }, "it needs PAYMENTS=sandbox"],
    [{ ...stripe, CLOCK_OFFSET: "45d" }, "it needs PAYMENTS=sandbox"],
    [{ PAYMENTS: "sandbox", CLOCK_OFFSET: "6 weeks" }, "CLOCK_OFFSET must be a number of days, hours or minutes"],
    [{ PAYMENTS: "sandbox", CLOCK_OFFSET: "-45d" }, "CLOCK_OFFSET must be a number"],
    [{ ...ofTheWorld, PAYMENTS: "stripe", STRIPE_SECRET_KEY: "sk_live_only" }, "STRIPE_WEBHOOK_SECRET must be set"],
  ])("are refused with %j", (variables, message) => {
    expect(() => readEnv(variables)).toThrow(message);
  });
});

it.each([
  [undefined, 0],
  ["", 0],
  ["45d", 45 * 86_400_000],
  ["12h", 12 * 3_600_000],
  ["30m", 30 * 60_000],
])("CLOCK_OFFSET=%s is %i ms", (CLOCK_OFFSET, ms) => {
  const env = readEnv({ PAYMENTS: "sandbox", CLOCK_OFFSET });
  expect(configOf(env, { databaseUrl: "", secret: "" }).clockOffsetMs).toBe(ms);
});

describe("processes", () => {
  it.each([
    [undefined, 1],
    ["", 1],
    ["3", 3],
    ["auto", availableParallelism()],
  ])("WEB_PROCESSES=%s is %i", (WEB_PROCESSES, count) => {
    expect(readEnv({ WEB_PROCESSES }).WEB_PROCESSES).toBe(count);
  });

  it.each(["0", "-1", "1.5", "all"])("WEB_PROCESSES=%s is refused", (WEB_PROCESSES) => {
    expect(() => readEnv({ WEB_PROCESSES })).toThrow("WEB_PROCESSES must be a number from 1 on, or 'auto'");
  });

  it("WORKER is unset or 'outside'", () => {
    expect(readEnv({}).WORKER).toBeUndefined();
    expect(readEnv({ WORKER: "outside" }).WORKER).toBe("outside");
  });
});

describe("the listening address", () => {
  const own = String(process.pid);

  it("is its own port", () => {
    expect(placeOf(readEnv({}))).toEqual({ port: 3000, host: undefined });
    expect(placeOf(readEnv({ PORT: "3001", HOST: "127.0.0.1" }))).toEqual({ port: 3001, host: "127.0.0.1" });
  });

  it("is the socket passed to this process", () => {
    expect(placeOf(readEnv({ LISTEN_FDS: "1", LISTEN_PID: own }))).toEqual({ fd: 3 });
    expect(placeOf(readEnv({ LISTEN_FDS: "1", LISTEN_PID: "1" }))).toEqual({ port: 3000, host: undefined });
    expect(placeOf(readEnv({ LISTEN_FDS: "1" }))).toEqual({ port: 3000, host: undefined });
  });
});
