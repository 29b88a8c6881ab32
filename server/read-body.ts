import type { IncomingMessage } from "node:http";
import type { Held } from "./body-budget.ts";

const BLOCK_BYTES = 16 * 1024;

/** Bytes that a socket brings at once. */
const TURN_BYTES = 64 * 1024;

/** Returns a listener that lets other connections have their turn after as much of this one. */
function inTurn(incoming: IncomingMessage): (piece: Buffer) => void {
  let bytes = 0;
  return (piece) => {
    bytes += piece.length;
    if (bytes < TURN_BYTES) return;
    bytes = 0;
    incoming.pause();
    setImmediate(() => incoming.resume());
  };
}

/** Reads what still comes and throws it away, so that the client gets to the answer. */
export const discard = (incoming: IncomingMessage): void => void incoming.on("data", inTurn(incoming));

export type Read = Buffer[] | "full" | "gone" | "late";

/**
 * Reads a body of `length` bytes into blocks: the pieces it comes in may each hold far more memory than they have bytes.
 * `full`: there was no room for it; `gone`: the client left; `late`: it was not there after `seconds`.
 */
export function readBody(incoming: IncomingMessage, length: number, held: Held, seconds: number): Promise<Read> {
  const blocks: Buffer[] = [];
  let block = Buffer.alloc(0);
  let filled = 0;
  let left = length;
  const giveTurn = inTurn(incoming);

  function keep(piece: Buffer): boolean {
    for (let at = 0; at < piece.length;) {
      if (filled === block.length) {
        const size = Math.min(BLOCK_BYTES, left);
        if (!held.take(size)) return false;
        blocks.push((block = Buffer.allocUnsafeSlow(size)));
        filled = 0;
      }
      const copied = piece.copy(block, filled, at);
      at += copied;
      filled += copied;
      left -= copied;
    }
    return true;
  }

  return new Promise((done) => {
    if (incoming.destroyed) return done("gone");
    function end(result: Read): void {
      clearTimeout(timer);
      incoming.off("data", take).off("end", whole).off("close", gone);
      done(result);
    }
    function take(piece: Buffer): void {
      giveTurn(piece);
      if (!keep(piece)) end("full");
    }
    const whole = () => end(blocks);
    const gone = () => end("gone");
    const timer = setTimeout(() => end("late"), seconds * 1000);
    incoming.on("data", take).on("end", whole).on("close", gone);
  });
}
