/** What every command of the shop begins and ends with: its configuration and database, and the signals that stop it. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmbeddedDatabase, type EmbeddedDatabase } from "../db/embedded.ts";
import { flushLog, reportError } from "../app/http/log.server.ts";
import { provideConfig, type Config } from "../app/config.server.ts";
import { providePayments } from "../shop/payments/open-provider.server.ts";
import { isLocalName } from "../app/http/local-name.ts";
import { configOf, placeOf, readEnv, systemEnvironment, type Env, type Place } from "./config.ts";
import type { Stop } from "./draining.ts";
import { allowedOrigins, fetchOnly } from "./outbound.ts";
import { openPayments } from "./payments.ts";
import { startFault } from "./start-faults.ts";

/** What a process is told of what it does. */
export type Given = { config: Config; place: Place; hasJobs: boolean };

/** The command of a process that the primary starts. */
export const FORKED = "forked";

/** What goes on until it is stopped. */
export type Running = { stop(how: Stop): Promise<void> };

/** The secret that is kept in DATA_DIR, made once. */
export function authSecret(env: Env): string {
  mkdirSync(env.DATA_DIR, { recursive: true, mode: 0o700 });
  const file = join(env.DATA_DIR, "auth-secret");
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600, flush: true });
  const secret = readFileSync(file, "utf8").trim();
  if (secret.length >= 32) return secret;
  throw new Error(
    `The file ${file} does not hold the shop's secret. Put it back from the backup of this folder, or remove it, which signs everybody out.`,
  );
}

/** Who may read the mailbox, for the lines that are printed at start. */
function mailboxReaders(env: Env): string {
  if (env.MAILBOX) return "open to everybody who reaches the shop (MAILBOX=open)";
  if (isLocalName(new URL(env.BASE_URL).hostname)) return "open to this machine only";
  return "closed: it opens to this machine only, as localhost, or to everybody with MAILBOX=open";
}

const whereData = (env: Env) =>
  env.DATABASE_URL ? `the PostgreSQL at ${new URL(env.DATABASE_URL).host}` : env.DATA_DIR;

/** What is printed once the shop serves. */
export function greeting(env: Env): string {
  const pay =
    env.PAYMENTS === "sandbox"
      ? "  Test payments:   card 4242 4242 4242 4242, any date to come, any three digits\n"
      : "";
  const mail = env.SMTP_URL ? "" : `  Mail it sends:   ${env.BASE_URL}/mailbox, ${mailboxReaders(env)}\n`;
  return `\n  Polara is open:  ${env.BASE_URL}\n${mail}${pay}  Data:            ${whereData(env)}\n`;
}

/** Comes before anything of the shop is loaded: it asks for its configuration, and speaks only with hosts that it names. */
export function enterShop(config: Config): void {
  provideConfig(config);
  const { fetch } = globalThis;
  providePayments(openPayments(config, fetch), config);
  globalThis.fetch = fetchOnly(allowedOrigins(config), fetch);
}

/** Ends the process where an error was foreseen nowhere: what it then holds may be wrong. */
export function endOnBugs(): void {
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => {
      reportError(error, `the process ends: ${event}`);
      flushLog();
      process.exit(1);
    });
  }
}

/** Ends what goes on, then its database, when a signal says so; and at once where an error was foreseen nowhere. */
function stopOnSignals(running: Running, database: EmbeddedDatabase | undefined): void {
  endOnBugs();
  let isStopping = false;
  const stop = async (isUrgent: boolean) => {
    if (isStopping) return;
    isStopping = true;
    await running.stop({ isUrgent, isReplaced: false });
    await database?.stop();
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop(false));
  // Somebody at a terminal does not want to wait.
  process.on("SIGINT", () => void stop(true));
}

/** What a command does: it says what there is to know, and either goes on or has done all. */
type Command = (
  given: Given,
  env: Env,
) => Promise<{
  says: string;
  running?: Running;
  /** What else is said, once it is known. */ adds?: () => Promise<string>;
}>;

/**
 * Starts the embedded database where the shop uses it, then carries out `command` until a signal ends it. Ends the
 * process where something is missing. `alone` names a command that works beside a shop, on the database of DATABASE_URL.
 */
export async function start(command: Command, alone?: string): Promise<void> {
  let database: EmbeddedDatabase | undefined;
  let ownDatabase: string | undefined;
  try {
    const env = readEnv();
    ownDatabase = env.DATABASE_URL;
    if (alone && !env.DATABASE_URL) {
      throw new Error(
        `${alone} needs DATABASE_URL: the embedded database belongs to the shop, which does this itself.`,
      );
    }
    if (!env.DATABASE_URL) database = await startEmbeddedDatabase(env.DATA_DIR, systemEnvironment());
    const config = configOf(env, {
      databaseUrl: env.DATABASE_URL ?? database?.url ?? "",
      secret: env.AUTH_SECRET ?? authSecret(env),
    });
    const { says, running, adds } = await command(
      { config, place: placeOf(env), hasJobs: env.WORKER !== "outside" },
      env,
    );
    // Before it is said: who reads it may end the shop at once.
    if (running) stopOnSignals(running, database);
    console.log(says);
    if (!running) process.exit(0);
    await adds?.().then(
      (line) => void process.stdout.write(line),
      (error: unknown) => reportError(error, "the first owner has no link"),
    );
  } catch (error) {
    console.error(`\n${startFault(error, ownDatabase)}\n`);
    await database?.stop();
    process.exit(1);
  }
}
