/** How `npm test` counts, and what it tries once more. */
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import {
  describeFailure,
  isWorthSecondTry,
  resultsOfPlaywright,
  resultsOfVitest,
  verdict,
  type Failure,
  type Results,
} from "../scripts/test/results.ts";

const failure = (name: string, message = "expected 1 to be 2"): Failure => ({ file: "tests/a.test.ts", name, message });
const run = (passed: number, ...names: string[]): Results => ({ passed, failed: names.map((name) => failure(name)) });

describe("what Vitest has written down", () => {
  const file = (status: string, tests: [name: string, status: string, messages: string[]][], message = "") => ({
    name: resolve("tests/a.test.ts"),
    status,
    message,
    assertionResults: tests.map(([fullName, state, failureMessages]) => ({ fullName, status: state, failureMessages })),
  });

  it("names each test that failed, with its message", () => {
    const tests = file("failed", [
      ["adds up", "failed", ["expected 1 to be 2"]],
      ["is skipped", "skipped", []],
      ["holds", "passed", []],
    ]);
    expect(resultsOfVitest({ numPassedTests: 1, testResults: [tests] })).toEqual({
      passed: 1,
      failed: [failure("adds up")],
    });
  });

  it("names a file of which no test came to its turn", () => {
    const spoiled = file("failed", [["is skipped", "skipped", []]], "The shop did not start");
    const { failed } = resultsOfVitest({ numPassedTests: 0, testResults: [spoiled] });
    expect(failed).toEqual([failure("before its tests", "The shop did not start")]);
  });
});

it("what Playwright has written down names each journey that failed, with its width and its message", () => {
  const spec = (title: string, status: string, message?: string) => ({
    title,
    file: "cart.test.ts",
    tests: [{ projectName: "phone", status, results: [{ errors: message ? [{ message }] : [] }] }],
  });
  const suites = [
    { specs: [spec("pays", "expected")], suites: [{ specs: [spec("adds", "unexpected", "no button")] }] },
  ];
  expect(resultsOfPlaywright({ suites })).toEqual({
    passed: 1,
    failed: [{ file: "tests/e2e/cart.test.ts", name: "adds (phone)", message: "no button" }],
  });
});

it("a message is shown without its colors and the runner's own calls, and as far as one looks", () => {
  const long = `\u001B[31mexpected\u001B[39m 1 to be 2\n    at run (/x/node_modules/vitest/run.js:1:2)\n${"more\n".repeat(40)}`;
  const lines = describeFailure("✗", failure("adds up", long)).split("\n");
  expect(lines.slice(0, 3)).toEqual(["✗ tests/a.test.ts: adds up", "    expected 1 to be 2", "    more"]);
  expect(lines).toHaveLength(16);
});

it.each([
  ["all passed", [run(9), run(3)], false],
  ["one failed", [run(8, "a"), run(3)], true],
  ["three failed", [run(7, "a", "b"), run(2, "c")], true],
  ["four failed", [run(7, "a", "b"), run(1, "c", "d")], false],
  ["one failed, and a run did not come to its end", [run(8, "a"), null], false],
])("tried once more where %s: %#", (_name, first, isTried) => {
  expect(isWorthSecondTry(first)).toBe(isTried);
});

it.each([
  ["all passed", [run(9), run(3)], [], { isGreen: true, passed: 12, failed: [], unsteady: [] }],
  ["it passes again", [run(8, "a")], [run(1)], { isGreen: true, passed: 8, failed: [], unsteady: [failure("a")] }],
  ["it fails again", [run(8, "a")], [run(0, "a")], { isGreen: false, passed: 8, failed: [failure("a")], unsteady: [] }],
  [
    "one of two fails again",
    [run(7, "a", "b")],
    [run(1, "b")],
    { isGreen: false, passed: 7, failed: [failure("b")], unsteady: [failure("a")] },
  ],
  [
    "another one of its file fails then",
    [run(8, "a")],
    [run(1, "b")],
    { isGreen: false, passed: 8, failed: [failure("b")], unsteady: [failure("a")] },
  ],
  ["it was not tried", [run(8, "a")], [], { isGreen: false, passed: 8, failed: [failure("a")], unsteady: [] }],
  ["no second end", [run(8, "a")], [null], { isGreen: false, passed: 8, failed: [failure("a")], unsteady: [] }],
  ["a run did not come to its end", [run(9), null], [], { isGreen: false, passed: 9, failed: [], unsteady: [] }],
])("the verdict where %s", (_name, first, again, said) => {
  expect(verdict(first, again)).toEqual(said);
});
