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

export function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
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

/** Starts a shop on a free port, or on the `socket` that is passed to it, and waits until it is ready. */
export async function startShop(env: Record<string, string> = {}, socket?: number): Promise<Shop> {
  const port = env.PORT ?? String(await freePort());
  const url = `http://localhost:${port}`;
  const { child, output, ended } = launch({ ...env, PORT: port }, socket === undefined ? {} : { socket });
  const deadline = Date.now() + 90_000;
  // On a socket that is shared, another one may answer.
  const isReady = async () =>
    socket === undefined
      ? await fetch(`${url}/readyz`).then(
          (r) => r.ok,
          () => false,
        )
      : output().includes("Polara is open");
  while (!(await isReady())) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The shop did not start:\n${output()}`);
    await new Promise((done) => setTimeout(done, 50));
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
