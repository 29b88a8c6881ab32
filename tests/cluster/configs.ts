/** The files of deploy/ with other addresses, ports and paths, since all machines are on loopback and in one folder. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Change = [from: string | RegExp, to: string];

/** Above the ports of local services, below the ephemeral ones. */
const PORTS_UP = 20_000;

export class Configs {
  readonly folder: string;
  /** Replaces `10.0.0`, unique for this run. */
  readonly network: string;
  readonly url: string;

  constructor(folder: string, network: string) {
    this.folder = folder;
    this.network = network;
    this.url = `https://localhost:${PORTS_UP + 443}`;
    this.#certificate();
  }

  /** Local address of a service in deploy/. */
  at(host: number, port: number): string {
    return `${this.network}.${host}:${port + PORTS_UP}`;
  }

  etcd(name: string, host: number): Record<string, string> {
    const own = variables(this.#read("etcd.env"));
    const cluster = own.ETCD_INITIAL_CLUSTER ?? "";
    const moved = Object.entries({ ...own, ETCD_NAME: name }).map(([key, value]) => [
      key,
      value === cluster ? cluster : value.replaceAll(`${this.network}.11:`, `${this.network}.${host}:`),
    ]);
    return { ...Object.fromEntries(moved), ETCD_DATA_DIR: this.#folder(name, "etcd"), ETCD_LOG_LEVEL: "warn" };
  }

  patroni(name: string, host: number): string {
    const own = this.#folder(name, "postgres");
    return this.#write(
      name,
      "patroni.yml",
      ["name: db1", `name: ${name}`],
      [/\b([\d.]+)\.11:(28008|25432)\b/g, `$1.${host}:$2`],
      ["/var/lib/postgresql/15/polara", join(own, "data")],
      ["/var/lib/postgresql/patroni.pgpass", join(own, "pgpass")],
      ["/var/run/postgresql", own],
      ["/etc/polara/", `${this.folder}/`],
      // The test's user may not be postgres, and loopback traffic has another address.
      ["postgres peer", "postgres trust"],
      [/10\.0\.0\.0\/24/g, "127.0.0.0/8"],
    );
  }

  pgbackrest(name: string): string {
    const own = this.#folder(name, "postgres");
    return this.#write(
      name,
      "pgbackrest.conf",
      ["repo1-path=/var/lib/pgbackrest", `repo1-path=${this.#folder("archive")}`],
      ["/var/log/pgbackrest", `${own}\nspool-path=${join(own, "spool")}`],
      ["/tmp/pgbackrest", join(own, "lock")],
      ["pg1-path=/var/lib/postgresql/15/polara", `pg1-path=${join(own, "data")}`],
      ["pg1-socket-path=/var/run/postgresql", `pg1-socket-path=${own}\npg1-port=${5432 + PORTS_UP}\npg1-user=postgres`],
    );
  }

  haproxy(name: string, host: number): string {
    return this.#write(
      name,
      "haproxy.cfg",
      ["  user haproxy\n  group haproxy\n", ""],
      ["127.0.0.1:5000", this.at(host, 5000)],
      [/check port 8008/g, `check port ${8008 + PORTS_UP}`],
    );
  }

  nginx(name: string): string {
    const own = this.#folder(name, "nginx");
    const site = this.#write(
      name,
      "nginx.conf",
      ["listen 443", `listen ${new URL(this.url).port}`],
      ["listen 80;", `listen ${80 + PORTS_UP};`],
      [/shop\.example/g, "localhost"],
      ["/etc/polara/shop.crt", join(this.folder, "database.crt")],
      ["/etc/polara/shop.key", join(this.folder, "database.key")],
    );
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${own};`);
    const whole = join(this.folder, name, "whole.conf");
    writeFileSync(
      whole,
      `daemon off; pid ${own}/pid; error_log stderr; events {} http { access_log off; ${temporary.join(" ")} include ${site}; }`,
    );
    return whole;
  }

  shop(host: number): Record<string, string> {
    return {
      ...variables(readFileSync("deploy/shop.env", "utf8")),
      BASE_URL: this.url,
      TRUST_PROXY: "loopback",
      HOST: `${this.network}.${host}`,
      PORT: String(3000 + PORTS_UP),
      DATABASE_URL: `postgres://polara:polara@${this.at(host, 5000)}/polara?sslmode=verify-full&sslrootcert=${this.certificate}`,
      AUTH_SECRET: "a secret that only this test knows, and long enough",
      RATE_LIMIT_SCALE: "1000000",
    };
  }

  get certificate(): string {
    return join(this.folder, "ca.crt");
  }

  /** One self-signed certificate for every name in use. */
  #certificate(): void {
    const names = ["DNS:localhost", ...[21, 22].map((host) => `IP:${this.network}.${host}`)].join(",");
    const files = ["-keyout", join(this.folder, "database.key"), "-out", this.certificate];
    const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    const subject = ["-subj", "/CN=localhost", "-addext", `subjectAltName=${names}`];
    execFileSync("openssl", ["req", "-x509", ...kind, ...subject, ...files], { stdio: "ignore" });
    writeFileSync(join(this.folder, "database.crt"), readFileSync(this.certificate));
  }

  #folder(...names: string[]): string {
    const path = join(this.folder, ...names);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  }

  #read(file: string): string {
    return readFileSync(join("deploy", file), "utf8").replace(
      /\b10\.0\.0\.(\d+):(\d+)/g,
      (_, host: string, port: string) => this.at(Number(host), Number(port)),
    );
  }

  #write(name: string, file: string, ...changes: Change[]): string {
    let text = this.#read(file);
    for (const [from, to] of changes) {
      const changed = text.replaceAll(typeof from === "string" ? from : new RegExp(from, "g"), to);
      if (changed === text && !(file === "patroni.yml" && name === "db1"))
        throw new Error(`deploy/${file} has no ${from}`);
      text = changed;
    }
    const path = join(this.#folder(name), file);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }
}

const variables = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));
