import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openRequestLimits, type RequestKind, type RequestLimits } from "./request-limits.ts";

const SCALE = 0.1;
const LIMITS = { writes: 30, renders: 24, personal: 120 };
const MINUTE = 60_000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type Use = { name: string; subject: string; cost?: number; seconds: number };

/** What the database does: adds up until the time is over. */
function database() {
  const rows = new Map<string, { points: number; endsAt: number }>();
  const statements: Use[][] = [];
  let isAway = false;
  return {
    statements,
    fail: (away: boolean) => (isAway = away),
    async record(uses: Use[]) {
      statements.push(uses);
      if (isAway) throw new Error("The database is away.");
      return uses.map(({ name, subject, cost = 1, seconds }) => {
        const now = performance.now();
        const key = `${name} ${subject}`;
        const row = rows.get(key);
        const used = row && now < row.endsAt ? row : { points: 0, endsAt: now + seconds * 1000 };
        used.points += cost;
        rows.set(key, used);
        return { points: used.points, seconds: (used.endsAt - now) / 1000 };
      });
    },
  };
}

const warn = vi.fn<(error: unknown) => void>();
const open = (db: ReturnType<typeof database>) => openRequestLimits({ record: db.record, scale: SCALE, warn });

function consume(limits: RequestLimits, count: number, network = "192.0.2.1", kind: RequestKind = "writes"): number {
  let passed = 0;
  for (let i = 0; i < count; i++) if (limits.consume(kind, network) === null) passed++;
  return passed;
}
const settled = () => vi.advanceTimersByTimeAsync(200);

describe("one process", () => {
  it.each(Object.entries(LIMITS))("lets so many %s through in a minute: %i", (kind, limit) => {
    expect(consume(open(database()), 500, "192.0.2.1", kind as RequestKind)).toBe(limit);
  });

  it("counts kinds and networks by themselves", () => {
    const limits = open(database());
    expect(consume(limits, 100)).toBe(30);
    expect(consume(limits, 100, "192.0.2.2")).toBe(30);
    expect(consume(limits, 100, "192.0.2.1", "renders")).toBe(24);
  });

  it("says how long to wait, and starts anew then", async () => {
    const limits = open(database());
    consume(limits, 30);
    expect(limits.consume("writes", "192.0.2.1")).toBe(60);
    await vi.advanceTimersByTimeAsync(45_500);
    expect(limits.consume("writes", "192.0.2.1")).toBe(15);
    await vi.advanceTimersByTimeAsync(14_500);
    expect(consume(limits, 100)).toBe(30);
  });

  it("forgets who came first where too many come", () => {
    const limits = open(database());
    consume(limits, 30);
    for (let i = 0; i < 20_000; i++) limits.consume("writes", `network ${i}`);
    expect(limits.consume("writes", "192.0.2.1")).toBeNull();
    expect(limits.consume("writes", "network 19999")).toBeNull();
  });
});

describe("several processes", () => {
  it("count together, but for the tenth that each may not have settled yet", async () => {
    const db = database();
    const processes = [open(db), open(db), open(db)];
    let passed = 0;
    for (let i = 0; i < 100; i++) {
      for (const process of processes) passed += consume(process, 1);
      await settled();
    }
    expect(passed).toBeGreaterThanOrEqual(30);
    expect(passed).toBeLessThanOrEqual(30 + 3 * 3);
  });

  it("begin and end their minute together", async () => {
    const db = database();
    const [first, second] = [open(db), open(db)];
    consume(first, 30);
    await settled();
    await vi.advanceTimersByTimeAsync(MINUTE / 2);
    consume(second, 3);
    await settled();
    expect(consume(second, 1)).toBe(0);
    await vi.advanceTimersByTimeAsync(MINUTE / 2);
    expect(consume(second, 1)).toBe(1);
  });
});

describe("the database", () => {
  it("hears nothing of those who ask for little", async () => {
    const db = database();
    const limits = open(db);
    for (let i = 0; i < 100; i++) consume(limits, 2, `192.0.2.${i}`);
    await settled();
    expect(db.statements).toEqual([]);
  });

  it("hears of all networks in one statement, and of each request once", async () => {
    const db = database();
    const limits = open(db);
    for (let i = 0; i < 50; i++) consume(limits, 5, `192.0.2.${i}`);
    await settled();
    expect(db.statements).toHaveLength(1);
    expect(db.statements[0]).toHaveLength(50);
    consume(limits, 5, "192.0.2.7");
    await settled();
    expect(db.statements[1]).toEqual([{ name: "writes", subject: "192.0.2.7", cost: 5, seconds: 60 }]);
    await settled();
    expect(db.statements).toHaveLength(2);
  });

  it("is told later what it did not hear; until then each process holds the limit by itself", async () => {
    const db = database();
    const limits = open(db);
    db.fail(true);
    expect(consume(limits, 100)).toBe(30);
    await settled();
    expect(warn).toHaveBeenCalled();
    expect(consume(limits, 100)).toBe(0);
    db.fail(false);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(db.statements.at(-1)).toEqual([{ name: "writes", subject: "192.0.2.1", cost: 30, seconds: 60 }]);
    expect(consume(open(db), 100)).toBe(30);
  });
});
