import { describe, expect, it } from "vitest";
import { ORDER_STATUSES, type OrderStatus } from "#shop/orders/lifecycle.ts";
import { paymentSnapshot as snapshot } from "#tests/support/payment-snapshot.ts";
import type { PaymentSnapshot } from "./provider.ts";
import { decide, type Decision, type PaymentNow } from "./reconcile.ts";

const now = (more: Partial<PaymentNow> = {}): PaymentNow => ({
  orderStatus: "unpaid",
  isReservationOver: false,
  isDue: more.orderStatus === "processing",
  kind: "page",
  isLink: false,
  state: "open",
  amountCents: 19_00,
  problem: null,
  dispute: null,
  isPaidByOther: false,
  isVoided: false,
  hasCard: false,
  ...more,
});
const NOTHING: Omit<Decision, "state" | "problem"> = {
  order: null,
  keepsCard: false,
  returnsMoney: false,
  losesMoney: false,
  notes: [],
  alerts: [],
  asksToPay: false,
};

describe("a payment that is first seen as paid", () => {
  it.each<[OrderStatus, Partial<Decision>]>([
    ["unpaid", { order: "authorized" }],
    ["expired", { order: "authorized-late" }],
    ["processing", { order: "payment-authorized" }],
    ["shipped", { returnsMoney: true, alerts: ["surplus"] }],
    ["delivered", { returnsMoney: true, alerts: ["surplus"] }],
    ["canceled", { returnsMoney: true }],
    ["declined", { returnsMoney: true }],
  ])("of an order that is %s", (orderStatus, effect) => {
    for (const state of ["authorized", "captured"] as const) {
      const done = { ...NOTHING, state, problem: null, ...effect };
      expect(decide(now({ orderStatus }), snapshot({ state }))).toEqual(done);
      // Also after the shop closed it.
      expect(decide(now({ orderStatus, state: "closed" }), snapshot({ state }))).toEqual(done);
    }
  });

  it("of one charge alone confirms nothing of its order", () => {
    expect(decide(now({ orderStatus: "processing", isLink: true }), snapshot({ state: "authorized" }))).toMatchObject({
      order: null,
      notes: ["payment-authorized"],
    });
  });

  it.each(ORDER_STATUSES)("of an order that is %s and paid by another payment is returned", (orderStatus) => {
    const decision = decide(now({ orderStatus, isPaidByOther: true }), snapshot());
    expect(decision).toMatchObject({ returnsMoney: true, order: null, notes: [] });
  });
});

describe("the same snapshot again", () => {
  it.each(ORDER_STATUSES)("changes nothing of an order that is %s", (orderStatus) => {
    for (const state of ["authorized", "captured"] as const) {
      expect(decide(now({ orderStatus, state }), snapshot({ state }))).toEqual({ ...NOTHING, state, problem: null });
    }
    const closed = decide(now({ orderStatus, state: "closed" }), snapshot({ state: "closed" }));
    expect(closed).toEqual({ ...NOTHING, state: "closed", problem: null });
    const mismatch = now({ orderStatus, state: "mismatch", problem: "amount-differs" });
    expect(decide(mismatch, snapshot({ amountCents: 1 }))).toMatchObject({ ...NOTHING, state: "mismatch" });
  });
});

