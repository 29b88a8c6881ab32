/** A listening socket that is passed to one shop after another, as systemd does it. Nobody accepts but the shops. */
import { Worker } from "node:worker_threads";
import { startShop, type Shop } from "./shop.ts";

/** Listens in a thread that then stands still: the socket is there, and what connects waits. */
const HOLD = `
  const { parentPort } = require("node:worker_threads");
  const server = require("node:net").createServer().listen(0, "localhost", 511, () => {
    parentPort.postMessage({ fd: server._handle.fd, port: server.address().port });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

export async function holdSocket() {
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
