import { expect, it } from "vitest";
import { US_STATE_CODES } from "#shop/us-states.ts";
import { nexusReached, nexusWords } from "./nexus.ts";

it.each([
  ["PA", "$100,000", 50_000_00, 400, 0.5],
  ["GA", "$100,000 or 200 orders", 50_000_00, 400, 2],
  ["NY", "$500,000 and 100 orders", 600_000_00, 50, 0.5],
  ["TX", "$500,000", 500_000_00, 1, 1],
  ["OR", null, 900_000_00, 900, null],
])("%s: %s", (state, words, salesCents, orders, reached) => {
  expect(nexusWords(state)).toBe(words);
  expect(nexusReached(state, { salesCents, orders })).toBe(reached);
});

it("knows every state that the shop delivers to", () => {
  const without = US_STATE_CODES.filter((state) => nexusWords(state) === null);
  expect(without).toEqual(["DE", "MT", "NH", "OR"]);
});
