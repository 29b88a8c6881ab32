/** What one process does: it serves the shop on its port, or does the jobs, or both. What it serves is in app.ts. */
import { createServer, type RequestListener, type Server } from "node:http";
import { listenForChanges } from "./cache/changes.ts";
import type { Place } from "./config.ts";
import { drainable } from "./draining.ts";
import { withOneHost } from "./host-header.ts";
import { stopSandbox } from "./payments.ts";
import { enterShop, type Given, type Running } from "./web.ts";

/** Loaded once the process knows its configuration: these modules ask for it. */
export type Jobs = Pick<typeof import("./prepare.ts"), "prepareDatabase"> &
  Pick<typeof import("./worker.ts"), "startWorker">;
export type Shop = Pick<typeof import("./app.ts"), "app" | "cache" | "live" | "startWritingCounts"> & Jobs;

/** What serves requests: the built bundle, or Vite in development. */
export type Loaded = { shop: Shop; listener: RequestListener; close?(): Promise<void> };

/** Connections that wait to be accepted: those of a whole burst. The system has a limit of its own, 4096 on Linux. */
const BACKLOG = 4_096;

function listen(server: Server, place: Place): Promise<void> {
  const { port, host } = "fd" in place ? { port: 0 } : place;
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken. Start with another one: PORT=${port + 1} npm start`,
    EACCES: `Port ${port} is not open to this user. Start with another one: PORT=3000 npm start`,
    EADDRNOTAVAIL: `HOST=${host} is no address of this machine. Set HOST to one that is, or unset it to listen on all of them.`,
    EINVAL: "LISTEN_FDS is set, and no socket was passed to the shop. Start it by systemd's socket unit, or unset it.",
  };
  return new Promise((done, failed) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = reasons[error.code ?? ""];
      failed(reason ? new Error(reason) : error);
    });
    server.listen({ ...place, backlog: BACKLOG }, done);
  });
}

const closePool = async () => (await import("../app/database.server.ts")).pool.end();

/** Serves the shop that `load` brings, and does the jobs where this process has them. Resolves when it listens. */
export async function serve(
  load: (server: Server) => Promise<Loaded>,
  { config, place, hasJobs }: Given,
): Promise<Running> {
  enterShop(config);
  const server = createServer({ keepAliveTimeout: 65_000 });
  const { shop, listener, close } = await load(server);
  await shop.prepareDatabase();
  const changes = listenForChanges(config.databaseUrl, shop.cache, shop.live.announce);
  const [worker] = await Promise.all([hasJobs ? shop.startWorker() : null, changes.ready]);
  const counting = shop.startWritingCounts();
  const drain = drainable(server);
  server.on("request", withOneHost(listener, config.baseUrl));
  await listen(server, place);
  return {
    async stop(how) {
      shop.live.end();
      await drain(how);
      await counting.stop();
      await worker?.stop();
      await changes.stop();
      await stopSandbox();
      await closePool();
      await close?.();
    },
  };
}

/** Does the jobs and serves nothing. */
export async function work(load: () => Promise<Jobs>, { config }: Given): Promise<Running> {
  enterShop(config);
  const { prepareDatabase, startWorker } = await load();
  await prepareDatabase();
  const worker = await startWorker();
  return {
    async stop() {
      await worker.stop();
      await stopSandbox();
      await closePool();
    },
  };
}
