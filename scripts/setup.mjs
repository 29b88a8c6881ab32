// Setup of a fresh clone: packages, development tools, the build, a browser for the tests.
// Plain JavaScript on built-ins only, since it runs on any version of Node.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const wanted = process.argv.slice(2);
const run = (command, args, env = {}) =>
  execFileSync(command, args, { stdio: "inherit", env: { ...process.env, ...env } });

if (Number(process.versions.node.split(".")[0]) < 20) {
  console.error(`Polara needs Node 20 or newer; this is ${process.version}.`);
  process.exit(1);
}

/** Packages for building and serving, or the development tools too. Installed tools stay. */
function install(withTools) {
  const lock = createHash("sha256").update(readFileSync("package-lock.json")).digest("hex");
  const stamp = "node_modules/.polara-lock";
  const [installed, scope] = existsSync(stamp) ? readFileSync(stamp, "utf8").split(" ") : ["", "shop"];
  const wantedScope = withTools || scope !== "shop" ? "tools" : "shop";
  if (installed === lock && scope === wantedScope) return;
  console.log("Installing packages …");
  // `npm ci` would delete packages that a running shop uses.
  const how = installed === lock ? ["install", "--no-save"] : ["ci"];
  const dev = wantedScope === "tools" ? "--include=dev" : "--omit=dev";
  rmSync(stamp, { force: true });
  run("npm", [...how, dev, "--no-audit", "--no-fund", "--loglevel=error"], { NODE_ENV: "development" });
  writeFileSync(stamp, `${lock} ${wantedScope}`);
}

const succeeds = (command) => spawnSync("sh", ["-c", command]).status === 0;

/**
 * Chromium from the system, from Debian or from Playwright. Debian's installs while the packages do; the returned
 * function waits for it.
 */
function browser() {
  const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
  if (names.some((name) => succeeds(`command -v ${name}`))) return;
  console.log("Installing Chromium for the browser tests …");
  const download = async () => run("node_modules/.bin/playwright", ["install", "chromium"]);
  if (process.getuid?.() !== 0 || !succeeds("command -v apt-get")) return download;
  const apt =
    "apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium-headless-shell fonts-liberation";
  const child = spawn("sh", ["-c", apt], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  const ended = new Promise((done) => child.once("close", done));
  return async () => (await ended) === 0 || download();
}

const browserIsThere = wanted.includes("browser") ? browser() : undefined;
install(wanted.includes("tools"));
if (wanted.includes("build")) await import("./build.mjs");
await browserIsThere?.();
