/** Faults that lose money where it is derived from sums: each is refused, or adds up. */
import { expect, it } from "vitest";
import { orderOf } from "#tests/support/order-in-memory.ts";
import { begin, page } from "#tests/support/order-world.ts";
import { announceCharge, announceEarly, approveCharges } from "./actions/announce.ts";
import { cancelUnits } from "./actions/cancel.ts";
import { delay } from "./actions/delay.ts";
import { undoShipment } from "./actions/parcels.ts";
import { refund, retryRefund } from "./actions/refund.ts";
import { ship } from "./actions/ship.ts";
import type { Payment } from "./facts.ts";
import { centsOf, taxOf, type OrderState } from "./state.ts";
import { summaryOf } from "./summary.ts";

const AT = new Date("2027-01-04T12:00:00Z");

it("a parcel is charged although another one was charged, undone, refunded and canceled before", () => {
  const { decide, settle, shipUnits, state } = orderOf("card", [40_00, 60_00]);
  shipUnits(1);
  const [parcel] = state().facts.parcels;
  decide((now, act) => undoShipment(now, { parcelId: parcel!.id }, act));
  decide((now, act) => refund(now, { reason: "damaged", units: [1] }, act));
  settle();
  const canceled = { units: [1], reason: "damaged", restocks: true, refundsReplacements: true };
  decide((now, act) => cancelUnits(now, canceled, act));
  shipUnits(2);
  expect([state().money.paidCents, state().money.leftCents]).toEqual([100_00, 60_00]);
});

it("a refund that failed stays owed, whatever else is refunded, until it is tried again", () => {
  const { decide, settle, shipUnits, state } = orderOf("page", [89_00]);
  shipUnits(1);
  decide((now, act) => refund(now, { reason: "late", goodwillCents: 24_00 }, act));
  settle("failed");
  decide((now, act) => refund(now, { reason: "late", goodwillCents: 24_00 }, act));
  settle();
  expect(state().refunds.map(({ owedCents, hasFailed }) => [owedCents, hasFailed])).toEqual([
    [24_00, true],
    [0, false],
  ]);
  expect(summaryOf(state().facts).paymentStatus).toBe("refund-failed");
  decide((now, act) => retryRefund(now, { refundId: now.refunds[0]!.id }, act));
  settle();
  expect(state().refunds.map(({ owedCents }) => owedCents)).toEqual([0, 0]);
});

it("units of a refund over several payments are known, also while the first of them refuses it", () => {
  const { decide, settle, shipUnits, state } = orderOf("card", [40_00, 60_00]);
  shipUnits(1);
  shipUnits(2);
  decide((now, act) => refund(now, { reason: "damaged", units: [1, 2] }, act));
  settle("failed");
  expect(decide((now, act) => refund(now, { reason: "damaged", units: [1] }, act))).toMatchObject({
    reason: "refunded-units",
  });
  expect(state().refunds.map(({ owedCents }) => owedCents)).toEqual([100_00]);
});

it("the tax of a refund is that of its units, and none of another line's", () => {
  const { decide, shipUnits, state } = orderOf("page", [89_00, 24_00], { taxCents: 6_45, shippingCents: 9_99 });
  shipUnits(1, 2);
  decide((now, act) => refund(now, { reason: "damaged", units: [1] }, act));
  const [{ items }] = state().refunds as [OrderState["refunds"][number]];
  expect([centsOf(items), taxOf(items)]).toEqual([89_00 + 6_45, 6_45]);
});

