/** One shop as several processes: the web's, and the one for the jobs. */
import { Agent } from "node:http";
import { afterEach, describe, expect, inject, it } from "vitest";
import { openDatabase } from "../../db/connection.server.ts";
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

async function startKept(env: Record<string, string>): Promise<Shop> {
  const shop = await startShop({ DATABASE_URL: database.url, AUTH_SECRET, ...env });
  shops.push(shop);
  return shop;
}

type Started = { role: "web" | "worker"; pid: number };

/** The processes that the log says have started, in that order. */
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

describe("WEB_PROCESSES=2", () => {
  it("serves from two processes and does the jobs in a third one", async () => {
    const shop = await startKept({ WEB_PROCESSES: "2" });
    await expect.poll(() => startedIn(shop).length).toBe(3);
    expect([webs(shop).length, workers(shop).length]).toEqual([2, 1]);
    await joinWaitlist(shop, "several@example.com");
    await emailTo(shop.url, "several@example.com", "waitlist");
    expect(await queueConnections()).toBeGreaterThan(0);
    expect(await queueConnections()).toBeLessThanOrEqual(2);
  });

  it("SIGHUP replaces all of them while visitors ask, and no request is lost", async () => {
    const shop = await startKept({ WEB_PROCESSES: "2" });
    await expect.poll(() => startedIn(shop).length).toBe(3);
    const before = startedIn(shop);
    // The shop goes on: what balances load must not take it out meanwhile.
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

  it("one that is killed is started again, and the shop answers meanwhile", async () => {
    const shop = await startKept({ WEB_PROCESSES: "2" });
    await expect.poll(() => startedIn(shop).length).toBe(3);
    for (const one of [webs(shop)[1], workers(shop)[0]]) {
      const before = startedIn(shop).length;
      if (one) process.kill(one.pid, "SIGKILL");
      expect((await ask(new Agent(), shop.url, "/")).status).toBe(200);
      await expect.poll(() => startedIn(shop).length).toBe(before + 1);
      expect(startedIn(shop).at(-1)?.role).toBe(one?.role);
    }
  });

  it("SIGTERM drains all of them, also where they get it too, and /readyz says so", async () => {
    const shop = await startKept({ WEB_PROCESSES: "2" });
    await expect.poll(() => startedIn(shop).length).toBe(3);
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const statuses: number[] = [];
    const clients = agents.map(async (agent) => {
      for (;;) {
        const { status, connection } = await ask(agent, shop.url, "/shop");
        statuses.push(status);
        if (connection === "close") return;
      }
    });
    await expect.poll(() => statuses.length).toBeGreaterThan(50);
    const ended = shop.terminate();
    for (const { pid } of startedIn(shop)) process.kill(pid, "SIGTERM");
    await expect.poll(async () => (await ask(new Agent(), shop.url, "/readyz")).text).toBe("draining");
    await Promise.all(clients);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(await ended).toBe(0);
    expect(startedIn(shop).filter(isAlive)).toEqual([]);
  });

  it("ends with one sentence where the port is taken", async () => {
    const port = String(await freePort());
    await startKept({ PORT: port });
    const second = launch({ DATABASE_URL: database.url, AUTH_SECRET, PORT: port, WEB_PROCESSES: "2" });
    expect(await second.ended).toBe(1);
    expect(second.output().match(/Port \d+ is taken/g)).toHaveLength(1);
    // The one that is there answers at the address, and is not taken for the one that was to start.
    await expect(startShop({ DATABASE_URL: database.url, AUTH_SECRET, PORT: port })).rejects.toThrow(
      /Port \d+ is taken/,
    );
  });
});

it.each([
  [{ WEB_PROCESSES: "999" }, /^999 web processes need \d+ connections, and PostgreSQL's max_connections is \d+\./],
  [{ LISTEN_FDS: "1" }, /^LISTEN_FDS is set, and no socket was passed to the shop\./],
  [{ LISTEN_FDS: "1", WEB_PROCESSES: "2" }, /^LISTEN_FDS is set, and no socket was passed to the shop\./],
])("%j ends with one sentence where that cannot be", async (env, sentence) => {
  const shop = launch({ DATABASE_URL: database.url, AUTH_SECRET, PORT: String(await freePort()), ...env });
  expect(await shop.ended).toBe(1);
  expect(shop.output().trim()).toMatch(sentence);
});

describe("WORKER=outside", () => {
  it("leaves the jobs to `npm run worker`, which ends in order", async () => {
    const shop = await startKept({ WORKER: "outside" });
    await joinWaitlist(shop, "outside@example.com");
    expect(await queueConnections()).toBe(0);
    const worker = launch({ DATABASE_URL: database.url, AUTH_SECRET, BASE_URL: shop.url }, { command: "worker" });
    await emailTo(shop.url, "outside@example.com", "waitlist");
    expect(worker.output()).toContain("Polara's worker runs");
    worker.child.kill("SIGTERM");
    expect(await worker.ended).toBe(0);
    expect(await queueConnections()).toBe(0);
  });

  it.each(["worker", "migrate"] as const)("`npm run %s` asks for DATABASE_URL", async (command) => {
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

  it("two at once bring an empty database up to date, and say what they did", async () => {
    await administer(server(), `CREATE DATABASE ${name}`);
    const both = await Promise.all([migrate(), migrate()]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    const says = both.map((one) => one.says).join("");
    expect(says).toMatch(/Applied: 0000_\S+, .*\d{4}_\S+\./);
    expect(says.match(/No migration was missing\./g)).toHaveLength(1);
    expect(says.match(/The catalog was empty and has 12 products now\./g)).toHaveLength(1);
    const { pool } = openDatabase(url(), 1);
    expect((await pool.query("SELECT FROM products")).rowCount).toBe(12);
    await pool.end();
    expect((await migrate()).says).toBe("No migration was missing.\n");
  });

  it("is what a shop asks for that finds migrations missing and may not apply them", async () => {
    await administer(server(), `CREATE DATABASE ${name}`);
    await administer(server(), `REVOKE CREATE ON DATABASE ${name} FROM ${owner()}, PUBLIC`);
    const shop = launch({ DATABASE_URL: url(), AUTH_SECRET, PORT: String(await freePort()) });
    expect(await shop.ended).toBe(1);
    expect(shop.output().trim()).toMatch(
      /^The database of DATABASE_URL cannot be used \(permission denied .*\)\. Run `npm run migrate` .*\.$/,
    );
  });

  it("is not needed by a shop that may change no tables and finds none missing", async () => {
    await administer(server(), `CREATE DATABASE ${name} TEMPLATE ${inject("templateName")}`);
    await administer(server(), `REVOKE CREATE ON DATABASE ${name} FROM ${owner()}, PUBLIC`);
    await startKept({ DATABASE_URL: url() });
    await Promise.all(shops.splice(0).map((shop) => shop.kill()));
  });
});
