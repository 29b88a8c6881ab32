/** What the environment may set, read and checked once at start. docs/operations.md explains each. */
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { z } from "zod";
import type { Config } from "../app/config.server.ts";
import { isLocalName } from "../app/http/local-name.ts";
import { GOOGLE_ISSUER } from "../shop/accounts/google/google.ts";
import { brand } from "../shop/brand.ts";
import { isLocal, optional } from "./config-values.ts";
import { checkPayments, paymentsOf, paymentVariables } from "./payment-config.ts";
import { checkPictures, picturesOf, pictureVariables } from "./picture-config.ts";
import { MAX_POOL } from "./pool-size.ts";

/** An address that people write to: the brand's, unless the operator has another. */
const address = (name: string, ofBrand: string) =>
  optional(z.email(`${name} must be an email address, for example ${name}=${ofBrand}.`)).transform(
    (set) => set ?? ofBrand,
  );

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
  SUPPORT_EMAIL: address("SUPPORT_EMAIL", brand.supportEmail),
  ORDERS_EMAIL: address("ORDERS_EMAIL", brand.ordersEmail),
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
  GOOGLE_CLIENT_ID: optional(z.string()),
  GOOGLE_CLIENT_SECRET: optional(z.string()),
  GOOGLE_ISSUER: optional(
    z.url({
      protocol: /^https?$/,
      error: "GOOGLE_ISSUER must be the full address of an OpenID provider; unset it to use Google itself.",
    }),
  ),
  ...paymentVariables,
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

/** A port, on all addresses where there is no host; or the descriptor of a socket that listens already. */
export type Place = { port: number; host: string | undefined } | { fd: number };

export type Env = Omit<z.output<typeof schema>, "BASE_URL"> & { BASE_URL: string };

/** What a file may bring instead, as secret stores mount it: NAME_FILE names the file. */
const SECRETS = [
  "AUTH_SECRET",
  "AUTH_SECRET_OLD",
  "DATABASE_URL",
  "SMTP_URL",
  "GOOGLE_CLIENT_SECRET",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "S3_SECRET_ACCESS_KEY",
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

/** What a public shop must have: its own secret, database and mail server, and encrypted connections. */
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

/** pg takes a `host` parameter rather than the URL's own, the last `sslmode` of several, and PGHOST where there is no host. */
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

/** Where the shop is reached unless BASE_URL says otherwise. */
function ownAddress(host: string | undefined, port: number): string {
  const name = host === undefined || host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
}

/** The shop's configuration: the environment, with the database and the secret to use where it names none. */
export function configOf(env: Env, { databaseUrl, secret }: { databaseUrl: string; secret: string }): Config {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer } = env;
  return {
    baseUrl: env.BASE_URL,
    secret,
    formerSecrets: env.AUTH_SECRET_OLD?.split(",") ?? [],
    databaseUrl,
    smtpUrl: env.SMTP_URL ?? null,
    supportEmail: env.SUPPORT_EMAIL,
    ordersEmail: env.ORDERS_EMAIL,
    isMailboxOpen: env.MAILBOX === "open",
    google: clientId && clientSecret ? { clientId, clientSecret, issuer: issuer ?? GOOGLE_ISSUER } : null,
    payments: paymentsOf(env),
    pictures: picturesOf(env),
    rateLimitScale: env.RATE_LIMIT_SCALE,
    trustProxy: env.TRUST_PROXY ?? null,
    poolSize: MAX_POOL,
  };
}

/** Where systemd puts the first socket that it passes on. */
const FIRST_PASSED = 3;

/** Where the shop listens: on the socket that was passed to this process, else on one of its own. */
export function placeOf({ LISTEN_FDS, LISTEN_PID, PORT: port, HOST: host }: Env): Place {
  return LISTEN_FDS && LISTEN_PID === String(process.pid) ? { fd: FIRST_PASSED } : { port, host };
}

/** The environment of child processes, without any secret of the shop. */
export function systemEnvironment(): NodeJS.ProcessEnv {
  const names = ["PATH", "HOME", "TZ", "LANG", "SystemRoot", "TEMP"];
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

/** Reads the environment; throws one Error whose message names each variable and the remedy. */
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
  checkPictures(env);
  if (env.GOOGLE_ISSUER && !env.GOOGLE_ISSUER.startsWith("https:") && !isLocal(env.GOOGLE_ISSUER)) {
    throw new Error("GOOGLE_ISSUER must begin with https:// where it is not this machine.");
  }
  if (source.NODE_TLS_REJECT_UNAUTHORIZED === "0") {
    throw new Error(
      "NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody pose as the mail server or database. Unset it; NODE_EXTRA_CA_CERTS=FILE adds a certificate authority of your own.",
    );
  }
  return env;
}
