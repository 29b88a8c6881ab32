/**
 * `npm test`: types, lint, format and all tests. `npm run test:quick` skips those that need a build or a browser,
 * `npm run test:nightly` adds what takes minutes for itself, all sizes, and many rounds of races and crashes.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

const mode = process.argv[2];
const isNightly = mode === "nightly";
const ROUNDS = {
  NIGHTLY: "1",
  LOOKS: "both",
  ROUNDS: "20",
  KILLS: "50",
  ACTIONS: "1000",
  PRESSES: "60",
  MODEL_RUNS: "100000",
};
if (isNightly) Object.assign(process.env, ROUNDS);
/** Kept after the run. */
const reports = "build/reports";
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const SLOWEST = 25;
/** Repeated at the end, because the output of others comes between. */
const failedTests: string[] = [];
/** Seconds of each test file, with its hooks. */
const seconds = new Map<string, number>();
const addTime = (file: string, ms: number) => seconds.set(file, (seconds.get(file) ?? 0) + ms / 1_000);

type RunOptions = {
  env?: Record<string, string>;
  /** Its output is printed when it ends, because another one is talking. */
  isAside?: boolean;
};

async function run(
  title: string,
  command: string,
  args: string[],
  { env = {}, isAside = false }: RunOptions = {},
): Promise<boolean> {
  if (!isAside) console.log(`\n— ${title}`);
  const child = spawn(`node_modules/.bin/${command}`, args, {
    stdio: isAside ? ["ignore", "pipe", "pipe"] : "inherit",
    env: { ...process.env, ...env },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text: Buffer) => (said += text.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  if (isAside) console.log(`\n— ${title}\n${said}`);
  if (code !== 0) console.error(`✗ ${title} failed`);
  return code === 0;
}

/** Static checks take one core while others wait for the tests' shops and browsers. */
async function runChecks(): Promise<boolean> {
  const checks = [
    await run("types", "tsc", ["--noEmit"]),
    await run("lint", "oxlint", ["--type-aware"]),
    await run("format", "oxfmt", ["--check", "."]),
  ];
  return checks.every(Boolean);
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
    startTime: number;
    endTime: number;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};
type Suite = {
  file: string;
  suites?: Suite[];
  specs: { tests: { results: { duration: number }[] }[] }[];
};
type PlaywrightReport = { stats: { expected: number; unexpected: number }; suites: Suite[] };

async function runVitest(title: string, projects: string[]): Promise<Count> {
  const output = `--outputFile.json=${join(reports, "vitest.json")}`;
  const args = projects.map((project) => `--project=${project}`);
  const isGreen = await run(title, "vitest", ["run", ...args, "--reporter=default", "--reporter=json", output]);
  return countIn<VitestReport>("vitest.json", isGreen, (report) => {
    const failed = report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ fullName, failureMessages }) => `✗ ${name}: ${fullName}\n${failureMessages.join("\n")}`),
    );
    failedTests.push(...failed);
    for (const { name, startTime, endTime } of report.testResults) addTime(relative(".", name), endTime - startTime);
    return { passed: report.numPassedTests, failed: report.numFailedTests };
  });
}

async function runPlaywright(title: string): Promise<Count> {
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, "playwright.json") };
  const isGreen = await run(title, "playwright", ["test", "--reporter=list,json"], { env, isAside: !isNightly });
  return countIn<PlaywrightReport>("playwright.json", isGreen, ({ stats, suites }) => {
    suites.forEach(addSuite);
    return { passed: stats.expected, failed: stats.unexpected };
  });
}

function addSuite({ file, suites = [], specs }: Suite): void {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results));
  for (const { duration } of results) addTime(`tests/e2e/${file}`, duration);
  suites.forEach(addSuite);
}

/** Each of the two waits much for its shops, so together they keep two cores busy. At night some tests measure time. */
async function runAll(): Promise<Count[]> {
  const projects = ["unit", "server", "http"];
  const journeys = () => runPlaywright("journeys in a browser");
  if (isNightly) return [await runVitest("all tests without a browser", [...projects, "nightly"]), await journeys()];
  return Promise.all([runVitest("unit, database and HTTP tests", projects), journeys()]);
}

await run("route types", "react-router", ["typegen"]);
const checks = runChecks();
const counts = mode === "quick" ? [await runVitest("unit and database tests", ["unit", "server"])] : await runAll();
const isSound = [
  await checks,
  ...(isNightly
    ? [
        await run("journeys in Firefox", "node", ["tests/firefox/run.ts"]),
        await run("machines that fail", "node", ["tests/cluster/run.ts"]),
      ]
    : []),
].every(Boolean);
const slowest = [...seconds].toSorted(([, one], [, other]) => other - one).slice(0, SLOWEST);
console.log(`\nThe ${slowest.length} slowest files, in seconds (reports in ${reports}):`);
for (const [file, time] of slowest) console.log(`${time.toFixed(1).padStart(7)}  ${file}`);

const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
const isGreen = isSound && failed === 0;
for (const test of failedTests) console.error(test);
console.log(`\n${isGreen ? "All green." : "Not green."}\n\n${passed} passed, ${failed} failed`);
process.exit(isGreen ? 0 : 1);
