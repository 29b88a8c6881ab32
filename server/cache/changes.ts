/** LISTEN for changes by any process: of the catalog and the settings, which clear the page cache, and for the back office. */
import { Client } from "pg";
import { reportError } from "#platform/log.server.ts";
import type { PageCache } from "./page-cache.ts";

const RECONNECT_MS = 1_000;

/** The table, which its trigger names. */
const SETTINGS = "settings_versions";

type Listening = {
  /** Reads what the process holds of the database. */
  load(): Promise<unknown>;
  cache?: PageCache;
  announce?(kind: string): void;
};

/**
 * Listens until `stop`. Without a connection changes would be missed, so nothing new is cached; cached pages are served
 * until they expire, so that the storefront survives an outage, and dropped on reconnection.
 */
export function listenForChanges(
  url: string,
  { load, cache, announce }: Listening,
): { ready: Promise<void>; stop(): Promise<void> } {
  let isStopped = false;
  let client: Client;

  /** Pages rendered meanwhile have the settings before. A failure reconnects, which loads again. */
  const reload = async (): Promise<void> => {
    try {
      await load();
      cache?.drop();
    } catch (error) {
      reportError(error, "settings were not loaded");
      await client.end().catch(() => {});
    }
  };

  const connect = async (): Promise<void> => {
    if (isStopped) return;
    client = new Client({ connectionString: url, keepAlive: true });
    client.on("error", () => {});
    // Follows a refused connection too.
    client.once("end", () => {
      if (cache) cache.isDisconnected = true;
      setTimeout(() => void connect(), RECONNECT_MS);
    });
    client.on("notification", ({ channel, payload = "" }) => {
      if (channel === "catalog") cache?.drop();
      if (payload === SETTINGS) void reload();
      announce?.(channel === "catalog" ? channel : payload);
    });
    try {
      await client.connect();
      await client.query("LISTEN catalog; LISTEN office");
      await load();
      cache?.drop();
      if (cache) cache.isDisconnected = false;
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
