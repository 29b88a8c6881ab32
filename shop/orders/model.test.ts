/** The books of an order add up after whatever happens to it, in any order. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { STEP_KINDS, take, type Step } from "#tests/support/order-model.ts";
import { begin, type Start } from "#tests/support/order-world.ts";
import { isInTable } from "#tests/support/books.ts";
import { check } from "./check.ts";
import { statusEvents } from "./follow.ts";
import { statusOf } from "./lifecycle.ts";
import { orderState } from "./state.ts";

/** The same lives in each run; MODEL_RUNS asks for so many others. */
const RUNS = process.env.MODEL_RUNS
  ? { numRuns: Number(process.env.MODEL_RUNS) }
  : { numRuns: 2_000, seed: 20_261_128 };

const start: fc.Arbitrary<Start> = fc.record({
  mode: fc.constantFrom("page", "card", "arranged"),
  lines: fc.array(
    fc.record({
      priceCents: fc.constantFrom(0, 1_200, 2_401, 8_900, 14_999),
      units: fc.integer({ min: 1, max: 3 }),
      taxCents: fc.constantFrom(0, 199, 734, 2_203),
      isLater: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  shippingCents: fc.constantFrom(0, 999),
  shippingTaxCents: fc.constantFrom(0, 82),
});

const number = fc.nat({ max: 9_999 });
const step: fc.Arbitrary<Step> = fc.tuple(fc.nat({ max: STEP_KINDS - 1 }), number, number, number);

test("the books add up after each of many steps", () => {
  fc.assert(
    fc.property(start, fc.array(step, { maxLength: 40, size: "max" }), (first, steps) => {
      let world = begin(first);
      for (const each of steps) {
        const after = take(world, each);
        if (after.facts !== world.facts) {
          const [from, to] = [world, after].map(({ facts }) => statusOf(orderState(facts).stage));
          const events = statusEvents(after.change, from!, to!);
          const wrong = events.filter(({ type, fromStatus, toStatus }) => !isInTable(type, fromStatus, toStatus));
          expect([after.history.at(-1), check(after.facts), wrong]).toEqual([after.history.at(-1), [], []]);
        }
        world = after;
      }
    }),
    RUNS,
  );
}, 120_000);
