/**
 * `npm test`: types, lint, then every test, and one closing line that counts them all. `npm run test:quick` leaves out
 * what needs a build or a browser. A few tests that failed are tried once more: what then passes is named as unsteady.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  describeFailure,
  isWorthSecondTry,
  resultsOfPlaywright,
  resultsOfVitest,
  verdict,
  type Results,
} from "./test/results.ts";

const isQuick = process.argv[2] === "quick";
const out = mkdtempSync(join(tmpdir(), "polara-results-"));

function run(title: string, command: string, args: string[], env: Record<string, string> = {}): boolean {
  console.log(`\n— ${title}`);
  const { status } = spawnSync(`node_modules/.bin/${command}`, args, {
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  if (status !== 0) console.error(`✗ ${title} failed`);
  return status === 0;
}

/** What a runner has written down; null where it did not come to its end, or failed by something that is no test. */
function readResults<Report>(file: string, isGreen: boolean, resultsOf: (report: Report) => Results): Results | null {
  try {
    const results = resultsOf(JSON.parse(readFileSync(file, "utf8")) as Report);
    return isGreen || results.failed.length > 0 ? results : null;
  } catch {
    return null;
  }
}

function runVitest(title: string, args: string[]): Results | null {
  const file = join(out, "vitest.json");
  rmSync(file, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  return readResults(file, run(title, "vitest", ["run", ...args, ...reporters]), resultsOfVitest);
}

function runPlaywright(title: string, args: string[]): Results | null {
  const file = join(out, "playwright.json");
  rmSync(file, { force: true });
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  return readResults(
    file,
    run(title, "playwright", ["test", ...args, "--reporter=list,json"], env),
    resultsOfPlaywright,
  );
}

const isSound = [
  run("route types", "react-router", ["typegen"]),
  run("types", "tsc", ["--noEmit"]),
  run("lint", "oxlint", ["--type-aware"]),
  run("format", "oxfmt", ["--check", "."]),
].every(Boolean);
const first = isQuick
  ? [runVitest("unit and database tests", ["--project=unit", "--project=server"])]
  : [runVitest("unit, database and HTTP tests", []), runPlaywright("journeys in a browser", [])];

const again: (Results | null)[] = [];
if (isWorthSecondTry(first)) {
  const [tests, journeys] = first;
  // A test may stand on what those before it in its file have done.
  const files = [...new Set(tests?.failed.map(({ file }) => file))];
  if (files.length > 0) again.push(runVitest("once more, by themselves", files));
  if (journeys && journeys.failed.length > 0) {
    again.push(runPlaywright("once more, by themselves", ["--last-failed", "--workers=1"]));
  }
}
rmSync(out, { recursive: true, force: true });

const { isGreen, passed, failed, unsteady } = verdict(first, again);
// Named once more where a long run ends, so that nobody has to search it.
for (const one of unsteady) console.log(describeFailure("unsteady:", one));
for (const one of failed) console.log(describeFailure("✗", one));
const count = `${passed} passed, ${failed.length} failed${unsteady.length > 0 ? `, ${unsteady.length} unsteady` : ""}`;
console.log(`\n${isSound && isGreen ? "All green." : "Not green."}\n\n${count}`);
process.exit(isSound && isGreen ? 0 : 1);
