/** What the surroundings may set, checked once at start. docs/operations.md explains each. */
import { isIP } from "node:net";
import { z } from "zod";

const flagless = (schema: z.ZodType<string>) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

const schema = z.object({
  PORT: z.coerce
    .number({ error: "PORT must be a number between 1 and 65535, for example PORT=3000." })
    .int()
    .min(1, "PORT must be a number between 1 and 65535, for example PORT=3000.")
    .max(65535, "PORT must be a number between 1 and 65535, for example PORT=3000.")
    .default(3000),
  HOST: flagless(
    z.string().refine((host) => host === "localhost" || isIP(host) !== 0, {
      error: "HOST must be an address of this machine, for example HOST=127.0.0.1; unset it to listen on all of them.",
    }),
  ),
  BASE_URL: flagless(
    z.url({
      protocol: /^https?$/,
      error: "BASE_URL must be the shop's full address, for example BASE_URL=https://shop.example.",
    }),
  ),
  DATA_DIR: z.string().min(1).default(".data"),
  DATABASE_URL: flagless(
    z.url({
      protocol: /^postgres(ql)?$/,
      error:
        "DATABASE_URL must look like postgres://user:password@host:5432/name; unset it to use the embedded database.",
    }),
  ),
  SMTP_URL: flagless(
    z.url({
      protocol: /^smtps?$/,
      error: "SMTP_URL must look like smtp://user:password@host:587; unset it to use the mailbox at /mailbox.",
    }),
  ),
  MAILBOX: flagless(
    z.literal("open", {
      error:
        "MAILBOX can only be 'open': everybody who reaches the shop then reads its mail, for a trial. Unset it to keep the mailbox to this machine.",
    }),
  ),
  AUTH_SECRET: flagless(
    z.string().min(32, "AUTH_SECRET must have at least 32 characters, for example from `openssl rand -hex 32`."),
  ),
  GOOGLE_CLIENT_ID: flagless(z.string()),
  GOOGLE_CLIENT_SECRET: flagless(z.string()),
  GOOGLE_ISSUER: flagless(
    z.url({
      protocol: /^https?$/,
      error: "GOOGLE_ISSUER must be the full address of an OpenID provider; unset it to use Google itself.",
    }),
  ),
  RATE_LIMIT_SCALE: z.coerce
    .number({ error: "RATE_LIMIT_SCALE must be a number above 0; 1 is the normal limit." })
    .positive("RATE_LIMIT_SCALE must be a number above 0; 1 is the normal limit.")
    .default(1),
  TRUST_PROXY: flagless(z.string()),
});

export type Env = Omit<z.output<typeof schema>, "BASE_URL"> & { BASE_URL: string };

/** True for the names by which only this machine itself is reached, as they stand in a URL. */
export const isLocalName = (hostname: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/** Where the shop is reached unless BASE_URL says otherwise. */
function ownAddress(host: string | undefined, port: number): string {
  const name = host === undefined || host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
}

/** Reads the environment; throws one Error whose message names each variable and the remedy. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const parsed = schema.safeParse(source);
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"));
  }
  const own = ownAddress(parsed.data.HOST, parsed.data.PORT);
  const env = {
    ...parsed.data,
    BASE_URL: (parsed.data.BASE_URL ?? own).replace(/\/+$/, ""),
  };
  if (env.BASE_URL !== own && !isLocalName(new URL(env.BASE_URL).hostname)) {
    const missing = (["AUTH_SECRET", "DATABASE_URL", "SMTP_URL"] as const).filter((name) => !source[name]);
    if (missing.length > 0) {
      throw new Error(
        `BASE_URL is not this machine, so ${missing.join(", ")} must be set: a public shop needs its own secret, database and mail server.`,
      );
    }
  }
  return env;
}
