/**
 * `npm test`: types, lint, then every test, and one closing line that counts them all. `npm run test:quick` leaves out
 * what needs a build or a browser.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const isQuick = process.argv[2] === "quick";
const out = mkdtempSync(join(tmpdir(), "polara-results-"));
const tests = join(out, "vitest.json");
const journeys = join(out, "playwright.json");
let isGreen = true;

function run(title: string, command: string, args: string[], env: Record<string, string> = {}): void {
  console.log(`\n— ${title}`);
  const { status } = spawnSync(`node_modules/.bin/${command}`, args, {
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  if (status !== 0) {
    isGreen = false;
    console.error(`✗ ${title} failed`);
  }
}

function read<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as T;
  } catch {
    return null;
  }
}

run("route types", "react-router", ["typegen"]);
run("types", "tsc", ["--noEmit"]);
run("lint", "oxlint", ["--type-aware"]);
run("format", "oxfmt", ["--check", "."]);
run(isQuick ? "unit and database tests" : "unit, database and HTTP tests", "vitest", [
  "run",
  ...(isQuick ? ["--project=unit", "--project=server"] : []),
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${tests}`,
]);
if (!isQuick)
  run("journeys in a browser", "playwright", ["test", "--reporter=list,json"], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: journeys,
  });

type Suite = { suites?: Suite[]; specs?: { title: string; file: string; ok: boolean }[] };
const a = read<{
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
}>(tests);
const b = read<Suite & { stats: { expected: number; unexpected: number; flaky: number } }>(journeys);
rmSync(out, { recursive: true, force: true });
if (!a || (!b && !isQuick)) isGreen = false;
const passed = (a?.numPassedTests ?? 0) + (b?.stats.expected ?? 0) + (b?.stats.flaky ?? 0);
const failed = (a?.numFailedTests ?? 0) + (b?.stats.unexpected ?? 0);
// Named once more where a long run ends, so that nobody has to search it.
const specs = ({ suites = [], specs: own = [] }: Suite): NonNullable<Suite["specs"]> => [
  ...own,
  ...suites.flatMap(specs),
];
for (const { name, assertionResults } of a?.testResults ?? []) {
  for (const { fullName, status } of assertionResults) {
    if (status === "failed") console.log(`✗ ${relative(".", name)}: ${fullName}`);
  }
}
for (const { file, title, ok } of b ? specs(b) : []) if (!ok) console.log(`✗ tests/e2e/${file}: ${title}`);
console.log(`\n${isGreen ? "All green." : "Not green."}\n\n${passed} passed, ${failed} failed`);
process.exit(isGreen ? 0 : 1);
