/** Processes of the cluster: started without root, and killed with all their descendants. */
import { execFileSync, spawn } from "node:child_process";
import { openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Daemon = {
  /** The process and all its descendants, even outside its process group. */
  pids(): number[];
};

/** PostgreSQL refuses root, so as root all engines run as Debian's user postgres. */
const AS_POSTGRES =
  process.getuid?.() === 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] : [];

/** Gives a folder to the user postgres. */
export function chownFolder(folder: string): void {
  if (AS_POSTGRES.length > 0) execFileSync("chown", ["-R", "postgres:postgres", folder]);
}

const PATH = "/usr/sbin:/usr/bin:/sbin:/bin";

/** Runs a command and returns its output. */
export function runOnce(command: string[], env: Record<string, string>): string {
  const [program = "", ...args] = [...AS_POSTGRES, ...command];
  return execFileSync(program, args, { cwd: "/", env: { PATH, ...env }, encoding: "utf8" });
}

const running = new Set<Daemon>();
process.once("exit", () => signal([...running], "SIGKILL"));
for (const event of ["SIGINT", "SIGTERM"] as const) process.once(event, () => process.exit(1));

/** Starts a daemon that logs to `name`.log in `folder`. `more` are its detached processes. */
export function startDaemon(
  folder: string,
  name: string,
  command: string[],
  { env = {}, more = () => [] }: { env?: Record<string, string>; more?: () => number[] } = {},
): Daemon {
  chownFolder(folder);
  const log = openSync(join(folder, `${name}.log`), "a");
  const [program = "", ...args] = [...AS_POSTGRES, ...command];
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH, LANG: "C.UTF-8", ...env },
    stdio: ["ignore", log, log],
  });
  const daemon = { pids: () => [child.pid ?? 0, ...more()].filter((pid) => pid > 0).flatMap(withDescendants) };
  running.add(daemon);
  return daemon;
}

export function signal(daemons: Daemon[], kind: NodeJS.Signals): void {
  for (const pid of new Set(daemons.flatMap((daemon) => daemon.pids()))) {
    try {
      process.kill(pid, kind);
    } catch {
      // It has ended already.
    }
  }
}

function withDescendants(pid: number): number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const);
  const found = [pid];
  for (const one of found) found.push(...parents.filter(([, parent]) => parent === one).map(([child]) => child));
  return found;
}

function parentOf(pid: string): number {
  try {
    // The program's name, in parentheses, may contain spaces.
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]);
  } catch {
    return 0;
  }
}

/** Waits until `look` returns a value; errors are ignored meanwhile. */
export async function poll<Found>(what: string, look: () => Promise<Found | undefined | false>): Promise<Found> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`Two minutes passed and not yet: ${what}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}
