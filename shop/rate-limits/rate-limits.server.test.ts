import { describe, expect, it } from "vitest";
import { sql } from "drizzle-orm";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";
import { rateLimits } from "./rate-limit.tables.ts";
import { openRateLimits, type RateLimit } from "./rate-limits.server.ts";

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
  it("lets so many through, however many come at once, and says how long to wait", async () => {
    const waits = await Promise.all(Array.from({ length: 20 }, () => open().consume([limit("crowd")])));
    expect(waits.filter((wait) => wait === null)).toHaveLength(3);
    for (const wait of waits) if (wait !== null) expect(wait).toSatisfy((s: number) => s >= 1 && s <= 60);
  });

  it("takes from all or from none", async () => {
    const wide = limit("wide", { points: 10 });
    for (let i = 0; i < 8; i++) await open().consume([wide, limit("narrow")]);
    // Three went through; the others gave back what they had taken.
    for (let i = 0; i < 7; i++) expect(await open().consume([wide])).toBeNull();
    expect(await open().consume([wide])).toBeGreaterThan(0);
  });

  it("starts anew when its time is over", async () => {
    for (let i = 0; i < 3; i++) await open().consume([limit("later")]);
    expect(await open().consume([limit("later")])).toBeGreaterThan(0);
    await shop.db.execute(sql`UPDATE rate_limits SET expires_at = now() - interval '1 second'`);
    expect(await open().consume([limit("later")])).toBeNull();
  });

  it("counts by cost, gives back, and never lets a cost above the limit through", async () => {
    expect(await open().consume([limit("cost", { cost: 4 })])).toBeGreaterThan(0);
    expect(await open().consume([limit("cost", { cost: 3 })])).toBeNull();
    expect(await open().consume([limit("cost")])).toBeGreaterThan(0);
    await open().refund([limit("cost", { cost: 2 })]);
    expect(await open().consume([limit("cost", { cost: 2 })])).toBeNull();
    expect(await open().consume([limit("cost")])).toBeGreaterThan(0);
  });

  it("is multiplied by the scale", async () => {
    for (let i = 0; i < 6; i++) expect(await open(2).consume([limit("scaled")])).toBeNull();
    expect(await open(2).consume([limit("scaled")])).toBeGreaterThan(0);
  });

  it("keeps nobody's name, and nothing after its time", async () => {
    await open().consume([limit("ada@example.com")]);
    const { rows } = await shop.db.execute(sql`SELECT * FROM rate_limits`);
    expect(JSON.stringify(rows)).not.toContain("ada");
    await shop.db.execute(sql`UPDATE rate_limits SET expires_at = now() - interval '1 second'`);
    await open().sweep();
    expect((await shop.db.execute(sql`SELECT * FROM rate_limits`)).rows).toEqual([]);
  });

  it("says which of several is used up, the first of them", async () => {
    const [wide, narrow] = [limit("wide one", { points: 9 }), limit("narrow one")];
    for (let i = 0; i < 3; i++) await open().consume([wide, narrow]);
    expect(await open().usedUp([wide, narrow])).toBe(narrow);
    expect(await open().usedUp([wide])).toBeNull();
    const dear = limit("never used", { cost: 4 });
    expect(await open().usedUp([wide, dear, narrow])).toBe(dear);
    await shop.db.execute(sql`UPDATE rate_limits SET expires_at = now() - interval '1 second'`);
    expect(await open().usedUp([wide, narrow])).toBeNull();
  });

  it("keeps nothing of what was given back whole, and the rest of what was not", async () => {
    await open().sweep();
    const before = await shop.db.$count(rateLimits);
    const [one, two] = [limit("given back"), limit("given back in part", { cost: 2 })];
    await open().consume([one, two]);
    await open().refund([one, { ...two, cost: 1 }]);
    await open().sweep();
    expect(await shop.db.$count(rateLimits)).toBe(before + 1);
  });

  it("adds up what several have used already, however many tell it at once, and in which order", async () => {
    const uses = ["a", "b", "c"].map((subject) => ({ name: "told", subject, cost: 2, seconds: 60 }));
    const told = await Promise.all(
      Array.from({ length: 50 }, (_, i) => open().record(i % 2 ? uses : [...uses].reverse())),
    );
    expect(Math.max(...told.flat().map(({ points }) => points))).toBe(100);
    const [first] = await open().record([{ name: "told", subject: "a", seconds: 60 }]);
    expect(first?.points).toBe(101);
    expect(first?.seconds).toBeGreaterThan(30);
    expect(first?.seconds).toBeLessThanOrEqual(60);
    await shop.db.execute(sql`UPDATE rate_limits SET expires_at = now() - interval '1 second'`);
    expect(await open().record([{ name: "told", subject: "a", seconds: 60 }])).toEqual([{ points: 1, seconds: 60 }]);
  });

  it("deadlocks in no order of arrival", async () => {
    const names = ["a", "b", "c"];
    const each = (i: number) => [
      limit(names[i % 3] ?? "", { name: "address", points: 1_000 }),
      limit(names[(i * 2) % 3] ?? "", { name: "email", points: 1_000 }),
    ];
    const waits = await Promise.all(Array.from({ length: 300 }, (_, i) => open().consume(each(i))));
    expect(waits.every((wait) => wait === null)).toBe(true);
  });
});
