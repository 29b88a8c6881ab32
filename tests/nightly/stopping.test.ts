/** Graceful shutdown: no request is lost, since load balancers are notified first. */
import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { it } from "vitest";
import { ask, PATHS, PAUSE_MS, startBusyClients, type Answer } from "../support/busy-clients.ts";
import { useFreshDatabase } from "../support/fresh-database.ts";
import { startShop, type Shop } from "../support/shop.ts";

const database = useFreshDatabase();
const CLIENTS = 20;
const COUNTS = ["1", "2"];

// A wait for a drain runs beside the others.
it.concurrent.for(COUNTS)(
  "SIGTERM drains %s processes, even if each gets it, and /readyz says draining",
  async (count, { expect }) => {
    const shop = await startShop({ DATABASE_URL: database.url, WEB_PROCESSES: count });
    const children = () =>
      [...shop.output().matchAll(/"pid":(\d+),"msg":"a process has started"/g)].map(([, pid]) => Number(pid));
    await expect.poll(() => children().length).toBe(count === "1" ? 0 : 3);
    const answers: Answer[] = [];
    const agents = Array.from({ length: CLIENTS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    /** Like a proxy: keeps the connection until it is closed, and never sends twice. */
    const clients = agents.map(async (agent) => {
      for (let n = 0; ; n++) {
        const answer = await ask(agent, shop.url, PATHS[n % PATHS.length] ?? "/");
        answers.push(answer);
        if (answer.connection === "close") return;
        await pause(PAUSE_MS);
      }
    });
    await expect.poll(() => answers.length).toBeGreaterThan(CLIENTS * 5);

    const ended = shop.terminate();
    for (const pid of children()) process.kill(pid, "SIGTERM");
    await expect.poll(async () => (await ask(new Agent(), shop.url, "/readyz")).text).toBe("draining");
    await Promise.all(clients);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(answers.filter(({ connection }) => connection === "close")).toHaveLength(CLIENTS);
    expect(await ended).toBe(0);
    for (const pid of children()) expect(() => process.kill(pid, 0)).toThrow();
  },
);

/** Listens in a thread that then stands still: the socket is there, and what connects waits. */
const HOLD = `
  const { parentPort } = require("node:worker_threads");
  const server = require("node:net").createServer().listen(0, "localhost", 511, () => {
    parentPort.postMessage({ fd: server._handle.fd, port: server.address().port });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

/** A socket that is passed to one shop after another, as systemd does it. */
async function holdSocket() {
  const thread = new Worker(HOLD, { eval: true });
  const { fd, port } = await new Promise<{ fd: number; port: number }>((done) => thread.once("message", done));
  const shops: Shop[] = [];
  return {
    url: `http://localhost:${port}`,
    /** Resolves once this very shop is ready, whoever answers on the socket. */
    async startShop(env: Record<string, string>): Promise<Shop> {
      const shop = await startShop({ LISTEN_FDS: "1", ...env, PORT: String(port) }, fd);
      shops.push(shop);
      return shop;
    },
    async close() {
      await Promise.all(shops.map((shop) => shop.kill()));
      await thread.terminate();
    },
  };
}

it.concurrent.for(COUNTS)(
  "a socket that outlives the shop of %s processes: the next shop takes over, and no request is lost",
  async (count, { expect }) => {
    const env = { DATABASE_URL: database.url, WEB_PROCESSES: count };
    const socket = await holdSocket();
    const clients = { stop: async (): Promise<string[]> => [], answered: () => 0 };
    try {
      const first = await socket.startShop(env);
      Object.assign(clients, startBusyClients(socket.url));
      await expect.poll(clients.answered).toBeGreaterThan(100);
      const second = await socket.startShop(env);
      expect(await first.terminate()).toBe(0);
      const answered = clients.answered();
      await expect.poll(clients.answered).toBeGreaterThan(answered + 100);
      // Connections wait in the socket until the third shop accepts them.
      const ended = second.terminate();
      const third = socket.startShop(env);
      expect(await ended).toBe(0);
      await third;
      const before = clients.answered();
      await expect.poll(clients.answered).toBeGreaterThan(before + 100);
      expect(await clients.stop()).toEqual([]);
    } finally {
      await clients.stop();
      await socket.close();
    }
  },
);
