/** Debian's packages that the cluster is made of, and which of them this machine lacks. */
import { existsSync } from "node:fs";

export const POSTGRES = "/usr/lib/postgresql/15/bin/postgres";

const PROGRAMS = {
  "etcd-server": "/usr/bin/etcd",
  haproxy: "/usr/sbin/haproxy",
  nginx: "/usr/sbin/nginx",
  openssl: "/usr/bin/openssl",
  patroni: "/usr/bin/patroni",
  pgbackrest: "/usr/bin/pgbackrest",
  "postgresql-15": POSTGRES,
};

/** One sentence with the remedy, or null where all are there. */
export function missingPackages(): string | null {
  const missing = Object.entries(PROGRAMS).flatMap(([name, path]) => (existsSync(path) ? [] : [name]));
  if (missing.length === 0) return null;
  return `The cluster was not tested, because packages are missing: apt-get install -y ${missing.join(" ")}`;
}
