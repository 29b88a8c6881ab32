import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { openRequestLimits, type RequestKind } from "./request-limits.ts";

const SCALE = 0.1;
const LIMITS = { writes: 30, renders: 24, personal: 120, unsigned: 6 };
const NETWORK = "192.0.2.1";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** The database's side: all or nothing until the minute is over. */
function database() {
  const used = new Map<string, { points: number; endsAt: number }>();
  const state = { statements: 0, isAway: false };
  const consume = async ([limit]: Parameters<RateLimits["consume"]>[0]) => {
    state.statements++;
    if (state.isAway) throw new Error("The database is away.");
    const { name = "", subject = "", points = 0, seconds = 0, cost = 1 } = limit ?? {};
    const now = performance.now();
    const known = used.get(`${name} ${subject}`);
    const row = known && now < known.endsAt ? known : { points: 0, endsAt: now + seconds * 1000 };
    used.set(`${name} ${subject}`, row);
    if (row.points + cost > points * SCALE) return { limit: limit!, wait: Math.ceil((row.endsAt - now) / 1000) };
    row.points += cost;
    return null;
  };
  return { state, consume: consume as RateLimits["consume"] };
}

const warn = vi.fn<(error: unknown) => void>();
const open = (db = database()) => openRequestLimits(db, SCALE, warn);
type Consume = ReturnType<typeof open>;

function passed(consume: Consume, count: number, network = NETWORK, kind: RequestKind = "writes"): number {
  return Array.from({ length: count }, () => consume(kind, network)).filter((wait) => wait === null).length;
}
const shared = () => vi.advanceTimersByTimeAsync(10);

it.each(Object.entries(LIMITS))("%s of a network are limited to %i a minute", (kind, limit) => {
  const consume = open();
  expect(passed(consume, 500, NETWORK, kind as RequestKind)).toBe(limit);
  expect(passed(consume, 500, "192.0.2.2", kind as RequestKind)).toBe(limit);
});

it.each([
  ["/56", (i: number) => `2001:db8:1:${(i % 256).toString(16)}::/64`, 4],
  ["/48", (i: number) => `2001:db8:1:${i.toString(16)}::/64`, 16],
])("the lines of one IPv6 %s are limited together", (_size, network, times) => {
  const consume = open();
  const passes = Array.from({ length: 2_000 }, (_, i) => consume("writes", network(i))).filter((wait) => wait === null);
  expect(passes).toHaveLength(30 * times);
  expect(consume("writes", "2001:db8:2:0::/64")).toBeNull();
});

it("returns the wait, and resets after it", async () => {
  const consume = open();
  passed(consume, 30);
  expect(consume("writes", NETWORK)).toBe(60);
  await vi.advanceTimersByTimeAsync(45_500);
  expect(consume("writes", NETWORK)).toBe(15);
  await vi.advanceTimersByTimeAsync(14_500);
  expect(passed(consume, 100)).toBe(30);
});

it("stores a bounded number of networks", () => {
  const consume = open();
  passed(consume, 30);
  for (let i = 0; i < 20_000; i++) consume("writes", `network ${i}`);
  expect(consume("writes", NETWORK)).toBeNull();
});

it("limits all processes together, within a tenth for each", async () => {
  const db = database();
  const processes = [open(db), open(db), open(db)];
  let through = 0;
  for (let i = 0; i < 100; i++) {
    for (const consume of processes) through += passed(consume, 1);
    await shared();
  }
  expect(through).toBeGreaterThanOrEqual(30);
  expect(through).toBeLessThanOrEqual(30 + 3 * 3);
});

it("queries the database once for a tenth of a limit", async () => {
  const db = database();
  const consume = open(db);
  for (let i = 0; i < 100; i++) passed(consume, 2, `192.0.2.${i}`);
  await shared();
  expect(db.state.statements).toBe(0);
  passed(consume, 7, "another network");
  expect(db.state.statements).toBe(2);
});

it("limits each process while the database is down", async () => {
  const db = database();
  db.state.isAway = true;
  const consume = open(db);
  expect(passed(consume, 100)).toBe(30);
  await shared();
  expect(warn).toHaveBeenCalled();
  expect(passed(consume, 100)).toBe(0);
});
