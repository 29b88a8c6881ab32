/** A shop that is told to end loses no request: what balances load hears of it first. */
import { Agent, request } from "node:http";
import { expect, it } from "vitest";
import { useFreshDatabase } from "../support/fresh-database.ts";
import { startShop } from "../support/shop.ts";

const database = useFreshDatabase();
const CLIENTS = 20;

type Answer = { status: number; connection: string; text: string };

/** One request on one of the agent's connections. */
const ask = (agent: Agent, url: string, path: string) =>
  new Promise<Answer>((done, failed) => {
    const asked = request(url + path, { agent }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("error", failed);
      response.on("end", () =>
        done({ status: response.statusCode ?? 0, connection: response.headers.connection ?? "", text }),
      );
    });
    asked.on("error", failed).end();
  });

it("SIGTERM: busy connections are answered until they are told to close, and /readyz says draining", async () => {
  const shop = await startShop({ DATABASE_URL: database.url });
  const answers: Answer[] = [];
  const agents = Array.from({ length: CLIENTS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const paths = ["/", "/shop", "/cart", "/healthz", "/product/travel-sleeve"];
  /** As a proxy does: it goes on where it is not told to close, and never sends twice. */
  const clients = agents.map(async (agent) => {
    for (let n = 0; ; n++) {
      const answer = await ask(agent, shop.url, paths[n % paths.length] ?? "/");
      answers.push(answer);
      if (answer.connection === "close") return;
    }
  });
  await expect.poll(() => answers.length).toBeGreaterThan(CLIENTS * 5);

  const ended = shop.terminate();
  await expect.poll(async () => (await ask(new Agent(), shop.url, "/readyz")).text).toBe("draining");
  await Promise.all(clients);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(answers.filter(({ connection }) => connection === "close")).toHaveLength(CLIENTS);
  expect(await ended).toBe(0);
});

it("SIGTERM: a request under way is finished after the shop has stopped listening", async () => {
  const shop = await startShop({ DATABASE_URL: database.url });
  const client = await database.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("LOCK TABLE products IN ACCESS EXCLUSIVE MODE");
    const slow = ask(new Agent(), shop.url, "/product/travel-sleeve");
    const waiting = async () => (await database.pool.query("SELECT FROM pg_locks WHERE NOT granted")).rowCount;
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
