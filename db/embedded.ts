/**
 * The embedded database: PostgreSQL on DATA_DIR as a child process, on loopback only, with a password and fsync. The
 * shop's role owns its database and has no other rights.
 */
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, DatabaseError, escapeLiteral } from "pg";
import {
  ADMIN,
  type Environment,
  adminPassword,
  embeddedFault,
  inUse,
  isTemporary,
  lostPassword,
  newPassword,
  prepareFolder,
  removeStalePidFile,
  running,
  startPostgres,
} from "./embedded-folder.ts";

export const SHOP = "polara";

/** Advisory lock of the one shop that runs on a data folder. */
const SHOP_LOCK = 7_652_272;
const END_MS = 10_000;
const START_MS = 30_000;

export type EmbeddedDatabase = {
  url: string;
  stop(): Promise<void>;
};

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const probe = createServer().once("error", failed);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}

async function connect(role: string, password: string, port: number, database = "postgres"): Promise<Client> {
  const connectionString = `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
  const client = new Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  return client.connect().then(
    () => client,
    (error) => {
      void client.end().catch(() => {});
      throw error;
    },
  );
}

/** Null if PostgreSQL is not ready. Throws if the password is wrong or files are damaged. */
export async function connectAsAdmin(port: number, password: string, database?: string): Promise<Client | null> {
  return connect(ADMIN, password, port, database).catch((error: { code?: string }) => {
    if (error.code === "28P01" || error.code === "28000") throw lostPassword();
    if (error instanceof DatabaseError && /^(XX|58|3D)/.test(error.code ?? "")) throw error;
    return null;
  });
}

/** Creates the shop's role and database if missing, and sets its password for this run. */
async function prepareRoles(admin: Client, password: string): Promise<void> {
  const has = async (query: string) => (await admin.query(query)).rowCount !== 0;
  if (!(await has(`SELECT FROM pg_roles WHERE rolname = '${SHOP}'`))) await admin.query(`CREATE ROLE ${SHOP}`);
  await admin.query(
    `ALTER ROLE ${SHOP} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD ${escapeLiteral(password)}`,
  );
  if (!(await has(`SELECT FROM pg_database WHERE datname = '${SHOP}'`)))
    await admin.query(`CREATE DATABASE ${SHOP} OWNER ${SHOP}`);
}

/** The lock is shared, so that the administrator's session passes it to the shop's without a gap. */
async function acquireLock(client: Client, dataDir: string): Promise<void> {
  const { rows } = await client.query("SELECT pg_try_advisory_lock_shared($1) AS locked", [SHOP_LOCK]);
  if (!rows[0].locked) throw inUse(dataDir);
}

/** Stops the PostgreSQL of a killed shop. If its lock is taken, the shop is alive. */
async function endOrphan(folder: string, dataDir: string): Promise<void> {
  let isSignaled = false;
  for (let waited = 0; waited < END_MS; waited += 50) {
    const found = running(folder);
    if (!found) return;
    const admin = isSignaled || !found.port ? null : await connectAsAdmin(found.port, adminPassword(dataDir));
    if (admin) {
      const { rows } = await admin
        .query("SELECT pg_try_advisory_lock($1) AS locked", [SHOP_LOCK])
        .finally(() => admin.end());
      if (!rows[0].locked) throw inUse(dataDir);
      process.kill(found.pid, "SIGINT");
      isSignaled = true;
    }
    await sleep(50);
  }
  throw inUse(dataDir);
}

class LaunchError extends Error {
  readonly log: string;
  constructor(log: string) {
    super("PostgreSQL did not start");
    this.log = log;
  }
}

async function end(child: ReturnType<typeof startPostgres>, signal: "SIGINT" | "SIGQUIT"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((done) => child.once("exit", done));
  child.kill(signal);
  await Promise.race([ended, sleep(END_MS, undefined, { ref: false })]);
  // Damaged files may prevent shutdown; committed data are in the log.
  if (child.kill("SIGKILL")) await ended;
}

type Server = { child: ReturnType<typeof startPostgres>; guard: Client };
type Place = { dataDir: string; folder: string; env: Environment; password: string };

/** Starts PostgreSQL on `port`. Resolves when the shop's role has the lock. */
async function launch({ dataDir, folder, env, password }: Place, port: number): Promise<Server> {
  removeStalePidFile(folder);
  const child = startPostgres(folder, port, env);
  const log: string[] = [];
  child.stderr?.on("data", (text: Buffer) => log.splice(0, Math.max(0, log.push(text.toString()) - 20)));
  let hasEnded = false;
  for (const event of ["exit", "error"]) child.once(event, () => (hasEnded = true));
  // With damaged files PostgreSQL reinitializes endlessly.
  const isBroken = () => hasEnded || log.some((text) => text.includes("; reinitializing"));
  try {
    for (let waited = 0; waited < START_MS && !isBroken(); waited += 25) {
      const found = running(folder);
      // Another PostgreSQL may listen on the port, so the pid file decides.
      const isOurs = found?.pid === child.pid && found?.isReady;
      const admin = isOurs ? await connectAsAdmin(port, adminPassword(dataDir)) : null;
      if (!admin) {
        await sleep(25);
        continue;
      }
      try {
        await acquireLock(admin, dataDir);
        await prepareRoles(admin, password);
        const guard = await connect(SHOP, password, port);
        await acquireLock(guard, dataDir);
        return { child, guard };
      } finally {
        await admin.end();
      }
    }
    throw new LaunchError(log.join(""));
  } catch (error) {
    // An immediate shutdown is safe before the first write.
    await end(child, "SIGQUIT");
    throw error instanceof DatabaseError ? new LaunchError(`FATAL: ${error.message}`) : error;
  }
}

/** Starts PostgreSQL on `dataDir`, creating it on first use. Throws if another shop runs on it. */
export async function startEmbeddedDatabase(
  dataDir: string,
  env: Environment,
  choosePort = freePort,
): Promise<EmbeddedDatabase> {
  const folder = prepareFolder(dataDir, env);
  await endOrphan(folder, dataDir);
  const password = newPassword();
  let port = 0;
  let server: Server | null = null;
  let launching: Promise<Server | null> = Promise.resolve(null);
  let isStopping = false;

  const start = async () => {
    const launched = launch({ dataDir, folder, env, password }, port);
    launching = launched.catch(() => null);
    server = await launched;
    server.child.once("exit", () => void restart());
  };

  /** PostgreSQL may be killed while the shop runs, which answers 503 until the restart. */
  const restart = async () => {
    server = null;
    for (let attempt = 0; !isStopping && !server; attempt++) {
      await sleep(Math.min(500 * 2 ** attempt, 10_000));
      if (!isStopping) await start().catch(() => {});
    }
  };

  for (let waited = 0; !server; waited += 250) {
    port = await choosePort();
    try {
      await start();
    } catch (error) {
      if (!(error instanceof LaunchError)) throw error;
      if (!isTemporary(error.log) || waited >= END_MS) throw embeddedFault(error.log, folder, dataDir);
      await sleep(250);
    }
  }
  return {
    url: `postgres://${SHOP}:${password}@127.0.0.1:${port}/${SHOP}`,
    async stop() {
      isStopping = true;
      const last = await launching;
      await last?.guard.end().catch(() => {});
      if (last) await end(last.child, "SIGINT");
    },
  };
}

/** The embedded database for a command: as the running shop's role, or PostgreSQL started until `stop`. */
export async function attachEmbedded(dataDir: string, env: Environment): Promise<EmbeddedDatabase> {
  const found = running(join(resolve(dataDir), "postgres"));
  if (!found) return startEmbeddedDatabase(dataDir, env);
  // The administrator sets the shop's role, whose password only the running shop knows.
  const url = `postgres://${ADMIN}:${adminPassword(dataDir)}@127.0.0.1:${found.port}/${SHOP}?options=-c%20role%3D${SHOP}`;
  return { url, stop: async () => {} };
}
