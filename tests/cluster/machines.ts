/** The machines of deploy/README.md: groups of processes that are killed or frozen together. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { launch } from "../support/shop.ts";
import type { Configs } from "./configs.ts";
import { poll, runOnce, signal, startDaemon, type Daemon } from "./daemons.ts";

const SUPERUSER = "postgres:CHANGE-ME-superuser";

export class DatabaseMachine {
  readonly name: string;
  readonly #host: number;
  readonly #configs: Configs;
  readonly backupConfig: Record<string, string>;
  #daemons: Daemon[] = [];

  constructor(configs: Configs, name: string, host: number) {
    [this.#configs, this.name, this.#host] = [configs, name, host];
    configs.patroni(name, host);
    this.backupConfig = { PGBACKREST_CONFIG: configs.pgbackrest(name) };
  }

  start(): void {
    const { name } = this;
    const folder = join(this.#configs.folder, name);
    const postmaster = () => {
      try {
        return [Number(readFileSync(join(folder, "postgres/data/postmaster.pid"), "utf8").split("\n")[0])];
      } catch {
        return [];
      }
    };
    this.#daemons = [
      startEtcd(this.#configs, name, this.#host),
      startDaemon(folder, "patroni", ["/usr/bin/patroni", join(folder, "patroni.yml")], {
        env: this.backupConfig,
        more: postmaster,
      }),
    ];
  }

  pgbackrest(...args: string[]): void {
    runOnce(["/usr/bin/pgbackrest", "--stanza=polara", ...args], this.backupConfig);
  }

  signal(kind: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void {
    signal(this.#daemons, kind);
  }

  /** Asks this PostgreSQL as the superuser. */
  async query<Row extends object>(text: string, database = "polara"): Promise<Row[]> {
    const client = new Client({
      connectionString: `postgres://${SUPERUSER}@${this.#configs.at(this.#host, 5432)}/${database}`,
      ssl: { rejectUnauthorized: false },
      connectionTimeoutMillis: 2_000,
    });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async isPrimary(): Promise<boolean> {
    const asked = fetch(`http://${this.#configs.at(this.#host, 8008)}/primary`, { signal: AbortSignal.timeout(1_000) });
    return (await asked).ok;
  }

  /** Synchronous replication. */
  async isFollowed(): Promise<boolean> {
    const rows = await this.query("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'", "postgres");
    return rows.length === 1;
  }
}

export function startEtcd(configs: Configs, name: string, host: number): Daemon {
  const env = configs.etcd(name, host);
  return startDaemon(join(configs.folder, name), "etcd", ["/usr/bin/etcd"], { env });
}

/** HAProxy and the shop's process beside it. */
export class WebMachine {
  readonly name: string;
  readonly #env: Record<string, string>;
  #shop: ReturnType<typeof launch> | undefined;

  constructor(configs: Configs, name: string, host: number) {
    this.name = name;
    this.#env = configs.shop(host);
    const config = configs.haproxy(name, host);
    startDaemon(join(configs.folder, name), "haproxy", ["/usr/sbin/haproxy", "-db", "-f", config]);
  }

  async start(): Promise<void> {
    this.#shop = launch(this.#env);
    await poll(`${this.name} is ready`, async () => {
      if (this.#shop?.child.exitCode !== null) throw new Error(this.#shop?.output());
      return (await fetch(`http://${this.#env.HOST}:${this.#env.PORT}/readyz`)).ok;
    });
  }

  /** Ends the shop's process; SIGTERM drains it first. */
  async end(kind: NodeJS.Signals): Promise<void> {
    this.#shop?.child.kill(kind);
    await this.#shop?.ended;
  }

  /** nginx skips a refusing machine for a while. */
  async waitForTraffic(): Promise<void> {
    await poll(`${this.name} is asked again`, async () => this.#shop?.output().includes('"path":"/checkout"'));
  }
}
