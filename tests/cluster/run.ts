/** `npm run test:cluster`: the machines of deploy/ on loopback, and the effect of their failures on visitors. */
import { randomInt } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { startCluster } from "./cluster.ts";
import { Configs } from "./configs.ts";
import { scenario } from "./scenario.ts";

const PROGRAMS = {
  "etcd-server": "/usr/bin/etcd",
  haproxy: "/usr/sbin/haproxy",
  nginx: "/usr/sbin/nginx",
  openssl: "/usr/bin/openssl",
  patroni: "/usr/bin/patroni",
  pgbackrest: "/usr/bin/pgbackrest",
  "postgresql-15": "/usr/lib/postgresql/15/bin/postgres",
};

/** The sentence for missing packages of Debian; null if all are installed. */
function missingPackages(): string | null {
  const missing = Object.entries(PROGRAMS).flatMap(([name, path]) => (existsSync(path) ? [] : [name]));
  if (missing.length === 0) return null;
  return `The cluster was not tested, because packages are missing: apt-get install -y ${missing.join(" ")}`;
}

const missing = missingPackages();
if (missing) {
  console.log(missing);
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), "polara-cluster-"));
const configs = new Configs(folder, `127.${randomInt(1, 255)}.0`);
setDefaultCACertificates([...getCACertificates("default"), readFileSync(configs.certificate, "utf8")]);
try {
  const isGreen = await scenario(await startCluster(configs));
  if (isGreen) process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  else console.log(`The logs are in ${folder}.`);
  process.exit(isGreen ? 0 : 1);
} catch (error) {
  console.error(error, `\nThe logs are in ${folder}.`);
  process.exit(1);
}
