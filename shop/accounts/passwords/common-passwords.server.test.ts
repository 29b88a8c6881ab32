import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COMMON_PASSWORDS, isCommonPassword, LIST_FILE } from "./common-passwords.server.ts";

describe("the list of common passwords", () => {
  it("holds 100,000, each once, in order", () => {
    const sorted = readFileSync(LIST_FILE);
    expect(sorted).toHaveLength(COMMON_PASSWORDS * 5);
    for (let at = 5; at < sorted.length; at += 5) {
      if (sorted.compare(sorted, at, at + 5, at - 5, at) >= 0) throw new Error(`out of order at ${at}`);
    }
  });

  // The first, some from the middle, and the last that the source list has.
  it.each(["password", "12345678", "QWERTYUIOP", "iloveyou", "treasure1", "treebear", "smokey42", "smokey24"])(
    "has %s",
    async (password) => {
      expect(await isCommonPassword(password)).toBe(true);
    },
  );

  it.each(["correct horse battery", "a kettle under the stairs", "123456", "", "\0", "\ud800"])(
    "does not have %j",
    async (password) => {
      expect(await isCommonPassword(password)).toBe(false);
    },
  );
});
