import { describe, expect, it } from "vitest";
import { priceOf } from "./price.ts";

const now = new Date("2026-11-21T12:00:00Z");
const later = new Date("2026-11-21T12:00:01Z");
const pro = { priceCents: 149_00, compareAtPriceCents: 129_00, earlyBirdPriceCents: 99_00, earlyBirdEndDate: later };

describe("the price at a moment", () => {
  it.each([
    ["early bird runs", {}, { priceCents: 99_00, compareAtCents: 129_00, saving: 30_00 }],
    [
      "it ends at this very moment",
      { earlyBirdEndDate: now },
      { priceCents: 149_00, compareAtCents: null, saving: null },
    ],
    ["it ended before", { earlyBirdEndDate: new Date(0) }, { priceCents: 149_00, compareAtCents: null, saving: null }],
    [
      "it has a price and no end",
      { earlyBirdEndDate: null },
      { priceCents: 149_00, compareAtCents: null, saving: null },
    ],
    [
      "it has an end and no price",
      { earlyBirdPriceCents: null },
      { priceCents: 149_00, compareAtCents: null, saving: null },
    ],
    [
      "an early price of nothing is a price",
      { earlyBirdPriceCents: 0 },
      { priceCents: 0, compareAtCents: 129_00, saving: 129_00 },
    ],
    [
      "no compare price: the regular one stands in",
      { compareAtPriceCents: null },
      { priceCents: 99_00, compareAtCents: null, saving: 50_00 },
    ],
    [
      "a compare price below the early one saves nothing",
      { compareAtPriceCents: 90_00 },
      { priceCents: 99_00, compareAtCents: null, saving: 0 },
    ],
    [
      "a regular price under its compare price",
      { earlyBirdPriceCents: null, compareAtPriceCents: 199_00 },
      { priceCents: 149_00, compareAtCents: 199_00, saving: null },
    ],
  ])("%s", (_, changes, { priceCents, compareAtCents, saving }) => {
    const price = priceOf({ ...pro, ...changes }, now);
    expect(price.priceCents).toBe(priceCents);
    expect(price.compareAtCents).toBe(compareAtCents);
    expect(price.earlyBird?.savingCents ?? null).toBe(saving);
    if (price.earlyBird) expect(price.earlyBird).toMatchObject({ endsAt: later, regularCents: 149_00 });
  });
});
