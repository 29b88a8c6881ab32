/** The HTTP server of one process: listening, draining and stopping. */
import { createServer, type RequestListener, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "#platform/config.server.ts";
import { refusalHeaders } from "./answer-headers.ts";
import { listenForChanges } from "./cache/changes.ts";
import type { Place } from "#platform/environment.ts";
import { stopCarrierSandbox } from "./carriers.ts";
import { stopSandbox } from "./payments.ts";

export type Task = { config: Config; place: Place; hasJobs: boolean };

export type Stop = {
  /** Ctrl-C in a terminal skips the drain. */
  isUrgent: boolean;
  /** A replacement is running, so /readyz stays ready. */
  isReplaced: boolean;
};

export type Running = { stop(how: Stop): Promise<void> };

/** Modules that read the configuration as they load. */
type Jobs = typeof import("./worker.ts");
type Shop = Jobs & Pick<typeof import("./app.ts"), "app" | "cache" | "live" | "startDraining" | "startWritingCounts">;

export type Loaded = { shop: Shop; listener: RequestListener; close?(): Promise<void> };

/** A connection without a byte in either direction ends, after twice as long where an answer waits to be read. */
const SILENCE_MS = 30_000;

/** The accept queue, which Linux caps at 4096. */
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

/** Requests are still accepted while load balancers and keep-alive connections notice. */
const DRAIN_MS = 3_000;
const FINISH_MS = 10_000;

/** Returns the function that drains `server`. Must be called before other listeners are added. */
function drainable(server: Server): (how: Stop) => Promise<void> {
  let isDraining = false;
  server.on("request", (_request, response) => {
    if (isDraining) response.setHeader("Connection", "close");
  });
  return async ({ isUrgent }) => {
    isDraining = true;
    if (!isUrgent) await sleep(DRAIN_MS);
    const closed = new Promise((done) => server.close(done));
    const forced = setTimeout(() => server.closeAllConnections(), FINISH_MS);
    await closed;
    clearTimeout(forced);
  };
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Addresses such as 256.1 have the letters of a host and are none. */
const isHost = (host = "") => HOST.test(host) && URL.canParse(`http://${host}`);

const isHostHeader = (name: string, i: number) => i % 2 === 0 && name.toLowerCase() === "host";

/** Refuses requests without exactly one valid Host, since proxies disagree about duplicates. */
function withOneHost(listener: RequestListener, baseUrl: string): RequestListener {
  return (request, response) => {
    const { rawHeaders, headers } = request;
    if (rawHeaders.filter(isHostHeader).length === 1 && isHost(headers.host)) return listener(request, response);
    response.writeHead(400, {
      ...refusalHeaders(baseUrl),
      "Content-Type": "text/plain; charset=utf-8",
      Connection: "close",
    });
    response.end("It isn’t clear which shop this request is for. Use the shop’s own address.");
  };
}

const closePool = async () => (await import("#platform/database.server.ts")).pool.end();

/** Serves the shop, and runs jobs if configured. Resolves when the server listens. */
export async function serve(
  load: (server: Server) => Promise<Loaded>,
  { config, place, hasJobs }: Task,
): Promise<Running> {
  const server = createServer({ keepAliveTimeout: 65_000 });
  server.timeout = SILENCE_MS;
  const { shop, listener, close } = await load(server);
  await shop.prepareDatabase();
  const changes = listenForChanges(config.databaseUrl, {
    load: shop.loadHeld,
    nextChange: shop.nextChange,
    cache: shop.cache,
    announce: shop.live.announce,
  });
  const [worker] = await Promise.all([hasJobs ? shop.startWorker() : null, changes.ready]);
  const counting = shop.startWritingCounts();
  const drain = drainable(server);
  server.on("request", withOneHost(listener, config.baseUrl));
  await listen(server, place);
  return {
    async stop(how) {
      if (!how.isReplaced) shop.startDraining();
      shop.live.end();
      await drain(how);
      await counting.stop();
      await worker?.stop();
      await changes.stop();
      await Promise.all([stopSandbox(), stopCarrierSandbox()]);
      await closePool();
      await close?.();
    },
  };
}

export async function work(load: () => Promise<Jobs>, { databaseUrl }: Config): Promise<Running> {
  const { prepareDatabase, startWorker, loadHeld, nextChange } = await load();
  await prepareDatabase();
  const changes = listenForChanges(databaseUrl, { load: loadHeld, nextChange });
  const [worker] = await Promise.all([startWorker(), changes.ready]);
  return {
    async stop() {
      await worker.stop();
      await changes.stop();
      await Promise.all([stopSandbox(), stopCarrierSandbox()]);
      await closePool();
    },
  };
}
