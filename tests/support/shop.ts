/** A whole shop as its own process, the way `npm start` runs it, for tests that come from outside. */
import { spawn, type ChildProcess } from "node:child_process";
import { createServer } from "node:net";

export type Shop = {
  url: string;
  child: ChildProcess;
  output(): string;
  /** Ends it as from a terminal. */
  stop(): Promise<number | null>;
  /** Ends it as a service manager does: it drains first. */
  terminate(): Promise<number | null>;
  kill(): Promise<void>;
};

/** What Node is told in every shop that is not told otherwise. */
export const QUICK_PASSWORDS = `--import=${new URL("quick-passwords.ts", import.meta.url).href}`;
/** For a shop that hashes passwords as `npm start` has it. */
export const TRUE_PASSWORDS = { NODE_OPTIONS: "" };

/** Below those that the system gives to whoever asks for any, so that nobody else is given one of them. */
const PORTS = { from: 20_000, to: 32_000, each: 100 };

/** Whether a port could be listened on. One that is kept is this process's until it ends. */
function listens(port: number, isKept: boolean): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer().once("error", () => done(false));
    server.unref().listen(port, () => (isKept ? done(true) : server.close(() => done(true))));
  });
}

/** Ports that no other process of any test run takes: who keeps the first of a hundred has the others. */
async function* takePorts(): AsyncGenerator<number, never> {
  let first = PORTS.from;
  while (!(await listens(first, true))) {
    first += PORTS.each;
    if (first === PORTS.to) throw new Error(`The ports from ${PORTS.from} to ${PORTS.to} are all taken.`);
  }
  for (let n = 1; ; n = (n % (PORTS.each - 1)) + 1) if (await listens(first + n, false)) yield first + n;
}

/** The process's own, where each test file has modules of its own. */
const run = globalThis as { polaraPorts?: ReturnType<typeof takePorts> };

/** A port on which nothing listens, and which nobody else is given while it is put to use. */
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
): {
  child: ChildProcess;
  output(): string;
  ended: Promise<number | null>;
} {
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
export async function startShop(env: Record<string, string> = {}, socket?: number): Promise<Shop> {
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
    stop() {
      child.kill("SIGINT");
      return ended;
    },
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
