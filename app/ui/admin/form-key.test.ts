import { expect, it } from "vitest";
import { nextKey } from "./form-key.tsx";

const [done, again, lost] = [{ ok: true }, { ok: true }, { ok: false }];

it.each([
  ["a reload before it is sent", undefined, undefined, "old"],
  ["a lost answer and a reload", undefined, lost, "old"],
  ["a success", undefined, done, "new"],
  ["a success after a lost answer", lost, done, "new"],
  ["a reload long after a success", done, done, "old"],
  ["a lost answer after a success", done, lost, "old"],
  ["another success", done, again, "new"],
])("after %s, a form has the right key", (_word, before, answer, key) => {
  expect(nextKey({ key: "old", answer: before }, "new", answer).key).toBe(key);
});

it("the key of a success waits for the reload that brings another", () => {
  const kept = { key: "old", answer: undefined };
  expect(nextKey(kept, "old", done)).toBe(kept);
  expect(nextKey(kept, "new", done)).toEqual({ key: "new", answer: done });
});
