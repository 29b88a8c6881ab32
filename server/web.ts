/** The process that serves: its configuration, database and port, from start to stop. What it serves is in app.ts. */
import { createServer, type RequestListener, type Server } from "node:http";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmbeddedDatabase, type EmbeddedDatabase } from "../db/embedded.ts";
import { flushLog, reportError } from "../app/http/log.server.ts";
import { provideConfig } from "../app/config.server.ts";
import { isLocalName } from "../app/http/local-name.ts";
import { configOf, readEnv, systemEnvironment, type Env } from "./config.ts";
import { drainable } from "./draining.ts";
import { withOneHost } from "./host-header.ts";
import { allowedOrigins, fetchOnly } from "./outbound.ts";
import { startFault } from "./start-faults.ts";

export type Shop = Pick<typeof import("./app.ts"), "app" | "cache" | "startDraining"> &
  Pick<typeof import("./worker.ts"), "startWorker">;

/** What serves requests: the built bundle, or Vite in development. */
export type Loaded = { shop: Shop; listener: RequestListener; close?(): Promise<void> };

function authSecret(env: Env): string {
  mkdirSync(env.DATA_DIR, { recursive: true, mode: 0o700 });
  const file = join(env.DATA_DIR, "auth-secret");
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600, flush: true });
  const secret = readFileSync(file, "utf8").trim();
  if (secret.length >= 32) return secret;
  throw new Error(
    `The file ${file} does not hold the shop's secret. Put it back from the backup of this folder, or remove it, which signs everybody out.`,
  );
}

function listen(server: Server, { PORT: port, HOST: host }: Env): Promise<void> {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken. Start with another one: PORT=${port + 1} npm start`,
    EACCES: `Port ${port} is not open to this user. Start with another one: PORT=3000 npm start`,
    EADDRNOTAVAIL: `HOST=${host} is no address of this machine. Set HOST to one that is, or unset it to listen on all of them.`,
  };
  return new Promise((done, failed) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = reasons[error.code ?? ""];
      failed(reason ? new Error(reason) : error);
    });
    server.listen(port, host, done);
  });
}

/** Who may read the mailbox, for the lines that are printed at start. */
function mailboxReaders(env: Env): string {
  if (env.MAILBOX) return "open to everybody who reaches the shop (MAILBOX=open)";
  if (isLocalName(new URL(env.BASE_URL).hostname)) return "open to this machine only";
  return "closed: it opens to this machine only, as localhost, or to everybody with MAILBOX=open";
}

/** Starts the database, then loads the shop by `load` and serves it. Ends the process where something is missing. */
export async function start(load: (server: Server) => Promise<Loaded>): Promise<void> {
  let database: EmbeddedDatabase | undefined;
  let ownDatabase: string | undefined;
  try {
    const env = readEnv();
    ownDatabase = env.DATABASE_URL;
    if (!env.DATABASE_URL) database = await startEmbeddedDatabase(env.DATA_DIR, systemEnvironment());
    const config = configOf(env, {
      databaseUrl: env.DATABASE_URL ?? database?.url ?? "",
      secret: env.AUTH_SECRET ?? authSecret(env),
    });
    provideConfig(config);
    globalThis.fetch = fetchOnly(allowedOrigins(config.google), globalThis.fetch);
    const server = createServer({ keepAliveTimeout: 65_000 });
    const { shop, listener, close } = await load(server);
    const services = await shop.startWorker(shop.cache);
    const drain = drainable(server);
    server.on("request", withOneHost(listener, config.baseUrl));
    await listen(server, env);

    const where = env.DATABASE_URL ? `the PostgreSQL at ${new URL(env.DATABASE_URL).host}` : env.DATA_DIR;
    console.log(`\n  Polara is open:  ${env.BASE_URL}`);
    if (!env.SMTP_URL) console.log(`  Mail it sends:   ${env.BASE_URL}/mailbox, ${mailboxReaders(env)}`);
    console.log(`  Data:            ${where}\n`);

    for (const event of ["uncaughtException", "unhandledRejection"] as const) {
      process.on(event, (error: unknown) => {
        reportError(error, `the process ends: ${event}`);
        flushLog();
        process.exit(1);
      });
    }

    let stopping = false;
    const stop = async ({ isUrgent }: { isUrgent: boolean }) => {
      if (stopping) return;
      stopping = true;
      shop.startDraining();
      await drain({ isUrgent });
      await services.stop();
      await close?.();
      await database?.stop();
      process.exit(0);
    };
    process.on("SIGTERM", () => void stop({ isUrgent: false }));
    // Somebody at a terminal does not want to wait.
    process.on("SIGINT", () => void stop({ isUrgent: true }));
  } catch (error) {
    console.error(`\n${startFault(error, ownDatabase)}\n`);
    await database?.stop();
    process.exit(1);
  }
}
