/** Listens for what any process has changed: of the catalog, which drops the rendered pages, and of what staff look at. */
import { Client } from "pg";
import { reportError } from "../../app/http/log.server.ts";
import type { PageCache } from "./page-cache.ts";

const RECONNECT_MS = 1_000;

/**
 * Listens until `stop`. While the connection is down a change would be missed: nothing more is cached. What is held is
 * served as long as its own time allows, so that the shop window stays open while the database is away, and dropped as
 * soon as changes are heard again.
 */
export function listenForChanges(
  url: string,
  cache: PageCache,
  announce: (kind: string) => void,
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
    client.on("notification", ({ channel, payload = "" }) => {
      if (channel === "catalog") cache.drop();
      announce(channel === "catalog" ? channel : payload);
    });
    try {
      await client.connect();
      await client.query("LISTEN catalog; LISTEN office");
      cache.drop();
      cache.isDisconnected = false;
    } catch (error) {
      reportError(error, "cannot listen for changes");
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
