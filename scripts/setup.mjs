// What a fresh clone lacks, made once: packages, the build, a browser for the tests.
// Plain JavaScript on built-ins only, because it runs with whatever Node the machine has.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const wanted = process.argv.slice(2);
const run = (command, args, env = {}) =>
  execFileSync(command, args, { stdio: "inherit", env: { ...process.env, ...env } });

if (Number(process.versions.node.split(".")[0]) < 20) {
  console.error(`Polara needs Node 20 or newer; this is ${process.version}.`);
  process.exit(1);
}

function install() {
  const lock = createHash("sha256").update(readFileSync("package-lock.json")).digest("hex");
  const stamp = "node_modules/.polara-lock";
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.log("Installing packages …");
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { NODE_ENV: "development" });
  writeFileSync(stamp, lock);
}

function sourceState() {
  const hash = createHash("sha256");
  const visit = (path) => {
    const stat = statSync(path);
    if (stat.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
    else hash.update(`${path}:${stat.size}:${stat.mtimeMs}\n`);
  };
  const inputs = [
    "app",
    "shop",
    "server",
    "db",
    "public",
    "vite.config.ts",
    "react-router.config.ts",
    "package-lock.json",
  ];
  for (const input of inputs) if (existsSync(input)) visit(input);
  return hash.digest("hex");
}

function build() {
  const state = sourceState();
  const stamp = "build/.source-state";
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === state) return;
  console.log("Building the shop …");
  run("node_modules/.bin/react-router", ["build", "--logLevel", "warn"], {
    NODE_ENV: "production",
    PATH: `${join(process.cwd(), "node_modules/.bin")}:${process.env.PATH}`,
  });
  precompress("build/client/assets");
  writeFileSync(stamp, state);
}

// Once, at the best ratio, instead of on every request.
function precompress(folder) {
  for (const name of readdirSync(folder)) {
    if (!/\.(js|css|svg)$/.test(name)) continue;
    const file = join(folder, name);
    const bytes = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(bytes));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

// The system's Chromium, else Debian's package, else Playwright's own download.
function browser() {
  const found = ["chromium", "chromium-browser", "google-chrome"].some(
    (name) => spawnSync("sh", ["-c", `command -v ${name}`]).status === 0,
  );
  if (found) return;
  console.log("Installing Chromium for the browser tests …");
  const apt = process.getuid?.() === 0 && spawnSync("sh", ["-c", "command -v apt-get"]).status === 0;
  if (apt) {
    run("apt-get", ["update", "-qq"]);
    run("apt-get", ["install", "-y", "-qq", "chromium"], { DEBIAN_FRONTEND: "noninteractive" });
  } else run("node_modules/.bin/playwright", ["install", "chromium"]);
}

install();
if (wanted.includes("build")) build();
if (wanted.includes("browser")) browser();
