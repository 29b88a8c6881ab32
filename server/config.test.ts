import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { brand } from "../shop/brand.ts";
import { configOf, placeOf, readEnv } from "./config.ts";

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

describe("a shop that others reach", () => {
  it("is accepted with its own secret, database and mail server, and encrypted lines", () => {
    expect(readEnv(ofTheWorld)).toMatchObject(ofTheWorld);
  });

  it.each([
    [{ BASE_URL: "http://shop.example" }, "BASE_URL must begin with https://"],
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
    "may have its database beside it without encryption: %s",
    (DATABASE_URL) => {
      expect(readEnv({ ...ofTheWorld, DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
    },
  );
});

describe("addresses that people write to", () => {
  it("are the brand's, unless the operator has others", () => {
    expect(readEnv({ SUPPORT_EMAIL: "" })).toMatchObject({
      SUPPORT_EMAIL: brand.supportEmail,
      ORDERS_EMAIL: brand.ordersEmail,
    });
    const own = { SUPPORT_EMAIL: "help@shop.example", ORDERS_EMAIL: "shop@shop.example" };
    expect(readEnv(own)).toMatchObject(own);
  });

  it.each(["SUPPORT_EMAIL", "ORDERS_EMAIL"])("are refused where %s is none", (name) => {
    for (const wrong of ["nobody", "Help <help@shop.example>", "a@b.example, c@d.example"]) {
      expect(() => readEnv({ [name]: wrong })).toThrow(`${name}: ${name} must be an email address`);
    }
  });
});

describe("secrets", () => {
  it("may come from files", () => {
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

  it("are kept in a folder, or in a bucket", () => {
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

  it("have keys that may come from files", () => {
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
    [{ ...ofTheWorld, PAYMENTS: "stripe", STRIPE_SECRET_KEY: "sk_live_only" }, "STRIPE_WEBHOOK_SECRET must be set"],
  ])("are refused with %j", (variables, message) => {
    expect(() => readEnv(variables)).toThrow(message);
  });
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
    expect(() => readEnv({ WORKER: "inside" })).toThrow("WORKER can only be 'outside'");
  });
});

describe("where the shop listens", () => {
  const own = String(process.pid);

  it("is a port of its own", () => {
    expect(placeOf(readEnv({}))).toEqual({ port: 3000, host: undefined });
    expect(placeOf(readEnv({ PORT: "3001", HOST: "127.0.0.1" }))).toEqual({ port: 3001, host: "127.0.0.1" });
  });

  it("is the socket that was passed to this very process", () => {
    expect(placeOf(readEnv({ LISTEN_FDS: "1", LISTEN_PID: own }))).toEqual({ fd: 3 });
    expect(placeOf(readEnv({ LISTEN_FDS: "1", LISTEN_PID: "1" }))).toEqual({ port: 3000, host: undefined });
    expect(placeOf(readEnv({ LISTEN_FDS: "1" }))).toEqual({ port: 3000, host: undefined });
  });

  it("is never one of several sockets", () => {
    expect(() => readEnv({ LISTEN_FDS: "2", LISTEN_PID: own })).toThrow("LISTEN_FDS must be 1");
  });
});
