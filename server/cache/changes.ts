/** LISTEN for changes by any process: of catalog, settings and texts, which clear the page cache, and for the back office. */
import { Client } from "pg";
import { reportError } from "#platform/log.server.ts";
import { clock } from "#shop/clock.ts";
import type { PageCache } from "./page-cache.ts";

const RECONNECT_MS = 1_000;
const MAX_WAIT_MS = 3_600_000;

/** Tables that the process holds, which their triggers name. */
const HELD = ["settings_versions", "texts"];

type Listening = {
  /** Reads what the process holds of the database. */
  load(): Promise<unknown>;
  /** Time at which that changes by itself, as a scheduled text does; null for never. */
  nextChange(): Date | null;
  cache?: PageCache;
  announce?(kind: string): void;
};

/**
 * Listens until `stop`. Without a connection changes would be missed, so nothing new is cached; cached pages are served
 * until they expire, so that the storefront survives an outage, and dropped on reconnection.
 */
export function listenForChanges(
  url: string,
  { load, nextChange, cache, announce }: Listening,
): { ready: Promise<void>; stop(): Promise<void> } {
  let isStopped = false;
  let client: Client;
  let timer: NodeJS.Timeout | undefined;

  /** Pages rendered meanwhile have what was held before. A failure reconnects, which loads again. */
  const reload = async (): Promise<void> => {
    try {
      await load();
      cache?.drop();
      awaitNext();
    } catch (error) {
      reportError(error, "settings and texts were not loaded");
      await client.end().catch(() => {});
    }
  };

  const awaitNext = (): void => {
    clearTimeout(timer);
    const next = nextChange();
    if (!next || isStopped) return;
    const wait = Math.min(next.getTime() - clock.now().getTime(), MAX_WAIT_MS);
    timer = setTimeout(() => (next > clock.now() ? awaitNext() : void reload()), wait);
    timer.unref();
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
      if (HELD.includes(payload)) void reload();
      announce?.(channel === "catalog" ? channel : payload);
    });
    try {
      await client.connect();
      await client.query("LISTEN catalog; LISTEN office");
      await load();
      cache?.drop();
      awaitNext();
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
      clearTimeout(timer);
      await client.end().catch(() => {});
    },
  };
}