it.each<[string, (order: ReturnType<typeof orderOf>) => void, object]>([
  ["not before it was announced", () => undefined, { ok: false, reason: "not-announced" }],
  [
    "not before the announced day",
    ({ decide }) => decide((now, act) => announceEarly(now, { units: [1, 2] }, act)),
    { ok: false, reason: "announced", day: "2027-01-07" },
  ],
  [
    "on the announced day",
    ({ decide, setTime }) => {
      decide((now, act) => announceEarly(now, { units: [1, 2] }, act));
      setTime("2027-01-07T17:00:00Z");
    },
    { ok: true },
  ],
  [
    "before that day, once the buyer asks for it",
    ({ decide }) => {
      decide((now, act) => announceEarly(now, { units: [1, 2] }, act));
      decide((now, act) => approveCharges(now, {}, act));
    },
    { ok: true },
  ],
  [
    "not on the announced day of an order that was delayed since",
    ({ decide, setTime }) => {
      decide((now, act) => announceCharge(now, {}, act));
      decide((now, act) => delay(now, { until: "2027-02-01", reason: "supplier" }, act));
      setTime("2027-01-07T17:00:00Z");
    },
    { ok: false, reason: "not-announced" },
  ],
  [
    "not for a unit that the announcement did not name",
    ({ decide, setTime }) => {
      decide((now, act) => announceEarly(now, { units: [1] }, act));
      setTime("2027-01-07T17:00:00Z");
    },
    { ok: false, reason: "not-announced" },
  ],
])("a kept card is charged only as it was announced: %s", (_name, before, result) => {
  const order = orderOf("card", [40_00, 60_00], { shippingCents: 9_99 });
  before(order);
  expect(order.decide((now, act) => ship(now, { carrier: "ups", trackingNumber: "1" }, act))).toMatchObject(result);
});

it("a mixed order is announced whole, some days before it was promised, and a refused charge stays announced", () => {
  const order = orderOf("card", [40_00, 60_00], { shippingCents: 9_99 });
  const { decide, settle, setTime, state } = order;
  expect(decide((now, act) => announceCharge(now, {}, act))).toMatchObject({
    change: { emails: [{ situation: "charge-announced", day: "2027-01-07", cents: 109_99, units: [1, 2] }] },
  });
  expect(decide((now, act) => announceCharge(now, {}, act))).toMatchObject({ reason: "not-due" });
  setTime("2027-01-07T17:00:00Z");
  const ships = () => decide((now, act) => ship(now, { carrier: "ups", trackingNumber: `${act.newId()}` }, act));
  expect(ships()).toMatchObject({ ok: true });
  settle("failed");
  expect([summaryOf(state().facts).attention, ships()]).toMatchObject([["card-refused"], { reason: "not-paid" }]);
  order.set((facts) => ({
    ...facts,
    payments: [...facts.payments, { ...facts.payments[0]!, id: "page-1", refusedAt: null }],
  }));
  expect(ships()).toMatchObject({ ok: true });
  settle();
  expect(state().money.paidCents).toBe(109_99);
});

it.each<[string, ...Partial<Payment>[]]>([
  ["none"],
  ["unpaid", { state: "closed" }],
  ["card-saved", { state: "saved", hasCard: true }],
  ["failed", { state: "saved", hasCard: true, refusedAt: AT }],
  ["authorized", { state: "saved", hasCard: true, refusedAt: AT }, { state: "authorized" }],
  ["failed", { state: "failed" }],
  ["authorized", { state: "failed" }, { state: "authorized" }],
  ["captured", { state: "captured", capturedCents: 40_00 }],
  ["partly-charged", { state: "saved", hasCard: true }, { state: "captured", capturedCents: 40_00 }],
  ["partly-refunded", { state: "captured", capturedCents: 40_00, refundedCents: 1 }],
  ["refunded", { state: "captured", capturedCents: 40_00, refundedCents: 40_00 }],
  ["mismatch", { state: "mismatch" }, { state: "authorized" }],
  ["disputed", { state: "captured", capturedCents: 40_00, isDisputed: true }, { state: "mismatch" }],
])("is %s by its payments", (status, ...payments) => {
  const { facts } = begin({ mode: "arranged", lines: [], shippingCents: 0, shippingTaxCents: 0 });
  const known = payments.map((payment, place) =>
    page({ id: `page-${place}`, kind: "page", createdAt: AT, ...payment }),
  );
  expect(summaryOf({ ...facts, payments: known }).paymentStatus).toBe(status);
});
