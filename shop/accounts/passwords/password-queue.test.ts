import { expect, it } from "vitest";
import { BusyError, openQueue } from "./password-queue.ts";

/** Work that ends when told to. */
function someWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = { isUnderWay: false, resolve, reject, run: () => ((work.isUnderWay = true), promise) };
  return work;
}

const settled = () => new Promise((done) => setImmediate(done));

it("works on one at a time, in the order they came", async () => {
  const queue = openQueue(3);
  const works = [someWork(), someWork(), someWork()];
  const results = works.map(({ run }) => queue(run));
  const underWay = () => works.map(({ isUnderWay }) => isUnderWay);
  await settled();
  expect(underWay()).toEqual([true, false, false]);
  works[0]?.resolve("first");
  expect(await results[0]).toBe("first");
  await settled();
  expect(underWay()).toEqual([true, true, false]);
  works[1]?.resolve("second");
  works[2]?.resolve("third");
  expect(await Promise.all(results)).toEqual(["first", "second", "third"]);
});

it("refuses at once where the line is full, and takes the next as soon as one is done", async () => {
  const queue = openQueue(2);
  const [one, two] = [someWork(), someWork()];
  const results = [queue(one.run), queue(two.run)];
  await expect(queue(async () => "third")).rejects.toThrow(BusyError);
  await expect(queue(async () => "third")).rejects.toThrow(
    "The shop is busy signing people in. Please try again in a moment.",
  );
  one.resolve("first");
  await results[0];
  const third = queue(async () => "third");
  two.resolve("second");
  expect(await third).toBe("third");
});

it("goes on after work that failed", async () => {
  const queue = openQueue(2);
  const one = someWork();
  const failed = queue(one.run);
  const next = queue(async () => "next");
  one.reject(new Error("no memory"));
  await expect(failed).rejects.toThrow("no memory");
  expect(await next).toBe("next");
});
