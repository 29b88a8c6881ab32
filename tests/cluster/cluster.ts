/** All machines of deploy/README.md on loopback, set up in its order. */
import { join } from "node:path";
import type { Configs } from "./configs.ts";
import { chownFolder, poll, startDaemon } from "./daemons.ts";
import { launch } from "../support/shop.ts";
import { DatabaseMachine, startEtcd, WebMachine } from "./machines.ts";

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

export async function startCluster(configs: Configs) {
  const { folder, url } = configs;
  const db1 = new DatabaseMachine(configs, "db1", 11);
  const db2 = new DatabaseMachine(configs, "db2", 12);
  const databases = [db1, db2];
  chownFolder(folder);
  startEtcd(configs, "edge", 10);
  db1.start();
  db2.start();
  const primary = () =>
    poll("one PostgreSQL leads", async () => {
      for (const one of databases) if (await one.isPrimary().catch(() => false)) return one;
    });
  const followed = async () => {
    const leader = await primary();
    await poll("the other PostgreSQL follows", () => leader.isFollowed());
    return leader;
  };
  const leader = await followed();
  await leader.query("CREATE ROLE polara LOGIN PASSWORD 'polara'", "postgres");
  await leader.query("CREATE DATABASE polara OWNER polara", "postgres");
  leader.pgbackrest("stanza-create");
  leader.pgbackrest("--type=full", "backup");

  const web1 = new WebMachine(configs, "web1", 21);
  const web2 = new WebMachine(configs, "web2", 22);
  await runUnits(configs.shop(21));
  await web1.start();
  await web2.start();
  startDaemon(join(folder, "edge"), "nginx", ["/usr/sbin/nginx", "-e", "stderr", "-c", configs.nginx("edge")]);
  await poll("nginx answers", async () => (await fetch(`${url}/readyz`)).ok);
  return { folder, url, databases, primary, followed, web: [web1, web2] };
}

/** Migrates the database and runs the worker, as the systemd units do. */
async function runUnits(env: Record<string, string>): Promise<void> {
  const migrating = launch(env, { command: "migrate" });
  if ((await migrating.ended) !== 0) throw new Error(migrating.output());
  const worker = launch(env, { command: "worker" });
  process.once("exit", () => worker.child.kill("SIGKILL"));
}
