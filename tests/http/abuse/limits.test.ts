/** Many requests from one network: counted together by all processes, however they are spread over them. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createDatabase } from "../../support/database.setup.ts";
import { startShop, type Shop } from "../../support/shop.ts";

const WRITES_PER_MINUTE = 300;

let shops: Shop[];
let close: () => Promise<void>;

beforeAll(async () => {
  const database = await createDatabase(inject("databaseServer"), inject("templateName"));
  const env = { DATABASE_URL: database.url, RATE_LIMIT_SCALE: "1", TRUST_PROXY: "loopback" };
  shops = [await startShop(env), await startShop(env)];
  close = async () => {
    await Promise.all(shops.map((shop) => shop.stop()));
    await database.drop();
  };
});
afterAll(() => close());

const write = (shop: Shop, address: string) =>
  fetch(`${shop.url}/cart/clear`, {
    method: "POST",
    body: new URLSearchParams(),
    redirect: "manual",
    headers: { Origin: shop.url, "X-Forwarded-For": address },
  });

/** Writes from these addresses, taking turns at both processes: the answers that were no refusal, and the last one. */
async function writeMany(count: number, address: (i: number) => string) {
  let passed = 0;
  let last = new Response();
  for (let i = 0; i < count; i += 4) {
    const answers = await Promise.all([0, 1, 2, 3].map((j) => write(shops[j % 2] ?? ({} as Shop), address(i + j))));
    for (const answer of answers) {
      if (answer.status !== 429) {
        await answer.arrayBuffer();
        passed++;
      }
      last = answer;
    }
  }
  return { passed, last };
}

describe("writes", () => {
  it("count together on both processes: one address spread over them gets one limit, not two", async () => {
    const { passed, last } = await writeMany(2 * WRITES_PER_MINUTE, () => "203.0.113.5");
    expect(passed).toBeGreaterThanOrEqual(WRITES_PER_MINUTE);
    expect(passed).toBeLessThan(WRITES_PER_MINUTE * 1.4);
    expect(last.status).toBe(429);
    expect(Number(last.headers.get("Retry-After"))).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 60);
    expect(await last.text()).toBe("That was a lot at once. Wait a minute, then try again.");
    for (const shop of shops) expect((await write(shop, "203.0.113.6")).status).not.toBe(429);
  });

  it("count a line of IPv6 as one, whichever of its addresses they come from", async () => {
    const { passed } = await writeMany(2 * WRITES_PER_MINUTE, (i) => `2001:db8:7:7::${i.toString(16)}`);
    expect(passed).toBeGreaterThanOrEqual(WRITES_PER_MINUTE);
    expect(passed).toBeLessThan(WRITES_PER_MINUTE * 1.4);
    expect((await write(shops[0] ?? ({} as Shop), "2001:db8:7:8::1")).status).not.toBe(429);
  });
});
