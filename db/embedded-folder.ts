/** The folder of the embedded database: made on first use, and never made anew over one that has lost something. */
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
import { join, resolve } from "node:path";
import { damaged, embeddedFault, lostPassword } from "./embedded-faults.ts";
import { runProgram, type Environment } from "./embedded-programs.ts";
import { ADMIN, type Passwords } from "./embedded-roles.ts";

export const newPassword = () => randomBytes(24).toString("hex");
const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8").trim() : "");
const adminFileIn = (dataDir: string) => join(resolve(dataDir), "postgres-admin-password");

/** Empty where there is none. */
export const adminPassword = (dataDir: string) => read(adminFileIn(dataDir));

function initialize(folder: string, passwordFile: string, dataDir: string, env: Environment): void {
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
  const made = runProgram("initdb", settings, env);
  if (made.status !== 0) throw embeddedFault(made.stderr || String(made.error?.message), folder, dataDir);
  renameSync(partial, folder);
}

/** Makes the folder where there is none yet. Its administrator's password is in a file beside it. */
export function prepareFolder(
  dataDir: string,
  env: Environment,
): { folder: string; passwords: Omit<Passwords, "shop">; formerFile: string } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const folder = join(resolve(dataDir), "postgres");
  const adminFile = adminFileIn(dataDir);
  const formerFile = join(resolve(dataDir), "postgres-password");
  const former = read(formerFile) || null;
  const isNew = !existsSync(folder) || readdirSync(folder).length === 0;
  if (!isNew && !existsSync(join(folder, "PG_VERSION"))) throw damaged(folder, dataDir, "PG_VERSION is missing");

  if (read(adminFile) === "") {
    if (!isNew && former === null) throw lostPassword();
    writeFileSync(adminFile, newPassword(), { mode: 0o600, flush: true });
  }
  chmodSync(adminFile, 0o600);
  if (isNew) initialize(folder, adminFile, dataDir, env);
  return { folder, passwords: { admin: read(adminFile), former }, formerFile };
}

/** Whether a process lives and is at work in the folder, as PostgreSQL is; a zombie is at work nowhere. */
function isAtWork(pid: number, folder: string): boolean {
  // Other systems than Linux do not say.
  if (!existsSync("/proc/self/cwd")) return true;
  try {
    const [there, here] = [statSync(`/proc/${pid}/cwd`), statSync(folder)];
    return there.dev === here.dev && there.ino === here.ino;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

/**
 * The pid and port of the PostgreSQL that runs on the folder. PostgreSQL would refuse to start for as long as anybody
 * has the number in its pid file, so one that is a zombie's or a stranger's is taken away.
 */
export function running(folder: string): { pid: number; port: number } | null {
  const file = join(folder, "postmaster.pid");
  if (!existsSync(file)) return null;
  const [number = 0, , , port = 0] = readFileSync(file, "utf8").split("\n").map(Number);
  const pid = Math.abs(number);
  if (pid > 0) {
    try {
      process.kill(pid, 0);
    } catch {
      // Nobody's, or another user's: PostgreSQL itself sees that this is not the one.
      return null;
    }
    if (isAtWork(pid, folder)) return { pid, port };
  }
  rmSync(file, { force: true });
  return null;
}
