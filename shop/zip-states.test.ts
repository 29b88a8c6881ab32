import { expect, it } from "vitest";
import { US_STATE_CODES } from "./us-states.ts";
import { zipProblem } from "./zip-states.ts";

it.each([
  ["TX", "12207", "ZIP code 12207 is in New York. Please check the state or the ZIP code."],
  ["NY", "12207-1234", null],
  ["TX", "78701", null],
  ["TX", "73301", null],
  ["OK", "73301", "ZIP code 73301 is in Texas. Please check the state or the ZIP code."],
  ["NY", "06390", null],
  ["CT", "06390", null],
  ["WY", "83414", null],
  ["MA", "05501", null],
  ["MD", "20001", "ZIP code 20001 is in the District of Columbia. We ship to the 50 states."],
  ["FL", "34002", "ZIP code 34002 is a military address. We ship to the 50 states."],
  ["NY", "09012", "ZIP code 09012 is a military address. We ship to the 50 states."],
  ["CA", "00901", "ZIP code 00901 is in Puerto Rico. We ship to the 50 states."],
  // The area is not known.
  ["NY", "00012", null],
])("%s %s: %s", (state, zip, problem) => expect(zipProblem(state, zip)).toBe(problem));

it("knows areas of each state, and at most two states of one", () => {
  const ofState = Map.groupBy(
    Array.from({ length: 1_000 }, (_, prefix) => `${String(prefix).padStart(3, "0")}01`),
    (zip) => US_STATE_CODES.filter((state) => zipProblem(state, zip) === null).length,
  );
  expect([...ofState.keys()].toSorted((one, other) => one - other)).toEqual([0, 1, 2, 50]);
  expect(ofState.get(2)).toEqual(["06301", "73901", "83401"]);
});
