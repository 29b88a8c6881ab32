import { expect, it } from "vitest";
import { admission } from "./unavailable.ts";

it("a request over the limit is refused at once, and accepted after another has ended or failed", async () => {
  const admit = admission(2, 2);
  const start = (work: Promise<string>) =>
    admit(
      "192.0.2.1",
      () => work,
      () => "refused",
    );
  const done = Promise.resolve("done");
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const underway = [start(first.promise), start(second.promise)];
  expect(await start(done)).toBe("refused");
  first.resolve("done");
  expect(await underway[0]).toBe("done");
  expect(await start(done)).toBe("done");
  second.reject(new Error("failed"));
  await expect(underway[1]).rejects.toThrow("failed");
  expect(await Promise.all([start(done), start(done)])).toEqual(["done", "done"]);
});

it("a network over its own share is refused, and another is not", async () => {
  const admit = admission(10, 2);
  const pending = Promise.withResolvers<string>();
  const start = (network: string | null) =>
    admit(
      network,
      () => pending.promise,
      () => "refused",
    );
  const underway = ["192.0.2.1", "192.0.2.1", "192.0.2.2", null, null, null].map(start);
  expect(await start("192.0.2.1")).toBe("refused");
  pending.resolve("done");
  expect(await Promise.all(underway)).toEqual(Array(6).fill("done"));
  expect(await start("192.0.2.1")).toBe("done");
});
