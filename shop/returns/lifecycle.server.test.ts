/** Every pair of states and every event, by the table and by the database. */
import { beforeAll, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import {
  isAllowed,
  OUTCOMES,
  outcomesOf,
  RETURN_KINDS,
  RETURN_NOTES,
  RETURN_STATES,
  RETURN_TRANSITIONS,
  stateAfter,
  type ReturnState,
} from "./lifecycle.ts";
import { readReturnNumber, returnNumber } from "./return.ts";

const shop = useFreshDatabase(5);
let orderId: string;
let numbers = 0;
const run = (text: string, values: unknown[] = []) => shop.pool.query(text, values);

async function returnAt(state: string, number = `R-${++numbers}`): Promise<string> {
  const outcome = state === "resolved" || state === "closed" ? "refund" : null;
  const { rows } = await run(
    `INSERT INTO returns (number, form_key, kind, order_id, state, reason, label_by, ship_by, outcome, refuse_reason)
     VALUES ($1, gen_random_uuid(), 'return', $2, $3, 'not-for-me', 'customer', '2026-12-01', $4, $5) RETURNING id`,
    [number, orderId, state, outcome, state === "declined" ? "late" : null],
  );
  return rows[0].id;
}

const happens = (promise: Promise<unknown>) =>
  promise.then(
    () => true,
    (error: { code?: string }) => {
      expect(error.code).toBe("23514");
      return false;
    },
  );

beforeAll(async () => {
  orderId = (await placedOrder(shop.db, { "travel-sleeve": 1 })).id;
});

it("has these transitions, one state after each event", () => {
  expect(RETURN_TRANSITIONS.map(({ event, from, to }) => `${event}: ${from ?? "new"} → ${to}`)).toEqual([
    "requested: new → requested",
    "authorized: requested → authorized",
    "declined: requested → declined",
    "withdrawn: requested → withdrawn",
    "withdrawn: authorized → withdrawn",
    "expired: authorized → expired",
    "reopened: expired → authorized",
    "reopened: withdrawn → authorized",
    "received: authorized → received",
    "inspected: received → inspected",
    "quoted: inspected → quoted",
    "quote-accepted: quoted → inspected",
    "quote-refused: quoted → resolved",
    "resolved: requested → resolved",
    "resolved: authorized → resolved",
    "resolved: inspected → resolved",
    "resolved: resolved → resolved",
    "closed: resolved → closed",
  ]);
  for (const { event, to } of RETURN_TRANSITIONS) expect(stateAfter(event)).toBe(to);
});

it("allows an event in exactly the states of its rows", () => {
  for (const state of [null, ...RETURN_STATES]) {
    for (const { event } of RETURN_TRANSITIONS) {
      const isListed = RETURN_TRANSITIONS.some((row) => row.event === event && row.from === state);
      expect(isAllowed(event, state), `${event} ${state}`).toBe(isListed);
    }
    for (const { event, in: states } of RETURN_NOTES) {
      const isListed = state !== null && (states as readonly string[]).includes(state);
      expect(isAllowed(event, state), `${event} ${state}`).toBe(isListed);
    }
  }
});

it("offers outcomes while a return may be resolved only, and a refund for all but repairs", () => {
  for (const kind of RETURN_KINDS) {
    for (const state of RETURN_STATES) {
      const offered = outcomesOf(kind, state);
      if (!isAllowed("resolved", state)) expect(offered).toEqual([]);
      for (const outcome of offered) expect(OUTCOMES).toContain(outcome);
    }
    expect(outcomesOf(kind, "inspected").includes("refund")).toBe(kind !== "repair");
  }
  expect(outcomesOf("warranty", "requested")).toEqual(["part"]);
});

it("numbers are random, six letters or digits without look-alikes, and are read as typed", () => {
  const digits = [0, 1, 2, 3, 28, 29];
  expect(returnNumber(() => digits.shift()!)).toBe("R-ABCD89");
  const seen: number[] = [];
  returnNumber((below) => seen.push(below) && 0);
  expect(seen).toEqual([30, 30, 30, 30, 30, 30]);
  for (let i = 0; i < 30; i++) expect(returnNumber(() => i)).not.toMatch(/[ILOU01]/);
  for (const typed of ["R-7KQ2MX", "r-7kq2mx", "7kq2mx", " R 7KQ2MX ", "R7KQ2MX"])
    expect(readReturnNumber(typed)).toBe("R-7KQ2MX");
  expect(readReturnNumber("RABCDE")).toBe("R-RABCDE");
});

describe("the database", () => {
  it("accepts only the states of the lifecycle, and each number once", async () => {
    for (const state of RETURN_STATES) expect([state, await happens(returnAt(state))]).toEqual([state, true]);
    for (const state of ["cancelled", "Requested", ""]) expect(await happens(returnAt(state))).toBe(false);
    await returnAt("requested", "R-SAME22");
    await expect(returnAt("requested", "R-SAME22")).rejects.toThrow("returns_number_unique");
  });

  it.each(RETURN_STATES.flatMap((from) => RETURN_STATES.map((to) => ({ from, to }))))(
    "allows $from to $to only if the lifecycle does",
    async ({ from, to }) => {
      const id = await returnAt(from);
      const outcome = to === "resolved" || to === "closed" ? "refund" : null;
      const change = "UPDATE returns SET state = $2, outcome = $3, refuse_reason = $4 WHERE id = $1";
      const went = await happens(run(change, [id, to, outcome, to === "declined" ? "late" : null]));
      const isInTable = (RETURN_TRANSITIONS as readonly { from: ReturnState | null; to: ReturnState }[]).some(
        (row) => row.from === from && row.to === to,
      );
      expect(went).toBe(from === to || isInTable);
    },
  );
});
