/** Entry point of `npm start`, `npm run worker`, `npm run migrate` and `npm run dev`. */
import cluster from "node:cluster";
import { startEmbeddedDatabase, type EmbeddedDatabase } from "#db/embedded.ts";
import { provideConfig, type Config } from "#platform/config.server.ts";
import { describeError } from "#platform/describe-error.ts";
import { isLocalName } from "#platform/environment-values.ts";
import { flushLog, log, reportError } from "#platform/log.server.ts";
import { clock } from "#shop/clock.ts";
import { newYorkWords } from "#shop/new-york-time.ts";
import { provideCarriers } from "#shop/carriers/open-carrier.server.ts";
import { providePayments } from "#shop/payments/open-provider.server.ts";
import { provideTax } from "#shop/tax/open-tax.server.ts";
import { authSecret, configOf, placeOf, readEnv, systemEnvironment, type Env } from "#platform/environment.ts";
import { allowedOrigins, fetchOnly } from "./outbound.ts";
import { openCarriers } from "./carriers.ts";
import { withGoogleSandbox } from "./google.ts";
import { openPayments, openTax } from "./payments.ts";
import { poolSize, readMaxConnections } from "./pool-size.ts";
import { runForked, startProcesses } from "./processes.ts";
import { serve, work, type Loaded, type Running, type Task } from "./serve.ts";
import { startFault } from "./start-faults.ts";

// Dynamic imports: these modules read the configuration as they load.
const loadJobs = () => import("./worker.ts");

async function loadShop(...[server]: Parameters<Parameters<typeof serve>[0]>): Promise<Loaded> {
  if (!import.meta.env?.PROD) return (await import("./dev.ts")).load(server);
  const [{ getRequestListener }, app, jobs] = await Promise.all([
    import("@hono/node-server"),
    import("./app.ts"),
    loadJobs(),
  ]);
  // Its cleanup would close the connection of a slow form that is refused, half a second after the answer.
  const listener = getRequestListener(app.app.fetch, { autoCleanupIncoming: false });
  return { shop: { ...app, ...jobs }, listener };
}

/** Provides the configuration and limits outgoing calls to its hosts. */
function bootstrap(config: Config): void {
  provideConfig(config);
  const { fetch } = globalThis;
  providePayments(openPayments(config, fetch), config);
  provideTax(openTax(config, fetch));
  provideCarriers(openCarriers(config, fetch));
  globalThis.fetch = withGoogleSandbox(config, fetchOnly(allowedOrigins(config), fetch));
}

function mailboxReaders({ MAILBOX, BASE_URL }: Env): string {
  if (MAILBOX) return "open to everybody who reaches the shop (MAILBOX=open)";
  if (isLocalName(new URL(BASE_URL).hostname)) return "open to this machine only";
  return "closed: it opens to this machine only, as localhost, or to everybody with MAILBOX=open";
}

function greeting(env: Env): string {
  const data = env.DATABASE_URL ? `the PostgreSQL at ${new URL(env.DATABASE_URL).host}` : env.DATA_DIR;
  const card = "card 4242 4242 4242 4242, any future date, any three digits";
  const pay = env.PAYMENTS === "sandbox" ? `  Test payments:   ${card}\n` : "";
  const moment = `${newYorkWords(clock.now())} in New York`;
  const ahead = env.CLOCK_OFFSET ? `  Its clock says:  ${moment} (CLOCK_OFFSET=${env.CLOCK_OFFSET})\n` : "";
  const mail = env.SMTP_URL ? "" : `  Mail it sends:   ${env.BASE_URL}/mailbox, ${mailboxReaders(env)}\n`;
  return `\n  Polara is open:  ${env.BASE_URL}\n${ahead}${mail}${pay}  Data:            ${data}\n`;
}

/** Unexpected errors end the process, whose state may be wrong. */
function endOnBugs(): void {
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => {
      reportError(error, `the process ends: ${event}`);
      flushLog();
      process.exit(1);
    });
  }
}

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
  process.on("SIGINT", () => void stop(true));
}

async function migrate({ config }: Task): Promise<void> {
  bootstrap(config);
  const { migrations, seeded } = await (await loadJobs()).prepareDatabase();
  const applied = migrations.length > 0 ? `Applied: ${migrations.join(", ")}.` : "No migration was missing.";
  console.log(seeded > 0 ? `${applied} The catalog was empty and has ${seeded} products now.` : applied);
}

async function runShop(task: Task, count: number): Promise<Running> {
  if (count === 1) {
    bootstrap(task.config);
    return serve(loadShop, task);
  }
  const { databaseUrl } = task.config;
  const size = poolSize(count, await readMaxConnections(databaseUrl));
  provideConfig(task.config);
  return startProcesses({ ...task, config: { ...task.config, poolSize: size } }, count);
}

/** The invitation link of a shop without an owner, renewed at each start; empty otherwise. */
async function ownerLine({ secret, baseUrl }: Config): Promise<string> {
  const [{ db }, { firstOwnerToken }] = await Promise.all([
    import("#platform/database.server.ts"),
    import("#shop/staff/invitations.server.ts"),
  ]);
  const token = await firstOwnerToken(db, secret);
  return token === null ? "" : `  Become its owner: ${baseUrl}/admin/join?token=${token}\n\n`;
}

async function start(command: string | undefined): Promise<void> {
  let database: EmbeddedDatabase | undefined;
  let ownDatabase: string | undefined;
  try {
    const env = readEnv();
    ownDatabase = env.DATABASE_URL;
    if (command && !env.DATABASE_URL) {
      throw new Error(
        `npm run ${command} needs DATABASE_URL: the embedded database belongs to the shop, which does this itself.`,
      );
    }
    if (!env.DATABASE_URL) database = await startEmbeddedDatabase(env.DATA_DIR, systemEnvironment());
    const config = configOf(env, {
      databaseUrl: env.DATABASE_URL ?? database?.url ?? "",
      secret: env.AUTH_SECRET ?? authSecret(env.DATA_DIR),
    });
    const task = { config, place: placeOf(env), hasJobs: env.WORKER !== "outside" };
    if (command === "migrate") {
      await migrate(task);
      process.exit(0);
    }
    if (command === "worker") {
      bootstrap(config);
      stopOnSignals(await work(loadJobs, config), undefined);
      console.log("Polara's worker runs: emails and chores.");
    } else {
      stopOnSignals(await runShop(task, env.WEB_PROCESSES), database);
      // Printed after the signal handlers are set, since a reader may stop the shop at once.
      console.log(greeting(env));
      await ownerLine(config).then(
        (line) => process.stdout.write(line),
        (error: unknown) => reportError(error, "the first owner has no link"),
      );
    }
  } catch (error) {
    console.error(`\n${startFault(error, ownDatabase)}\n`);
    await database?.stop();
    process.exit(1);
  }
}

if (cluster.isWorker) {
  await runForked(async ({ role, config, place }) => {
    bootstrap(config);
    const running = await (role === "web"
      ? serve(loadShop, { config, place, hasJobs: false })
      : work(loadJobs, config));
    endOnBugs();
    return running;
  });
} else {
  await start(process.argv[2]);
}

// Libraries may print personal data to the console, so the log keeps only the kind of error.
for (const level of ["error", "warn", "info", "log", "debug"] as const) {
  console[level] = (...written: unknown[]) => {
    const error = written.find((one) => one instanceof Error) ?? new Error("without an error");
    log[level === "error" ? "error" : "warn"]({ error: describeError(error) }, `a library wrote to console.${level}`);
  };
}
