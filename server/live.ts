/** Live updates of open back-office pages: server-sent events name the kind of change and carry no data. */
import type { Context, Next } from "hono";
import { streamSSE } from "hono/streaming";
import { heldSession, readStaff } from "#app/session/staff.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { singleton } from "#shop/singleton.ts";
import { SESSION_ENDED, type StaffSession } from "#shop/staff/sessions.server.ts";

/** Shorter than the timeouts of proxies; a session that expires stops listening within this time. */
const HEARTBEAT_MS = 20_000;
const MAX_STREAMS = 500;
const MAX_OF_MEMBER = 10;
/** Wait of a browser whose stream was not opened. */
const RETRY_MS = 60_000;

type Listener = { staffId: string; send(kind: string): void; end(): void };
const listeners = singleton("live listeners", () => new Set<Listener>());

export const announce = (kind: string): void => listeners.forEach((listener) => listener.send(kind));

/** Ends all streams for shutdown; browsers reconnect. */
export const endLive = (): void => listeners.forEach((listener) => listener.end());

function isFull(staffId: string): boolean {
  if (listeners.size >= MAX_STREAMS) return true;
  return [...listeners].filter((listener) => listener.staffId === staffId).length >= MAX_OF_MEMBER;
}

/** An empty stream, because EventSource never returns after an error status or a page. */
const refuse = (c: Context, retryMs = RETRY_MS) =>
  c.body(`retry: ${retryMs}\n\n`, 200, { ...NO_STORE, "Content-Type": "text/event-stream" });

async function readWatching(c: Context): Promise<StaffSession | null> {
  const session = await readStaff(c.req.raw, { watches: true });
  return typeof session === "string" ? null : session;
}

/**
 * `GET /admin/live` for staff; an ended session gets an empty stream, others a 404. Counted before the database is asked.
 * Listening does not extend a session.
 */
export async function liveNews(c: Context, next: Next, isLimited: () => boolean): Promise<Response | void> {
  if (!heldSession(c.req.raw.headers)) return next();
  if (isLimited()) return refuse(c);
  const session = await readWatching(c);
  // It may have been renewed by a form whose answer the browser does not have yet.
  if (!session) return refuse(c, HEARTBEAT_MS);
  const { staffId } = session;
  if (isFull(staffId)) return refuse(c);
  c.header("X-Accel-Buffering", "no");
  return streamSSE(c, async (stream) => {
    let end: () => void = () => {};
    const ended = new Promise<void>((done) => (end = done));
    const beat = () =>
      void readWatching(c)
        .then((isOpen) => (isOpen ? stream.writeSSE({ event: "beat", data: "" }) : end()))
        .catch(end);
    const send = (kind: string) =>
      kind === SESSION_ENDED ? beat() : void stream.writeSSE({ event: "news", data: kind });
    const listener = { staffId, send, end };
    listeners.add(listener);
    const heartbeat = setInterval(beat, HEARTBEAT_MS);
    stream.onAbort(end);
    await stream.writeSSE({ event: "beat", data: "", retry: 2_000 });
    await ended;
    clearInterval(heartbeat);
    listeners.delete(listener);
  });
}
