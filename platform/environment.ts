/** Environment variables, validated at start (docs/operations.md). */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { Config } from "./config.server.ts";
import { isLocal, isLocalName, optional } from "./environment-values.ts";
import { carriersOf, carrierVariables, checkCarriers } from "./carrier-environment.ts";
import { checkPayments, clockOffsetOf, paymentsOf, paymentVariables, payPalOf } from "./payment-environment.ts";
import { checkGoogle, googleOf, googleVariables } from "./google-environment.ts";
import { checkInbox, inboxOf, inboxVariables } from "./inbox-environment.ts";
import { checkPictures, picturesOf, pictureVariables } from "./picture-environment.ts";

export const MAX_POOL = 10;

const PROCESSES = "WEB_PROCESSES must be a number from 1 on, or 'auto' for one for each processor.";

const schema = z.object({
  PORT: z.coerce
    .number({ error: "PORT must be a number between 1 and 65535, for example PORT=3000." })
    .int()
    .min(1, "PORT must be a number between 1 and 65535, for example PORT=3000.")
    .max(65535, "PORT must be a number between 1 and 65535, for example PORT=3000.")
    .default(3000),
  HOST: optional(
    z.string().refine((host) => host === "localhost" || isIP(host) !== 0, {
      error: "HOST must be an address of this machine, for example HOST=127.0.0.1; unset it to listen on all of them.",
    }),
  ),
  BASE_URL: optional(
    z.url({
      protocol: /^https?$/,
      error: "BASE_URL must be the shop's full address, for example BASE_URL=https://shop.example.",
    }),
  ),
  DATA_DIR: z.string().min(1).default(".data"),
  DATABASE_URL: optional(
    z.url({
      protocol: /^postgres(ql)?$/,
      error:
        "DATABASE_URL must look like postgres://user:password@host:5432/name; unset it to use the embedded database.",
    }),
  ),
  SMTP_URL: optional(
    z.url({
      protocol: /^smtps?$/,
      error: "SMTP_URL must look like smtp://user:password@host:587; unset it to use the mailbox at /mailbox.",
    }),
  ),
  MAILBOX: optional(
    z.literal("open", {
      error:
        "MAILBOX can only be 'open': everybody who reaches the shop then reads its mail, for a trial. Unset it to keep the mailbox to this machine.",
    }),
  ),
  AUTH_SECRET: optional(
    z.string().min(32, "AUTH_SECRET must have at least 32 characters, for example from `openssl rand -hex 32`."),
  ),
  AUTH_SECRET_OLD: optional(
    z
      .string()
      .regex(
        /^[^,]{32,}(,[^,]{32,})*$/,
        "AUTH_SECRET_OLD must be the secrets used before, newest first, with commas; each has at least 32 characters.",
      ),
  ),
  ...googleVariables,
  ...paymentVariables,
  ...carrierVariables,
  ...inboxVariables,
  ...pictureVariables,
  RATE_LIMIT_SCALE: z.coerce
    .number({ error: "RATE_LIMIT_SCALE must be a number above 0; 1 is the normal limit." })
    .positive("RATE_LIMIT_SCALE must be a number above 0; 1 is the normal limit.")
    .default(1),
  TRUST_PROXY: optional(z.string()),
  WEB_PROCESSES: z.preprocess(
    (value) => (value === "auto" ? availableParallelism() : value === "" ? undefined : value),
    z.coerce.number({ error: PROCESSES }).int(PROCESSES).min(1, PROCESSES).default(1),
  ),
  WORKER: optional(
    z.literal("outside", {
      error: "WORKER can only be 'outside': `npm run worker` then does the jobs. Unset it to do them inside the shop.",
    }),
  ),
  LISTEN_FDS: optional(z.literal("1", { error: "LISTEN_FDS must be 1: the shop listens on one socket." })),
  LISTEN_PID: optional(z.string()),
});

/** A port (on all addresses if there is no host), or the descriptor of a listening socket. */
export type Place = { port: number; host: string | undefined } | { fd: number };

export type Env = Omit<z.output<typeof schema>, "BASE_URL"> & { BASE_URL: string };

/** Variables that a file can set: NAME_FILE names it, as secret stores mount them. */
const SECRETS = [
  "AUTH_SECRET",
  "AUTH_SECRET_OLD",
  "DATABASE_URL",
  "SMTP_URL",
  "GOOGLE_CLIENT_SECRET",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "PAYPAL_SECRET",
  "EASYPOST_API_KEY",
  "EASYPOST_WEBHOOK_SECRET",
  "S3_SECRET_ACCESS_KEY",
  "INBOX_WEBHOOK_SECRET",
  "IMAP_URL",
] as const;

type Source = Record<string, string | undefined>;

function withFiles(source: Source): Source {
  const read = { ...source };
  for (const name of SECRETS) {
    const file = source[`${name}_FILE`];
    if (!file) continue;
    if (source[name]) throw new Error(`${name} and ${name}_FILE are both set. Unset one of them.`);
    try {
      read[name] = readFileSync(file, "utf8").trim();
    } catch {
      throw new Error(`${name}_FILE: the file ${file} cannot be read. It must hold the value of ${name}.`);
    }
  }
  return read;
}

