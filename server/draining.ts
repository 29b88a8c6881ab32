/**
 * Ends a server so that no open connection is cut: it goes on answering for a while, each answer closes its connection, and
 * only then are no more taken. Who connects anew in the moment it stops listening may still be reset, before its request
 * is read, unless another process holds the socket, too.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";

/** How long requests are still taken where connections stay open. */
const DRAIN_MS = 3_000;
/** How long those under way may take then. */
const FINISH_MS = 10_000;
const LOOK_MS = 25;

export type Stop = {
  /** For somebody at a terminal, who does not want to wait. */
  isUrgent: boolean;
  /** Another process has taken this one's place: the shop goes on. */
  isReplaced: boolean;
};

// Development loads this module twice, for the server and for the shop.
const kept = globalThis as { polaraIsDraining?: boolean };

/** True from when the shop began to end: /readyz says so. */
export const isDraining = (): boolean => kept.polaraIsDraining === true;

/** Returns what stops `server`. Add it before the listener that answers. */
export function drainable(server: Server): (how: Stop) => Promise<void> {
  const open = new Set<Socket>();
  let isClosing = false;
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.on("request", (_request, response) => {
    if (isClosing) response.setHeader("Connection", "close");
  });
  return async ({ isUrgent, isReplaced }) => {
    isClosing = true;
    kept.polaraIsDraining = !isReplaced;
    const until = performance.now() + (isUrgent ? 0 : DRAIN_MS);
    while (open.size > 0 && performance.now() < until) await sleep(LOOK_MS);
    // After what has just arrived: fewer connections are reset that wait to be accepted.
    await setImmediate();
    const forced = setTimeout(() => server.closeAllConnections(), FINISH_MS);
    const closed = new Promise((done) => server.close(done));
    server.closeIdleConnections();
    await closed;
    clearTimeout(forced);
  };
}
