/** How processes end, and a shop of several web processes and a worker. */
import { Agent } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { openDatabase } from "#db/connection.server.ts";
import { ask, PATHS, startBusyClients } from "../support/busy-clients.ts";
import { administer, databaseUrl, dropDatabase } from "../support/database.setup.ts";
import { useFreshDatabase } from "../support/fresh-database.ts";
import { emailTo } from "../support/mailbox.ts";
import { freePort, launch, startShop, type Shop } from "../support/shop.ts";
import { Visitor } from "../support/visitor.ts";

const database = useFreshDatabase();
const AUTH_SECRET = "a secret that only tests know, and long enough";
const shops: Shop[] = [];
afterEach(async () => {
  await Promise.all(shops.splice(0).map((shop) => shop.kill()));
});

async function startManaged(env: Record<string, string>): Promise<Shop> {
  const shop = await startShop({ DATABASE_URL: database.url, AUTH_SECRET, ...env });
  shops.push(shop);
  return shop;
}

type Started = { role: "web" | "worker"; pid: number };

/** Started processes in the order of the log. */
const startedIn = (shop: Pick<Shop, "output">): Started[] =>
  shop
    .output()
    .split("\n")
    .filter((line) => line.includes('"a process has started"'))
    .map((line) => JSON.parse(line) as Started);

const webs = (shop: Shop) => startedIn(shop).filter(({ role }) => role === "web");
const workers = (shop: Shop) => startedIn(shop).filter(({ role }) => role === "worker");

function isAlive({ pid }: Started): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Connections of the job queue. A process that works on it has two at most. */
const queueConnections = async () => {
  const { rows } = await database.pool.query(
    "SELECT FROM pg_stat_activity WHERE application_name = 'pgboss' AND datname = current_database()",
  );
  return rows.length;
};

async function joinWaitlist(shop: Shop, email: string): Promise<void> {
  expect((await new Visitor(shop.url).post("/waitlist/join", { email })).status).toBeLessThan(400);
}

it("SIGTERM: a request in progress is finished after the shop stops listening", async () => {
  const shop = await startShop({ DATABASE_URL: database.url });
  const client = await database.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("LOCK TABLE products IN ACCESS EXCLUSIVE MODE");
    const slow = ask(new Agent(), shop.url, "/product/travel-sleeve");
    const ofThis = "database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    const waiting = async () =>
      (await database.pool.query(`SELECT FROM pg_locks WHERE NOT granted AND ${ofThis}`)).rowCount;
    await expect.poll(waiting).toBe(1);
    const ended = shop.terminate();
    const refusal = () => ask(new Agent(), shop.url, "/healthz").catch((error: { code?: string }) => error.code);
    await expect.poll(refusal).toBe("ECONNREFUSED");
    await client.query("COMMIT");
    expect((await slow).status).toBe(200);
    expect(await ended).toBe(0);
  } finally {
    client.release(true);
  }
});

describe("WEB_PROCESSES=2", () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await startShop({ DATABASE_URL: database.url, AUTH_SECRET, WEB_PROCESSES: "2" });
    await vi.waitUntil(() => startedIn(shop).length === 3, 30_000);
  });
  afterAll(() => shop.kill());

  it("serves from two processes and runs the jobs in a third", async () => {
    expect([webs(shop).length, workers(shop).length]).toEqual([2, 1]);
    await joinWaitlist(shop, "several@example.com");
    await emailTo(shop.url, "several@example.com", "waitlist");
    expect(await queueConnections()).toBeGreaterThan(0);
    expect(await queueConnections()).toBeLessThanOrEqual(2);
  });

  it("SIGHUP replaces all processes under load without losing a request", async () => {
    const before = startedIn(shop);
    // Load balancers must not remove the shop meanwhile.
    const clients = startBusyClients(shop.url, [...PATHS, "/readyz"]);
    try {
      await expect.poll(clients.answered).toBeGreaterThan(100);
      shop.child.kill("SIGHUP");
      await expect.poll(() => before.some(isAlive)).toBe(false);
      await expect.poll(() => startedIn(shop).length).toBe(6);
      const answered = clients.answered();
      await expect.poll(clients.answered).toBeGreaterThan(answered + 100);
    } finally {
      expect(await clients.stop()).toEqual([]);
    }
    expect([webs(shop).length, workers(shop).length]).toEqual([4, 2]);
  });

  it("a killed process is restarted, and the shop responds meanwhile", async () => {
    for (const one of [webs(shop).at(-1), workers(shop).at(-1)]) {
      const before = startedIn(shop).length;
      if (one) process.kill(one.pid, "SIGKILL");
      // A connection that was given to the process as it was killed is lost with it.
      const answer = () => fetch(shop.url, { signal: AbortSignal.timeout(5_000) }).then(({ status }) => status, String);
      await expect.poll(answer).toBe(200);
      await expect.poll(() => startedIn(shop).length).toBe(before + 1);
      expect(startedIn(shop).at(-1)?.role).toBe(one?.role);
    }
  });

  it("exits with one sentence if the port is taken", async () => {
    const { port } = new URL(shop.url);
    const second = launch({ DATABASE_URL: database.url, AUTH_SECRET, PORT: port, WEB_PROCESSES: "2" });
    expect(await second.ended).toBe(1);
    expect(second.output().match(/Port \d+ is taken/g)).toHaveLength(1);
    // The running shop answers at the URL and must not be mistaken for the new one.
    await expect(startShop({ DATABASE_URL: database.url, AUTH_SECRET, PORT: port })).rejects.toThrow(
      /Port \d+ is taken/,
    );
  });
});

