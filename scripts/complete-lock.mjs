// Completes package-lock.json with the native binaries of other platforms, and each entry with its checksum.
// npm omits optional packages that this machine's registry does not list, and `npm ci` then refuses the lock.
// Run after a change of dependencies: `node scripts/complete-lock.mjs`.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const platforms = {
  os: ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"],
  cpu: ["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64", "wasm32"],
};

const has = (name, from) => `node_modules/${name}` in lock.packages || `${from}/node_modules/${name}` in lock.packages;
let added = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (path === "" || has(name, path)) continue;
    const words = name.split(/[-/@]/);
    const part = (kind) =>
      platforms[kind].filter(
        (value) => words.includes(value) || (kind === "cpu" && words.some((word) => word.startsWith(`${value}-`))),
      );
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(part("cpu").length && { cpu: part("cpu") }),
      ...(part("os").length && { os: part("os") }),
      optional: true,
    };
    if (!part("os").length && !part("cpu").length) throw new Error(`Which platform is ${name} for?`);
    added++;
  }
}

// Entries without a checksum would accept any download.
const unknown = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  if (path === "" || entry.link || entry.integrity) continue;
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const view = spawnSync("npm", ["view", `${name}@${entry.version}`, "dist.integrity"], { encoding: "utf8" });
  const integrity = view.stdout.trim();
  if (/^sha512-[A-Za-z0-9+/]+=*$/.test(integrity)) entry.integrity = integrity;
  else unknown.push(`${name}@${entry.version}`);
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} entries added.`);
if (unknown.length > 0) {
  console.log(`Without a checksum, because this registry does not show them: ${unknown.join(", ")}`);
}
