import { expect, it } from "vitest";
import { admission } from "./admission.ts";

it("what is one too many is refused at once, and let in when another is done or has failed", async () => {
  const admit = admission(2);
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const underway = [
    admit(
      () => first.promise,
      () => "refused",
    ),
    admit(
      () => second.promise,
      () => "refused",
    ),
  ];
  expect(
    await admit(
      async () => "done",
      () => "refused",
    ),
  ).toBe("refused");
  first.resolve("done");
  expect(await underway[0]).toBe("done");
  expect(
    await admit(
      async () => "done",
      () => "refused",
    ),
  ).toBe("done");
  second.reject(new Error("failed"));
  await expect(underway[1]).rejects.toThrow("failed");
  const two = [
    admit(
      async () => "done",
      () => "refused",
    ),
    admit(
      async () => "done",
      () => "refused",
    ),
  ];
  expect(await Promise.all(two)).toEqual(["done", "done"]);
});
