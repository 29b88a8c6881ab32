import { expect, it } from "vitest";
import { callLimit } from "./call-limit.ts";

it("lets so many calls through in a second, and then as many as the time that has passed", () => {
  let time = 0;
  const tryCall = callLimit(20, () => time);
  const through = (tries: number) => Array.from({ length: tries }, tryCall).filter(Boolean).length;
  expect(through(50)).toBe(20);
  expect(through(50)).toBe(0);
  time = 250;
  expect(through(50)).toBe(5);
  time = 60_000;
  expect(through(50)).toBe(20);
});
