/** An order in memory whose acts are checked, and whose provider does what it is asked, unless told to fail. */
import { expect } from "vitest";
import { announceEarly, approveCharges, toApprove } from "#shop/orders/actions/announce.ts";
import { confirmOrder } from "#shop/orders/actions/confirm.ts";
import { moneyMoved } from "#shop/orders/actions/money-moved.ts";
import { ship } from "#shop/orders/actions/ship.ts";
import { check } from "#shop/orders/check.ts";
import { apply, type DecidedBy, type Decision } from "#shop/orders/change.ts";
import { centsOf } from "#shop/orders/order-money.ts";
import type { Facts } from "#shop/orders/facts.ts";
import { follow } from "#shop/orders/follow.ts";
import { orderState, type OrderState } from "#shop/orders/state.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { begin, page, type Start } from "./order-world.ts";

type Act = (state: OrderState, act: DecidedBy) => Decision;

/** Units at some prices, each of a line of its own, placed at noon of 2027-01-04 to ship by 2027-01-07, and confirmed. */
export function orderOf(
  mode: Start["mode"],
  prices: number[],
  { taxCents = 0, waivedCents = 0, shippingCents = 0, percentOff = 0 } = {},
) {
  const lines = prices.map((priceCents) => ({ priceCents, units: 1, taxCents, isLater: false }));
  let facts: Facts = begin({ mode, lines, shippingCents, shippingTaxCents: 0, percentOff }).facts;
  // As a move to another state leaves it.
  facts = { ...facts, units: facts.units.map((unit) => ({ ...unit, waivedCents })) };
  let [ids, parcels] = [0, 0];
  let act: DecidedBy;
  /** `shipBy`: the day for what is promised from then on. */
  const setTime = (time: string, shipBy = "2027-01-07") => {
    const at = new Date(time);
    act = { at, today: newYorkDay(at), by: "staff", shipBy: () => shipBy, newId: () => `id-${ids++}` };
  };
  setTime("2027-01-04T17:00:00Z");
  const decide = (decision: Act): Decision => {
    const decided = decision(orderState(facts), act);
    if (!decided.ok) return decided;
    const change = follow(orderState(facts), decided.change, act);
    facts = apply(facts, change);
    expect(check(facts)).toEqual([]);
    return { ...decided, change };
  };
  const settle = (outcome: "done" | "failed" = "done") => {
    for (const { id, paymentId, kind, cents } of facts.attempts.filter(
      ({ state }) => state === "asked" || state === "sent",
    )) {
      const was = facts.payments.find((each) => each.id === paymentId)!;
      const moved =
        kind === "refund"
          ? { refundedCents: was.refundedCents + cents }
          : kind === "void"
            ? { state: "closed" as const, authorizedCents: 0 }
            : { state: "captured" as const, capturedCents: cents };
      // The payment of a failed capture is being voided.
      const failed = kind === "capture" ? { ...was, state: "failed" as const } : was;
      const payment = outcome === "done" ? { ...was, ...moved } : failed;
      decide((state) => moneyMoved(state, { attemptId: id, outcome, payment }, act));
    }
  };
  if (mode !== "arranged") {
    const paid = page({ id: "page-0", kind: mode === "card" ? "setup" : "page", createdAt: act!.at });
    const held = mode === "card" ? ("saved" as const) : ("authorized" as const);
    const payment = { ...paid, state: held, authorizedCents: 1_000_00, hasCard: mode === "card" };
    decide((state) => confirmOrder(state, { payment }, act));
  }
  return {
    decide,
    settle,
    setTime,
    shipUnits(...units: number[]) {
      // Its buyer agreed to what was not announced yet.
      if (mode === "card") {
        decide((state, by) => announceEarly(state, { units }, by));
        decide((state, by) => approveCharges(state, { cents: centsOf(toApprove(state)) }, by));
      }
      const shipped = decide((state) => ship(state, { units, carrier: "ups", trackingNumber: `${parcels++}` }, act));
      settle();
      return shipped;
    },
    /** Changes facts that no action changes. */
    set: (change: (facts: Facts) => Facts) => void (facts = change(facts)),
    state: () => orderState(facts),
  };
}
