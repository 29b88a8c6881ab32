/** Tells the open pages of the back office that there is something new. It says what kind of thing, and nothing of it. */
import type { Context, Next } from "hono";
import { streamSSE } from "hono/streaming";
import { readStaff } from "../app/session/staff.server.ts";

/** Below what proxies wait for, and how long a session that has ended goes on listening at most. */
const HEARTBEAT_MS = 20_000;
const MAX_STREAMS = 500;

type Listener = { tell(kind: string): void; end(): void };
// Development reloads modules; who listens must outlive them.
const kept = globalThis as { polaraLive?: Set<Listener> };
const listeners = (kept.polaraLive ??= new Set());

/** Tells everybody who listens to this process. */
export const announce = (kind: string): void => listeners.forEach((listener) => listener.tell(kind));

/** Ends all streams, so that the process can end; browsers come back by themselves. */
export const endLive = (): void => listeners.forEach((listener) => listener.end());

/** `GET /admin/live`, for staff whose session holds. Nobody else finds it. A listening page keeps no session awake. */
export async function liveNews(c: Context, next: Next): Promise<Response | void> {
  const holds = async () => {
    const session = await readStaff(c.req.raw, { watches: true });
    return session !== null && session !== "ended";
  };
  if (listeners.size >= MAX_STREAMS || !(await holds())) return next();
  c.header("X-Accel-Buffering", "no");
  return streamSSE(c, async (stream) => {
    let end: () => void = () => {};
    const ended = new Promise<void>((done) => (end = done));
    const listener = { tell: (kind: string) => void stream.writeSSE({ event: "news", data: kind }), end };
    listeners.add(listener);
    const heartbeat = setInterval(() => {
      holds()
        .then((goesOn) => (goesOn ? stream.writeSSE({ event: "beat", data: "" }) : end()))
        .catch(end);
    }, HEARTBEAT_MS);
    stream.onAbort(end);
    await stream.writeSSE({ event: "beat", data: "", retry: 2_000 });
    await ended;
    clearInterval(heartbeat);
    listeners.delete(listener);
  });
}
