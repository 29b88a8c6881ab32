/**
 * `npm test`: types, lint, then every test, and one closing line that counts them all. `npm run test:quick` leaves out
 * what needs a build or a browser.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const isQuick = process.argv[2] === "quick";
const out = mkdtempSync(join(tmpdir(), "polara-results-"));
const tests = join(out, "vitest.json");
const journeys = join(out, "playwright.json");
let isGreen = true;

function judge(title: string, status: number | null): void {
  if (status === 0) return;
  isGreen = false;
  console.error(`✗ ${title} failed`);
}

async function run(title: string, command: string, args: string[]): Promise<void> {
  console.log(`\n— ${title}`);
  const [status] = await once(spawn(`node_modules/.bin/${command}`, args, { stdio: "inherit" }), "close");
  judge(title, status);
}

/** Runs beside what else runs, and prints what it has to say when it is shown. */
function runBeside(title: string, command: string, args: string[], env: Record<string, string>) {
  const child = spawn(`node_modules/.bin/${command}`, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const ended = once(child, "close");
  const said: Buffer[] = [];
  let isShown = false;
  const hear = (chunk: Buffer) => void (isShown ? process.stdout.write(chunk) : said.push(chunk));
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  return async () => {
    console.log(`\n— ${title}`);
    process.stdout.write(Buffer.concat(said));
    isShown = true;
    judge(title, (await ended)[0]);
  };
}

function read<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as T;
  } catch {
    return null;
  }
}

await run("route types", "react-router", ["typegen"]);
await run("types", "tsc", ["--noEmit"]);
await run("lint", "oxlint", ["--type-aware"]);
await run("format", "oxfmt", ["--check", "."]);
// Tests of requests often wait, journeys never do: side by side they take a minute less.
const showJourneys = isQuick
  ? null
  : runBeside("journeys in a browser", "playwright", ["test", "--reporter=list,json"], {
      PLAYWRIGHT_JSON_OUTPUT_NAME: journeys,
    });
await run(isQuick ? "unit and database tests" : "unit, database and HTTP tests", "vitest", [
  "run",
  ...(isQuick ? ["--project=unit", "--project=server"] : []),
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${tests}`,
]);
await showJourneys?.();

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
