/** LISTEN for changes by any process: of the catalog, which clear the page cache, and for the back office. */
import { Client } from "pg";
import { reportError } from "#platform/log.server.ts";
import type { PageCache } from "./page-cache.ts";

const RECONNECT_MS = 1_000;

/**
 * Listens until `stop`. Without a connection changes would be missed, so nothing new is cached; cached pages are served
 * until they expire, so that the storefront survives an outage, and dropped on reconnection.
 */
export function listenForChanges(
  url: string,
  cache: PageCache,
  announce: (kind: string) => void,
): { ready: Promise<void>; stop(): Promise<void> } {
  let isStopped = false;
  let client: Client;

  const connect = async (): Promise<void> => {
    if (isStopped) return;
    client = new Client({ connectionString: url, keepAlive: true });
    client.on("error", () => {});
    // Follows a refused connection too.
    client.once("end", () => {
      cache.isDisconnected = true;
      setTimeout(() => void connect(), RECONNECT_MS);
    });
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
      await client.end().catch(() => {});
    }
  };

  return {
    ready: connect(),
    async stop() {
      isStopped = true;
      await client.end().catch(() => {});
    },
  };
}
