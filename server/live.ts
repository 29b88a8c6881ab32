/** Live updates of open back-office pages: server-sent events name the kind of change and carry no data. */
import type { Context, Next } from "hono";
import { streamSSE } from "hono/streaming";
import { readStaff } from "#app/session/staff.server.ts";
import { singleton } from "#shop/singleton.ts";

/** Shorter than the timeouts of proxies; an ended session stops listening within this time. */
const HEARTBEAT_MS = 20_000;
const MAX_STREAMS = 500;

type Listener = { send(kind: string): void; end(): void };
const listeners = singleton("live listeners", () => new Set<Listener>());

export const announce = (kind: string): void => listeners.forEach((listener) => listener.send(kind));

/** Ends all streams for shutdown; browsers reconnect. */
export const endLive = (): void => listeners.forEach((listener) => listener.end());

/** `GET /admin/live` for staff; others get a 404. Listening does not extend a session. */
export async function liveNews(c: Context, next: Next): Promise<Response | void> {
  const isSignedIn = async () => {
    const session = await readStaff(c.req.raw, { watches: true });
    return session !== null && session !== "ended";
  };
  if (listeners.size >= MAX_STREAMS || !(await isSignedIn())) return next();
  c.header("X-Accel-Buffering", "no");
  return streamSSE(c, async (stream) => {
    let end: () => void = () => {};
    const ended = new Promise<void>((done) => (end = done));
    const listener = { send: (kind: string) => void stream.writeSSE({ event: "news", data: kind }), end };
    listeners.add(listener);
    const heartbeat = setInterval(() => {
      isSignedIn()
        .then((isOpen) => (isOpen ? stream.writeSSE({ event: "beat", data: "" }) : end()))
        .catch(end);
    }, HEARTBEAT_MS);
    stream.onAbort(end);
    await stream.writeSSE({ event: "beat", data: "", retry: 2_000 });
    await ended;
    clearInterval(heartbeat);
    listeners.delete(listener);
  });
}
