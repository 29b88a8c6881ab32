/** Listens for changes of the catalog, made by any process, and drops the rendered pages. */
import { Client } from "pg";
import { reportError } from "../../app/http/log.server.ts";
import type { PageCache } from "./page-cache.ts";

const RECONNECT_MS = 1_000;

/**
 * Listens until `stop`. While the connection is down a change would be missed: nothing more is cached. What is held is
 * served as long as its own time allows, so that the shop window stays open while the database is away, and dropped as
 * soon as changes are heard again.
 */
export function listenForCatalogChanges(
  url: string,
  cache: PageCache,
): { ready: Promise<void>; stop(): Promise<void> } {
  let stopped = false;
  let client: Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    client = new Client({ connectionString: url, keepAlive: true });
    let lost = false;
    const lose = () => {
      if (lost) return;
      lost = true;
      cache.isDisconnected = true;
      if (!stopped) retry = setTimeout(() => void connect(), RECONNECT_MS);
    };
    client.on("error", lose);
    client.on("end", lose);
    client.on("notification", () => cache.drop());
    try {
      await client.connect();
      await client.query("LISTEN catalog");
      cache.drop();
      cache.isDisconnected = false;
    } catch (error) {
      reportError(error, "cannot listen for catalog changes");
      lose();
    }
  };

  return {
    ready: connect(),
    async stop() {
      stopped = true;
      clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
}