it.each([
  [{ WEB_PROCESSES: "999" }, /^999 web processes need \d+ connections, and PostgreSQL's max_connections is \d+\./],
  [{ LISTEN_FDS: "1" }, /^LISTEN_FDS is set, and no socket was passed to the shop\./],
  [{ LISTEN_FDS: "1", WEB_PROCESSES: "2" }, /^LISTEN_FDS is set, and no socket was passed to the shop\./],
])("%j exits with one sentence if it is impossible", async (env, sentence) => {
  const shop = launch({ DATABASE_URL: database.url, AUTH_SECRET, PORT: String(await freePort()), ...env });
  expect(await shop.ended).toBe(1);
  expect(shop.output().trim()).toMatch(sentence);
});

describe("WORKER=outside", () => {
  it("leaves the jobs to `npm run worker`, which shuts down cleanly", async () => {
    const shop = await startManaged({ WORKER: "outside" });
    await joinWaitlist(shop, "outside@example.com");
    await expect.poll(queueConnections).toBe(0);
    const worker = launch({ DATABASE_URL: database.url, AUTH_SECRET, BASE_URL: shop.url }, { command: "worker" });
    await emailTo(shop.url, "outside@example.com", "waitlist");
    await expect.poll(worker.output).toContain("Polara's worker runs");
    worker.child.kill("SIGTERM");
    expect(await worker.ended).toBe(0);
    await expect.poll(queueConnections).toBe(0);
  });

  it.each(["worker", "migrate"] as const)("`npm run %s` requires DATABASE_URL", async (command) => {
    const started = launch({ DATABASE_URL: "" }, { command });
    expect(await started.ended).toBe(1);
    expect(started.output()).toContain(`npm run ${command} needs DATABASE_URL`);
  });
});

describe("npm run migrate", () => {
  const server = () => inject("databaseServer");
  const name = `polara_migrate_${process.pid}`;
  const url = () => databaseUrl(server(), name);
  const owner = () => new URL(server()).username;
  const migrate = async () => {
    const { ended, output } = launch({ DATABASE_URL: url(), AUTH_SECRET }, { command: "migrate" });
    return { code: await ended, says: output() };
  };
  afterEach(() => dropDatabase(server(), name));

  it("two at once migrate an empty database and report what they did", async () => {
    await administer(server(), `CREATE DATABASE ${name}`);
    const both = await Promise.all([migrate(), migrate()]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    const says = both.map((one) => one.says).join("");
    expect(says).toMatch(/Applied: 0000_shop\b.*\./);
    expect(says.match(/No migration was missing\./g)).toHaveLength(1);
    expect(says.match(/The catalog was empty and has 12 products now\./g)).toHaveLength(1);
    const { pool } = openDatabase(url(), 1);
    expect((await pool.query("SELECT FROM products")).rowCount).toBe(12);
    await pool.end();
    expect((await migrate()).says).toBe("No migration was missing.\n");
  });

  it("is unnecessary for a shop without DDL permission if no migration is pending", async () => {
    await administer(server(), `CREATE DATABASE ${name} TEMPLATE ${inject("templateName")}`);
    await administer(server(), `REVOKE CREATE ON DATABASE ${name} FROM ${owner()}, PUBLIC`);
    await startManaged({ DATABASE_URL: url() });
    await Promise.all(shops.splice(0).map((shop) => shop.kill()));
  });
});
