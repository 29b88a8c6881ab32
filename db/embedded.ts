/**
 * The embedded database: a real PostgreSQL on DATA_DIR, run as a child process of this one.
 * It listens on loopback only, asks for a password, and keeps fsync on.
 */
import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { DatabaseError, type Client } from "pg";
import { embeddedFault, inUse, isStillHeld } from "./embedded-faults.ts";
import { newPassword, prepareFolder, running } from "./embedded-folder.ts";
import { startProgram, type Environment } from "./embedded-programs.ts";
import { connectAsAdmin, connectAsShop, prepareRoles, SHOP, type Passwords } from "./embedded-roles.ts";

/** Held by the one shop that runs on a data folder, for as long as it runs. */
const SHOP_LOCK = 7_652_272;

/** What was killed or told to end has this long. */
const END_MS = 10_000;

export type EmbeddedDatabase = {
  url: string;
  /** Stops PostgreSQL after the queries under way. */
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

/** A shop that was killed leaves its PostgreSQL behind; one that lives holds the lock. */
async function endOrphan(folder: string, dataDir: string, passwords: Omit<Passwords, "shop">): Promise<void> {
  let isTold = false;
  for (let waited = 0; waited < END_MS; waited += 50) {
    const found = running(folder);
    if (!found) return;
    const client = isTold || !found.port ? null : await connectAsAdmin(found.port, passwords);
    if (client) {
      const orphaned = await isFree(client).finally(() => client.end());
      if (!orphaned) throw inUse(dataDir);
      process.kill(found.pid, "SIGINT");
      isTold = true;
    }
    await pause(50);
  }
  throw inUse(dataDir);
}

/**
 * Starts PostgreSQL on `dataDir`, made on first use, with `env` as its environment. Refuses where another shop runs on
 * the folder.
 */
export async function startEmbeddedDatabase(dataDir: string, env: Environment): Promise<EmbeddedDatabase> {
  const { folder, formerFile, ...prepared } = prepareFolder(dataDir, env);
  const passwords = { ...prepared.passwords, shop: newPassword() };
  await endOrphan(folder, dataDir, passwords);

  const port = await freePort();
  const log: string[] = [];
  let stopping = false;
  let child: ReturnType<typeof startProgram> | undefined;
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
    let ended = false;
    // PostgreSQL on damaged files begins again and again, and hardly ever has a moment in which to say so to a client.
    let isCrashing = false;
    log.length = 0;
    child = startProgram("postgres", settings, env);
    child.stderr?.on("data", (text: Buffer) => {
      isCrashing ||= text.includes("; reinitializing");
      log.splice(0, Math.max(0, log.push(text.toString()) - 20));
    });
    child.once("exit", () => {
      ended = true;
      if (!stopping && guard) void restart();
    });
    child.once("error", () => (ended = true));
    for (let waited = 0; waited < 30_000 && !ended && !isCrashing; waited += 25) {
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
    child.kill("SIGQUIT");
    throw embeddedFault(log.join(""), folder, dataDir);
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

  const stop = async (signal: "SIGINT" | "SIGQUIT" = "SIGINT") => {
    stopping = true;
    await guard?.end().catch(() => {});
    const last = child;
    if (!last || last.exitCode !== null || last.signalCode !== null) return;
    const ended = new Promise((done) => last.once("exit", done));
    last.kill(signal);
    await Promise.race([ended, pause(END_MS)]);
    // One whose files are damaged may never come to an end of its own; what was committed is in its log.
    if (last.kill("SIGKILL")) await ended;
  };

  // Processes of a PostgreSQL that was killed end by themselves, a moment after it.
  const launchWhenFree = async () => {
    for (let waited = 0; ; waited += 250) {
      try {
        return await launch();
      } catch (error) {
        if (!isStillHeld(log.join("")) || waited >= END_MS) throw error;
        await pause(250);
      }
    }
  };

  try {
    await launchWhenFree();
    rmSync(formerFile, { force: true });
  } catch (error) {
    // At once: nothing was written yet, and damaged files may keep it from ending in order.
    await stop("SIGQUIT");
    throw error instanceof DatabaseError ? embeddedFault(`FATAL: ${error.message}`, folder, dataDir) : error;
  }
  return { url: `postgres://${SHOP}:${passwords.shop}@127.0.0.1:${port}/${SHOP}`, stop: () => stop() };
}