/** Requirements of a public shop: its own secret, database and mail server, and encrypted connections. */
function checkPublic({ BASE_URL, DATABASE_URL, TRUST_PROXY }: Env, source: Source): void {
  const missing = (["AUTH_SECRET", "DATABASE_URL", "SMTP_URL"] as const).filter((name) => !source[name]);
  if (missing.length > 0) {
    throw new Error(
      `BASE_URL is not this machine, so ${missing.join(", ")} must be set: a public shop needs its own secret, database and mail server.`,
    );
  }
  if (!BASE_URL.startsWith("https:")) {
    throw new Error("BASE_URL must begin with https:// where it is not this machine: passwords and orders go over it.");
  }
  if (!TRUST_PROXY) {
    throw new Error(
      "TRUST_PROXY must name the proxy that ends TLS where BASE_URL is not this machine, for example TRUST_PROXY=loopback: by it the shop knows what came without encryption, and from whom.",
    );
  }
  if (DATABASE_URL) checkDatabase(new URL(DATABASE_URL), source.PGHOST);
}

/** pg prefers a `host` parameter to the URL's host and the last of several `sslmode`s, and falls back to PGHOST. */
function checkDatabase({ hostname, searchParams }: URL, fallback = ""): void {
  const isHere = (host: string) => host === "" || host.startsWith("/") || isLocalName(host);
  if (!searchParams.getAll("host").every(isHere)) {
    throw new Error("DATABASE_URL must name its host once, before the path, and not as a parameter.");
  }
  if (!isHere(hostname || fallback) && searchParams.getAll("sslmode").join() !== "verify-full") {
    throw new Error(
      "DATABASE_URL must end in ?sslmode=verify-full where the database is on another machine; add &sslrootcert=FILE for a certificate authority of your own.",
    );
  }
}

function ownAddress(host: string | undefined, port: number): string {
  const name = host === undefined || host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
}

/** Disk, backups and webhooks that the shop watches. A shop with a database elsewhere may have no data folder yet. */
const watchedOf = (env: Env): Config["watched"] => ({
  folder: existsSync(env.DATA_DIR) ? resolve(env.DATA_DIR) : process.cwd(),
  isPublic: !isLocal(env.BASE_URL),
  webhooks: [...(env.STRIPE_WEBHOOK_SECRET ? ["stripe"] : []), ...(env.PAYPAL_WEBHOOK_ID ? ["paypal"] : [])],
});

/** The configuration from the environment. `databaseUrl` and `secret` are the defaults. */
export function configOf(env: Env, { databaseUrl, secret }: { databaseUrl: string; secret: string }): Config {
  return {
    baseUrl: env.BASE_URL,
    secret,
    formerSecrets: env.AUTH_SECRET_OLD?.split(",") ?? [],
    databaseUrl,
    smtpUrl: env.SMTP_URL ?? null,
    isMailboxOpen: env.MAILBOX === "open",
    inbox: inboxOf(env),
    google: googleOf(env, secret),
    payments: paymentsOf(env),
    payPal: payPalOf(env),
    hasTax: env.TAX !== undefined,
    carriers: carriersOf(env),
    pictures: picturesOf(env),
    rateLimitScale: env.RATE_LIMIT_SCALE,
    trustProxy: env.TRUST_PROXY ?? null,
    poolSize: MAX_POOL,
    watched: watchedOf(env),
    clockOffsetMs: clockOffsetOf(env),
  };
}

/** The first descriptor passed by systemd. */
const FIRST_PASSED = 3;

/** The socket passed by systemd, or a port. */
export function placeOf({ LISTEN_FDS, LISTEN_PID, PORT: port, HOST: host }: Env): Place {
  return LISTEN_FDS && LISTEN_PID === String(process.pid) ? { fd: FIRST_PASSED } : { port, host };
}

export function authSecret(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, "auth-secret");
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600, flush: true });
  const secret = readFileSync(file, "utf8").trim();
  if (secret.length >= 32) return secret;
  throw new Error(
    `The file ${file} does not hold the shop's secret. Put it back from the backup of this folder, or remove it, which signs everybody out.`,
  );
}

/** The environment of child processes, without secrets. */
export function systemEnvironment(): NodeJS.ProcessEnv {
  const names = ["PATH", "HOME", "TZ", "LANG", "SystemRoot", "TEMP"];
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

/** Validates the environment. Throws one Error that names each wrong variable and the remedy. */
export function readEnv(variables: Source = process.env): Env {
  const source = withFiles(variables);
  const parsed = schema.safeParse(source);
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"));
  }
  const own = ownAddress(parsed.data.HOST, parsed.data.PORT);
  const env = {
    ...parsed.data,
    BASE_URL: (parsed.data.BASE_URL ?? own).replace(/\/+$/, ""),
  };
  const isPublic = env.BASE_URL !== own && !isLocal(env.BASE_URL);
  if (isPublic) checkPublic(env, source);
  checkPayments(env, !isLocal(env.BASE_URL));
  checkCarriers(env, !isLocal(env.BASE_URL));
  checkPictures(env);
  checkInbox(env);
  checkGoogle(env);
  if (source.NODE_TLS_REJECT_UNAUTHORIZED === "0") {
    throw new Error(
      "NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody pose as the mail server or database. Unset it; NODE_EXTRA_CA_CERTS=FILE adds a certificate authority of your own.",
    );
  }
  return env;
}
