/** `npm test`: types, lint, format and all tests. `npm run test:quick` skips those that need a build or a browser. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const isQuick = process.argv[2] === "quick";
const reports = mkdtempSync(join(tmpdir(), "polara-reports-"));
/** Repeated at the end, because the journeys' output comes between. */
const failedTests: string[] = [];

function run(title: string, command: string, args: string[], env: Record<string, string> = {}): boolean {
  console.log(`\n— ${title}`);
  const { status } = spawnSync(`node_modules/.bin/${command}`, args, {
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  if (status !== 0) console.error(`✗ ${title} failed`);
  return status === 0;
}

type Count = { passed: number; failed: number };

/** The counts of a runner's JSON report. A crash without a failed test counts as one failure. */
function countIn<Report>(file: string, isGreen: boolean, countOf: (report: Report) => Count): Count {
  let count = { passed: 0, failed: 0 };
  try {
    count = countOf(JSON.parse(readFileSync(join(reports, file), "utf8")) as Report);
  } catch {
    // The runner crashed before its report.
  }
  return { ...count, failed: count.failed || (isGreen ? 0 : 1) };
}

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};
type PlaywrightReport = { stats: { expected: number; unexpected: number } };

function runVitest(title: string, args: string[]): Count {
  const output = `--outputFile.json=${join(reports, "vitest.json")}`;
  const isGreen = run(title, "vitest", ["run", ...args, "--reporter=default", "--reporter=json", output]);
  return countIn<VitestReport>("vitest.json", isGreen, (report) => {
    const failed = report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ fullName, failureMessages }) => `✗ ${name}: ${fullName}\n${failureMessages.join("\n")}`),
    );
    failedTests.push(...failed);
    return { passed: report.numPassedTests, failed: report.numFailedTests };
  });
}

function runPlaywright(title: string): Count {
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, "playwright.json") };
  const isGreen = run(title, "playwright", ["test", "--reporter=list,json"], env);
  return countIn<PlaywrightReport>("playwright.json", isGreen, ({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected,
  }));
}

const isSound = [
  run("route types", "react-router", ["typegen"]),
  run("types", "tsc", ["--noEmit"]),
  run("lint", "oxlint", ["--type-aware"]),
  run("format", "oxfmt", ["--check", "."]),
].every(Boolean);
const counts = isQuick
  ? [runVitest("unit and database tests", ["--project=unit", "--project=server"])]
  : [runVitest("unit, database and HTTP tests", []), runPlaywright("journeys in a browser")];
rmSync(reports, { recursive: true, force: true });

const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
const isGreen = isSound && failed === 0;
for (const test of failedTests) console.error(test);
console.log(`\n${isGreen ? "All green." : "Not green."}\n\n${passed} passed, ${failed} failed`);
process.exit(isGreen ? 0 : 1);