it("an ended order is refunded if its authorization was captured after all", () => {
  const voided = now({ orderStatus: "canceled", state: "authorized", isVoided: true });
  expect(decide(voided, snapshot({ state: "captured" })).returnsMoney).toBe(true);
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

describe("an unpaid payment", () => {
  const declined = snapshot({ state: "open", problem: "insufficient_funds" });

  it("stays open, and notes the reason once", () => {
    const first = decide(now({ state: "opening" }), declined);
    expect(first).toEqual({ ...NOTHING, state: "open", problem: "insufficient_funds", notes: ["payment-failed"] });
    expect(decide(now({ problem: "insufficient_funds" }), declined).notes).toEqual([]);
  });

  it("is not opened again by an old snapshot", () => {
    for (const state of ["authorized", "captured", "closed", "failed", "mismatch"] as const) {
      expect(decide(now({ state }), declined)).toMatchObject({ ...NOTHING, state });
    }
  });

  it.each<[string, Partial<PaymentNow>, Decision["order"]]>([
    ["during the reservation", {}, null],
    ["after the reservation", { isReservationOver: true }, "expired"],
    ["after the reservation, but paid by another", { isReservationOver: true, isPaidByOther: true }, null],
    ["of an order in processing", { isReservationOver: true, orderStatus: "processing" }, null],
    ["of a canceled order", { isReservationOver: true, orderStatus: "canceled" }, null],
  ])("that has closed: %s", (_what, more, order) => {
    expect(decide(now(more), snapshot({ state: "closed" }))).toEqual({
      ...NOTHING,
      state: "closed",
      problem: null,
      order,
    });
  });
});

describe("an authorization that has ended", () => {
  const voided = snapshot({ state: "voided" });

  it("because we voided it is closed", () => {
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

  it("is a problem, and nobody is asked to pay, when nothing is due", () => {
    const free = now({ orderStatus: "processing", isDue: false, state: "authorized" });
    expect(decide(free, voided)).toEqual({ ...NOTHING, state: "failed", problem: "authorization-ended" });
  });

  it("after a failed capture stays failed, with its reason", () => {
    const failed = now({ orderStatus: "processing", state: "failed", problem: "card_declined" });
    expect(decide(failed, snapshot())).toEqual({ ...NOTHING, state: "failed", problem: "card_declined" });
    expect(decide(failed, voided)).toEqual({ ...NOTHING, state: "failed", problem: "card_declined" });
  });
});

describe("a card that is first seen as kept", () => {
  const saved = snapshot({ state: "saved", amountCents: 0, saved: { customer: "cus_1", method: "pm_1" } });
  const kept = { ...NOTHING, state: "saved", problem: null, keepsCard: true };

  it.each<[OrderStatus, Partial<Decision>]>([
    ["unpaid", { order: "card-saved" }],
    ["expired", { order: "card-saved-late" }],
    ["processing", { notes: ["card-changed"] }],
    ["shipped", {}],
    ["delivered", {}],
    ["canceled", {}],
    ["declined", {}],
  ])("of an order that is %s", (orderStatus, effect) => {
    const first = now({ orderStatus, kind: "setup" });
    expect(decide(first, saved)).toEqual({ ...kept, ...effect });
    // Also after the shop closed the page.
    expect(decide({ ...first, state: "closed" }, saved)).toEqual({ ...kept, ...effect });
  });

  it("of an order with parcels still to ship replaces the former one", () => {
    const partly = now({ orderStatus: "shipped", isDue: true, kind: "setup" });
    expect(decide(partly, saved)).toEqual({ ...kept, notes: ["card-changed"] });
  });

  it.each(ORDER_STATUSES)("changes nothing of an order that is %s once it is known, or forgotten", (orderStatus) => {
    for (const state of ["saved", "forgotten"] as const) {
      const known = now({ orderStatus, kind: "setup", state });
      for (const later of [saved, snapshot({ state: "closed", amountCents: 0 })])
        expect(decide(known, later)).toEqual({ ...NOTHING, state, problem: null });
    }
  });
});

describe("an order whose parcels are charged one by one", () => {
  const partly = { orderStatus: "shipped", isDue: true } as const;
  const saved = { customer: "cus_1", method: "pm_1" };

  it("takes the payment of a refused parcel, and keeps its card", () => {
    for (const status of ["processing", "shipped"] as const) {
      const decision = decide(now({ ...partly, orderStatus: status }), snapshot({ saved }));
      expect(decision).toEqual({
        ...NOTHING,
        state: "authorized",
        problem: null,
        keepsCard: true,
        order: "payment-authorized",
      });
    }
  });

  it("is not asked to pay again when that authorization ends: the next parcel is charged on its card", () => {
    const authorized = now({ ...partly, state: "authorized", hasCard: true });
    expect(decide(authorized, snapshot({ state: "voided" }))).toEqual({ ...NOTHING, state: "closed", problem: null });
  });

  it("a charge is never a second payment", () => {
    const charge = now({ ...partly, kind: "charge", state: "opening", isPaidByOther: true });
    const captured = snapshot({ state: "captured" });
    expect(decide(charge, captured)).toEqual({ ...NOTHING, state: "captured", problem: null });
    expect(decide({ ...charge, orderStatus: "canceled" }, captured).returnsMoney).toBe(true);
  });
});

it("a dispute is noted when it opens and when it is won or lost", () => {
  const captured = { orderStatus: "shipped", state: "captured" } as const;
  const disputed = snapshot({ state: "captured", dispute: { state: "open", until: new Date() } });
  expect(decide(now(captured), disputed)).toMatchObject({ notes: ["disputed"], alerts: ["disputed"] });
  expect(decide(now({ ...captured, dispute: "open" }), disputed)).toMatchObject({ notes: [], alerts: [] });
  const over = (dispute: PaymentSnapshot["dispute"]) =>
    decide(now({ ...captured, dispute: "open" }), snapshot({ state: "captured", dispute }));
  for (const dispute of [null, { state: "won" as const }])
    expect(over(dispute)).toMatchObject({ notes: ["dispute-closed"], alerts: [], losesMoney: false });
  const lost = { state: "lost", cents: 19_00 } as const;
  expect(over(lost)).toMatchObject({ notes: ["dispute-closed"], alerts: ["dispute-lost"], losesMoney: true });
  expect(decide(now({ ...captured, dispute: "lost" }), snapshot({ state: "captured", dispute: lost }))).toMatchObject({
    notes: [],
    losesMoney: false,
  });
});
