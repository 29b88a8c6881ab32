import { expect, it, vi } from "vitest";
import { BusyError, openQueue } from "./password-hash.server.ts";

const nextTurn = () => new Promise((done) => setImmediate(done));

it("hashes one at a time in order of arrival, also after a failure, and refuses at once when the queue is full", async () => {
  const queue = openQueue(3);
  const started: number[] = [];
  const works = Array.from({ length: 3 }, () => Promise.withResolvers<string>());
  const results = works.map(({ promise }, i) => queue(() => (started.push(i), promise)));
  await nextTurn();
  expect(started).toEqual([0]);
  await expect(queue(async () => "fourth")).rejects.toThrow(BusyError);

  works[0]!.reject(new Error("no memory"));
  await expect(results[0]).rejects.toThrow("no memory");
  await nextTurn();
  expect(started).toEqual([0, 1]);
  const fourth = queue(async () => "fourth");
  works[2]!.resolve("third");
  works[1]!.resolve("second");
  expect(await Promise.all([results[1], results[2], fourth])).toEqual(["second", "third", "fourth"]);
});

it("refuses a task whose turn comes too late", async () => {
  const queue = openQueue(3);
  const slow = Promise.withResolvers<string>();
  const first = queue(() => slow.promise);
  const late = queue(async () => "late");
  await nextTurn();
  vi.spyOn(performance, "now").mockReturnValue(performance.now() + 20_001);
  slow.resolve("first");
  await expect(late).rejects.toThrow(BusyError);
  expect(await first).toBe("first");
  vi.restoreAllMocks();
  expect(await queue(async () => "next")).toBe("next");
});
