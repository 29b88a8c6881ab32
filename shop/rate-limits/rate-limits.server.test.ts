import { describe, expect, it } from "vitest";
import { sql } from "drizzle-orm";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { rateLimits } from "./rate-limit.tables.ts";
import { openRateLimits, sweepRateLimits, type RateLimit } from "./rate-limits.server.ts";

const shop = useFreshDatabase();
const open = (scale = 1) => openRateLimits(shop.db, { scale, secret: "a secret" });
const limit = (subject: string, more: Partial<RateLimit> = {}): RateLimit => ({
  name: "test",
  subject,
  points: 3,
  seconds: 60,
  ...more,
});

describe("a rate limit", () => {
  it("limits concurrent uses, and returns the wait", async () => {
    const waits = await Promise.all(Array.from({ length: 20 }, () => open().consume([limit("crowd")])));
    expect(waits.filter((wait) => wait === null)).toHaveLength(3);
    for (const refused of waits) if (refused) expect(refused.wait).toSatisfy((s: number) => s >= 1 && s <= 60);
  });

  it("consumes all limits or none", async () => {
    const wide = limit("wide", { points: 10 });
    for (let i = 0; i < 8; i++) await open().consume([wide, limit("narrow")]);
    // Three passed; the others refunded what they had consumed.
    for (let i = 0; i < 7; i++) expect(await open().consume([wide])).toBeNull();
    expect(await open().consume([wide])).not.toBeNull();
  });

  it("restarts after it expires, and is multiplied by the scale", async () => {
    for (let i = 0; i < 6; i++) expect(await open(2).consume([limit("later")])).toBeNull();
    expect(await open(2).consume([limit("later")])).not.toBeNull();
    await shop.db.execute(sql`UPDATE rate_limits SET expires_at = now() - interval '1 second'`);
    expect(await open().consume([limit("later")])).toBeNull();
  });

  it("counts by cost, refunds, and refuses a cost above the limit", async () => {
    expect(await open().consume([limit("cost", { cost: 4 })])).not.toBeNull();
    expect(await open().consume([limit("cost", { cost: 3 })])).toBeNull();
    expect(await open().consume([limit("cost")])).not.toBeNull();
    await open().refund([limit("cost", { cost: 2 })]);
    expect(await open().consume([limit("cost", { cost: 2 })])).toBeNull();
    expect(await open().consume([limit("cost")])).not.toBeNull();
  });

  it("stores no subject, and nothing after it expires", async () => {
    await open().consume([limit("ada@example.com")]);
    const { rows } = await shop.db.execute(sql`SELECT * FROM rate_limits`);
    expect(JSON.stringify(rows)).not.toContain("ada");
    await shop.db.execute(sql`UPDATE rate_limits SET expires_at = now() - interval '1 second'`);
    await sweepRateLimits(shop.db);
    expect((await shop.db.execute(sql`SELECT * FROM rate_limits`)).rows).toEqual([]);
  });

  it("names the first exhausted limit", async () => {
    const [wide, narrow] = [limit("wide one", { points: 9 }), limit("narrow one")];
    for (let i = 0; i < 3; i++) expect(await open().consume([wide, narrow])).toBeNull();
    expect(await open().consume([wide, narrow])).toMatchObject({ limit: narrow });
    const expensive = limit("never used", { cost: 4 });
    expect(await open().consume([wide, expensive, narrow])).toEqual({ limit: expensive, wait: 60 });
    await shop.db.execute(sql`UPDATE rate_limits SET expires_at = now() - interval '1 second'`);
    expect(await open().consume([wide, narrow])).toBeNull();
  });

  it("sweeps fully refunded limits only", async () => {
    await sweepRateLimits(shop.db);
    const before = await shop.db.$count(rateLimits);
    const [one, two] = [limit("refunded"), limit("partly refunded", { cost: 2 })];
    await open().consume([one, two]);
    await open().refund([one, { ...two, cost: 1 }]);
    await sweepRateLimits(shop.db);
    expect(await shop.db.$count(rateLimits)).toBe(before + 1);
  });

  it("never deadlocks", async () => {
    const names = ["a", "b", "c"];
    const each = (i: number) => [
      limit(names[i % 3] ?? "", { name: "address", points: 1_000 }),
      limit(names[(i * 2) % 3] ?? "", { name: "email", points: 1_000 }),
    ];
    const waits = await Promise.all(Array.from({ length: 300 }, (_, i) => open().consume(each(i))));
    expect(waits.every((wait) => wait === null)).toBe(true);
  });
});
