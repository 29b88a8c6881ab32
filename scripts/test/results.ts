/** What the runners of tests have written down of a run, in the words of both. */
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** A test that failed, or a file of which no test came to its turn. */
export type Failure = { file: string; name: string; message: string };
export type Results = { passed: number; failed: Failure[] };

export type VitestReport = {
  numPassedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[];
  }[];
};

export type PlaywrightSuite = {
  suites?: PlaywrightSuite[];
  specs?: {
    title: string;
    file: string;
    tests: { projectName: string; status: string; results: { errors: { message?: string }[] }[] }[];
  }[];
};

export function resultsOfVitest({ numPassedTests, testResults }: VitestReport): Results {
  const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(".", name);
    const tests = assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => ({ file, name: test.fullName, message: (test.failureMessages ?? []).join("\n") }));
    return tests.length === 0 && status === "failed" ? [{ file, name: "before its tests", message }] : tests;
  });
  return { passed: numPassedTests, failed };
}

export function resultsOfPlaywright({ suites = [], specs = [] }: PlaywrightSuite): Results {
  const all = suites.map(resultsOfPlaywright);
  const own = specs.flatMap(({ title, file, tests }) =>
    tests.map(({ projectName, status, results }) => ({
      status,
      failure: {
        file: `tests/e2e/${file}`,
        name: `${title} (${projectName})`,
        message: results.flatMap(({ errors }) => errors.map(({ message = "" }) => message)).join("\n"),
      },
    })),
  );
  return {
    passed: own.filter(({ status }) => status === "expected").length + all.reduce((sum, { passed }) => sum + passed, 0),
    failed: [
      ...own.filter(({ status }) => status === "unexpected").map(({ failure }) => failure),
      ...all.flatMap(({ failed }) => failed),
    ],
  };
}

const LINES = 15;

/** As it is printed where a long run ends, so that a log that was cut says why. */
export function describeFailure(mark: string, { file, name, message }: Failure): string {
  const lines = stripVTControlCharacters(message).trim().split("\n");
  const own = lines.filter((line) => !/^\s*at .*node_modules/.test(line)).slice(0, LINES);
  return [`${mark} ${file}: ${name}`, ...own.map((line) => `    ${line}`.trimEnd())].join("\n");
}

/** Of more failures than these, the product is the cause. */
const SECOND_TRIES = 3;

/** Of each runner, what it has written down; null is a run that did not come to its end. */
type Runs = (Results | null)[];

const failuresOf = (runs: Runs) => runs.flatMap((run) => run?.failed ?? []);

/** A few tests may have failed by the business of the machine; by themselves they show it. */
export function isWorthSecondTry(first: Runs): boolean {
  const { length } = failuresOf(first);
  return length > 0 && length <= SECOND_TRIES && !first.includes(null);
}

export type Verdict = { isGreen: boolean; passed: number; failed: Failure[]; unsteady: Failure[] };

/** What failed in a first run and passed `again` is unsteady; what was not tried again, or failed again, has failed. */
export function verdict(first: Runs, again: Runs): Verdict {
  const atFirst = failuresOf(first);
  const wasTried = again.length > 0 && !again.includes(null);
  const failed = wasTried ? failuresOf(again) : atFirst;
  const isFailed = ({ file, name }: Failure) => failed.some((one) => one.file === file && one.name === name);
  return {
    isGreen: failed.length === 0 && !first.includes(null),
    passed: first.reduce((sum, run) => sum + (run?.passed ?? 0), 0),
    failed,
    unsteady: atFirst.filter((one) => !isFailed(one)),
  };
}
