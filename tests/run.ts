/** `npm test`: types, lint, then every test, and one closing line that counts them all. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
run("unit, database and HTTP tests", "vitest", [
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${tests}`,
]);
run("journeys in a browser", "playwright", ["test"], { PLAYWRIGHT_JSON_OUTPUT_NAME: journeys });

const a = read<{ numPassedTests: number; numFailedTests: number }>(tests);
const b = read<{ stats: { expected: number; unexpected: number; flaky: number } }>(journeys);
rmSync(out, { recursive: true, force: true });
if (!a || !b) isGreen = false;
const passed = (a?.numPassedTests ?? 0) + (b?.stats.expected ?? 0) + (b?.stats.flaky ?? 0);
const failed = (a?.numFailedTests ?? 0) + (b?.stats.unexpected ?? 0);
console.log(`\n${isGreen ? "All green." : "Not green."}\n\n${passed} passed, ${failed} failed`);
process.exit(isGreen ? 0 : 1);
