/** A whole shop as its own process, the way `npm start` runs it, for tests that come from outside. */
import { spawn } from "node:child_process";
import { createServer } from "node:net";

export type Shop = Awaited<ReturnType<typeof startShop>>;

/** Default Node options of a shop under test. */
export const QUICK_PASSWORDS = `--import=${new URL("quick-passwords.ts", import.meta.url).href}`;

/** Below the system's ephemeral ports. */
const PORTS = { from: 20_000, to: 32_000, each: 100 };

/** True if the port is free; a kept one stays with this process. */
function listens(port: number, isKept: boolean): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer().once("error", () => done(false));
    server.unref().listen(port, () => (isKept ? done(true) : server.close(() => done(true))));
  });
}

/** Ports that no other test process uses: the one that keeps the first of a hundred has the others. */
async function* takePorts(): AsyncGenerator<number, never> {
  let first = PORTS.from;
  while (!(await listens(first, true))) {
    first += PORTS.each;
    if (first === PORTS.to) throw new Error(`The ports from ${PORTS.from} to ${PORTS.to} are all taken.`);
  }
  for (let n = 1; ; n = (n % (PORTS.each - 1)) + 1) if (await listens(first + n, false)) yield first + n;
}

/** Shared by all test files of this process. */
const run = globalThis as { polaraPorts?: ReturnType<typeof takePorts> };

/** A free port that nobody else gets. */
export async function freePort(): Promise<number> {
  return (await (run.polaraPorts ??= takePorts()).next()).value;
}

/**
 * Starts the process without waiting; `ended` resolves with its exit code. `command` is what `npm run` names, `socket` the
 * descriptor of a socket that is passed to it, and `as` a command by way of which it is started.
 */
export function launch(
  env: Record<string, string>,
  { command, socket, as = [] }: { command?: "worker" | "migrate"; socket?: number; as?: string[] } = {},
) {
  let text = "";
  const run = [...as, process.execPath, "build/server/index.js", ...(command ? [command] : [])];
  // The shell knows the number of the process, as a service manager does.
  const child = spawn("/bin/sh", ["-c", 'LISTEN_PID=$$ exec "$@"', "sh", ...run], {
    // Nothing of the runner's own: it sets BASE_URL, among others.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: "production",
      NODE_COMPILE_CACHE: "build/compiled",
      NODE_OPTIONS: QUICK_PASSWORDS,
      RATE_LIMIT_SCALE: "1000",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe", ...(socket === undefined ? [] : [socket])],
  });
  child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  return { child, output: () => text, ended };
}

/** Starts a shop on a free port, or on the `socket` that is passed to it, and waits until it says that it is open. */
export async function startShop(env: Record<string, string> = {}, socket?: number) {
  const port = env.PORT ?? String(await freePort());
  const url = `http://localhost:${port}`;
  const { child, output, ended } = launch({ ...env, PORT: port }, socket === undefined ? {} : { socket });
  const deadline = Date.now() + 90_000;
  // It is not asked: another one may answer where it should.
  while (!output().includes("Polara is open")) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The shop did not start:\n${output()}`);
    await new Promise((done) => setTimeout(done, 20));
  }
  return {
    url,
    child,
    output,
    /** As from a terminal. */
    stop() {
      child.kill("SIGINT");
      return ended;
    },
    /** As a service manager does: it drains first. */
    terminate() {
      child.kill("SIGTERM");
      return ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
