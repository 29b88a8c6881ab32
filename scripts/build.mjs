// Builds the shop if sources are newer than the build; simultaneous callers share one build.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const STAMP = "build/.source-state";
const LOCK = "node_modules/.polara-building";
const INPUTS = [
  "app",
  "platform",
  "shop",
  "server",
  "sandboxes",
  "db",
  "public",
  "vite.config.ts",
  "react-router.config.ts",
  "package-lock.json",
  "scripts/build.mjs",
];

const OUTPUTS = ["build/client", "build/server"];
/** Node's compile cache, which `npm start` names. */
const COMPILED = "build/compiled";

/** Fingerprint of sources or outputs, so that an incomplete build is repeated. */
function stateOf(paths) {
  const hash = createHash("sha256");
  const visit = (path) => {
    const stat = statSync(path);
    if (stat.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
    else if (!/\.test\.tsx?$/.test(path)) hash.update(`${path}:${stat.size}:${stat.mtimeMs}\n`);
  };
  for (const path of paths) if (existsSync(path)) visit(path);
  return hash.digest("hex");
}

const isBuilt = () => existsSync(STAMP) && readFileSync(STAMP, "utf8") === `${stateOf(INPUTS)} ${stateOf(OUTPUTS)}`;

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Waits for a build of another live process. */
function acquireLock() {
  for (;;) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: "wx" });
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const owner = existsSync(LOCK) ? Number(readFileSync(LOCK, "utf8")) : 0;
    if (owner > 0 && !isAlive(owner)) rmSync(LOCK, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
}

function build() {
  const state = stateOf(INPUTS);
  console.log("Building the shop …");
  // Without the stamp an unfinished build is repeated.
  rmSync(STAMP, { force: true });
  rmSync(COMPILED, { recursive: true, force: true });
  execFileSync("node_modules/.bin/react-router", ["build", "--logLevel", "warn"], {
    stdio: "inherit",
    env: {
      ...process.env,
      NODE_ENV: "production",
      PATH: `${join(process.cwd(), "node_modules/.bin")}:${process.env.PATH}`,
    },
  });
  precompress("build/client/assets");
  writeFileSync(STAMP, `${state} ${stateOf(OUTPUTS)}`);
}

// Compression at the best ratio, once instead of on every request.
function precompress(folder) {
  for (const name of readdirSync(folder)) {
    if (!/\.(js|css|svg)$/.test(name)) continue;
    const file = join(folder, name);
    const bytes = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(bytes));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

if (!isBuilt()) {
  acquireLock();
  try {
    if (!isBuilt()) build();
  } finally {
    rmSync(LOCK, { force: true });
  }
}
