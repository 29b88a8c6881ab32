import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { bodyBudget } from "./body-budget.ts";
import { readBody } from "./read-body.ts";

const MEGABYTE = 1024 * 1024;
const open = bodyBudget();
const held = (subject = "192.0.2.1", isLarge = true) => open(subject, { isLarge });

/** Reads a body that is written in `pieces`, and says what came of it: the sizes of blocks, or why there are none. */
async function read(pieces: string[], length: number, share = held()) {
  const incoming = new PassThrough();
  const result = readBody(incoming as unknown as IncomingMessage, length, share, 10);
  for (const piece of pieces) incoming.write(piece);
  incoming.end();
  const blocks = await result;
  share.release();
  return typeof blocks === "string"
    ? blocks
    : { sizes: blocks.map((one) => one.buffer.byteLength), text: blocks.join("") };
}

it("a body that comes byte by byte takes no more memory than its bytes", async () => {
  const text = "polara ".repeat(5_000);
  expect(await read(text.split(""), text.length)).toEqual({ sizes: [16384, 16384, 35_000 - 2 * 16384], text });
});

it("a body that leaves before its end is gone", async () => {
  const incoming = new PassThrough();
  const result = readBody(incoming as unknown as IncomingMessage, 90, held(), 10);
  incoming.write("half");
  incoming.destroy();
  expect(await result).toBe("gone");
});

it.each([
  ["a single body holds 64 MB", [], "a", true, 64],
  ["a network holds 32 MB in more than one", [["a", 20]], "a", true, 12],
  ["another network has room besides", [["a", 40]], "b", true, 24],
  ["large bodies hold 64 MB", [["a", 64]], "b", true, 0],
  ["forms have room besides", [["a", 64]], "b", false, 32],
] as [string, [string, number][], string, boolean, number][])("%s", (_rule, others, subject, isLarge, room) => {
  const budget = bodyBudget();
  const shares = others.map(([of, megabytes]) => {
    const share = budget(of, { isLarge: true });
    expect(share.take(megabytes * MEGABYTE)).toBe(true);
    return share;
  });
  const share = budget(subject, { isLarge });
  expect([share.hasRoom(room * MEGABYTE), share.take(room * MEGABYTE + 1)]).toEqual([true, false]);
  shares.forEach((one) => one.release());
  expect(share.take(64 * MEGABYTE)).toBe(true);
});
