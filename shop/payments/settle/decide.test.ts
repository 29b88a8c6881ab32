import { describe, expect, it } from "vitest";
import { ORDER_STATUSES, type OrderStatus } from "../../orders/lifecycle.ts";
import { decide, type Decision, type PaymentNow } from "./decide.ts";
import type { PaymentSnapshot } from "../provider.ts";

const snapshot = (more: Partial<PaymentSnapshot> = {}): PaymentSnapshot => ({
  state: "authorized",
  reference: "cs_1",
  intentReference: "pi_1",
  currency: "usd",
  amountCents: 19_00,
  authorizedCents: 19_00,
  capturedCents: 0,
  refundedCents: 0,
  captureBefore: null,
  method: null,
  problem: null,
  disputedUntil: null,
  refunds: [],
  ...more,
});
const now = (more: Partial<PaymentNow> = {}): PaymentNow => ({
  orderStatus: "unpaid",
  isHoldOver: false,
  state: "open",
  amountCents: 19_00,
  problem: null,
  isDisputed: false,
  isPaidByOther: false,
  isVoided: false,
  ...more,
});
const NOTHING: Omit<Decision, "state" | "problem"> = {
  order: null,
  givesBack: false,
  notes: [],
  alerts: [],
  asksToPay: false,
};

describe("a payment that is seen to be paid for the first time", () => {
  it.each<[OrderStatus, Partial<Decision>]>([
    ["unpaid", { order: "authorized" }],
    ["lapsed", { order: "authorized-late" }],
    ["processing", { notes: ["payment-authorized"] }],
    ["shipped", { givesBack: true, alerts: ["surplus"] }],
    ["delivered", { givesBack: true, alerts: ["surplus"] }],
    ["canceled", { givesBack: true }],
    ["declined", { givesBack: true }],
  ])("of an order that is %s", (orderStatus, effect) => {
    for (const state of ["authorized", "captured"] as const) {
      const done = { ...NOTHING, state, problem: null, ...effect };
      expect(decide(now({ orderStatus }), snapshot({ state }))).toEqual(done);
      // Also where the shop had given it up.
      expect(decide(now({ orderStatus, state: "closed" }), snapshot({ state }))).toEqual(done);
    }
  });

  it.each(ORDER_STATUSES)("of an order that is %s and paid by another payment is given back", (orderStatus) => {
    const decision = decide(now({ orderStatus, isPaidByOther: true }), snapshot());
    expect(decision).toMatchObject({ givesBack: true, order: null, notes: [] });
  });
});

describe("the same word again", () => {
  it.each(ORDER_STATUSES.filter((status) => status !== "canceled" && status !== "declined"))(
    "changes nothing of an order that is %s",
    (orderStatus) => {
      for (const state of ["authorized", "captured"] as const) {
        expect(decide(now({ orderStatus, state }), snapshot({ state }))).toEqual({ ...NOTHING, state, problem: null });
      }
      const closed = decide(now({ orderStatus, state: "closed" }), snapshot({ state: "closed" }));
      expect(closed).toEqual({ ...NOTHING, state: "closed", problem: null });
      const mismatch = now({ orderStatus, state: "mismatch", problem: "amount-differs" });
      expect(decide(mismatch, snapshot({ amountCents: 1 }))).toMatchObject({ ...NOTHING, state: "mismatch" });
    },
  );

  it("asks again for what an ended order must give back, which is asked for once", () => {
    expect(decide(now({ orderStatus: "canceled", state: "authorized" }), snapshot()).givesBack).toBe(true);
  });
});

it.each([{ amountCents: 18_99 }, { amountCents: 19_01 }, { currency: "cad" }])(
  "another amount or currency moves nothing in any status: %j",
  (other) => {
    for (const orderStatus of ORDER_STATUSES) {
      expect(decide(now({ orderStatus }), snapshot(other))).toEqual({
        ...NOTHING,
        state: "mismatch",
        problem: "amount-differs",
        notes: ["payment-mismatch"],
        alerts: ["mismatch"],
      });
    }
  },
);

describe("a payment that is not paid", () => {
  const declined = snapshot({ state: "open", problem: "insufficient_funds" });

  it("stays open, and says why once", () => {
    const first = decide(now({ state: "opening" }), declined);
    expect(first).toEqual({ ...NOTHING, state: "open", problem: "insufficient_funds", notes: ["payment-failed"] });
    expect(decide(now({ problem: "insufficient_funds" }), declined).notes).toEqual([]);
  });

  it("is not opened again by an old word", () => {
    for (const state of ["authorized", "captured", "closed", "failed", "mismatch"] as const) {
      expect(decide(now({ state }), declined)).toMatchObject({ ...NOTHING, state });
    }
  });

  it.each<[string, Partial<PaymentNow>, Decision["order"]]>([
    ["while the hold lasts", {}, null],
    ["once the hold is over", { isHoldOver: true }, "lapsed"],
    ["once the hold is over, but paid by another", { isHoldOver: true, isPaidByOther: true }, null],
    ["of an order in processing", { isHoldOver: true, orderStatus: "processing" }, null],
    ["of a canceled order", { isHoldOver: true, orderStatus: "canceled" }, null],
  ])("and cannot be any more: %s", (_what, more, order) => {
    expect(decide(now(more), snapshot({ state: "closed" }))).toEqual({
      ...NOTHING,
      state: "closed",
      problem: null,
      order,
    });
  });
});

describe("what was authorized and is no more", () => {
  const voided = snapshot({ state: "voided" });

  it("by our own wish is closed", () => {
    const decision = decide(now({ orderStatus: "canceled", state: "authorized", isVoided: true }), voided);
    expect(decision).toEqual({ ...NOTHING, state: "closed", problem: null });
  });

  it("by itself is a problem, and the buyer is asked to pay again", () => {
    expect(decide(now({ orderStatus: "processing", state: "authorized" }), voided)).toEqual({
      ...NOTHING,
      state: "failed",
      problem: "authorization-ended",
      notes: ["payment-failed"],
      alerts: ["authorization-ended"],
      asksToPay: true,
    });
  });

  it("after it could not be captured stays failed, with its reason", () => {
    const failed = now({ orderStatus: "processing", state: "failed", problem: "card_declined" });
    expect(decide(failed, snapshot())).toEqual({ ...NOTHING, state: "failed", problem: "card_declined" });
    expect(decide(failed, voided)).toEqual({ ...NOTHING, state: "failed", problem: "card_declined" });
  });
});

it("a dispute is told when it comes and when it ends", () => {
  const captured = { orderStatus: "shipped", state: "captured" } as const;
  const disputed = snapshot({ state: "captured", disputedUntil: new Date() });
  expect(decide(now(captured), disputed)).toMatchObject({ notes: ["disputed"], alerts: ["disputed"] });
  expect(decide(now({ ...captured, isDisputed: true }), disputed)).toMatchObject({ notes: [], alerts: [] });
  const over = decide(now({ ...captured, isDisputed: true }), snapshot({ state: "captured" }));
  expect(over).toMatchObject({ notes: ["dispute-closed"], alerts: [] });
});
