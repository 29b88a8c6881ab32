import { expect, it } from "vitest";
import { begin, HOME, page } from "#tests/support/order-world.ts";
import { orderOf as orderInMemory } from "#tests/support/order-in-memory.ts";
import { arrived, bought, deliver, requested } from "#tests/support/return-in-memory.ts";
import { resolve } from "#shop/returns/actions/resolve.ts";
import type { Outcome, ReturnKind } from "#shop/returns/lifecycle.ts";
import { apply, type Change, type DecidedBy } from "../change.ts";
import { addressLine } from "../order.ts";
import { orderState } from "../state.ts";
import { announceEarly } from "./announce.ts";
import { cancelUnits } from "./cancel.ts";
import { changeAddress, movedTax, type Move } from "./change-address.ts";
import { askToPay } from "./pay.ts";
import { confirmOrder } from "./confirm.ts";
import { ship } from "./ship.ts";

const AT = new Date("2027-01-05T12:00:00Z");
const AUSTIN = { ...HOME, shippingCity: "Austin", shippingState: "TX", shippingPostalCode: "78701" };
/** Three units of $24.01 and shipping of $9.99, in a state without tax. */
const LINES = [{ priceCents: 2_401, units: 3, taxCents: 0, isLater: false }];
const TAX = { reference: "quote", lineTaxCents: { "product-0": 595 }, shippingTaxCents: 82 };
const TOTAL = 7_203 + 999;

let ids = 0;
const by = (who: DecidedBy["by"]): DecidedBy => ({
  at: AT,
  today: "2027-01-05",
  by: who,
  shipBy: () => "2027-01-08",
  newId: () => `id-${ids++}`,
});

function orderOf(mode: "page" | "card" | "arranged", authorizedCents = TOTAL) {
  const { facts } = begin({ mode, lines: LINES, shippingCents: 999, shippingTaxCents: 0 });
  if (mode === "arranged") return facts;
  const payment = facts.payments[0]!;
  const paid =
    mode === "card"
      ? { ...payment, state: "saved" as const, hasCard: true }
      : { ...payment, state: "authorized" as const, authorizedCents };
  const confirmed = confirmOrder(orderState(facts), { payment: paid }, by("provider"));
  return apply(facts, changeOf(confirmed));
}

const changeOf = (decision: { ok: boolean }): Change => {
  expect(decision).toMatchObject({ ok: true });
  return (decision as unknown as { change: Change }).change;
};

const move = (facts: ReturnType<typeof orderOf>, more: Partial<Move> = {}, who: DecidedBy["by"] = "staff") =>
  changeAddress(
    orderState(facts),
    { address: AUSTIN, from: addressLine(facts.order), tax: TAX, seenTaxCents: 677, ...more },
    by(who),
  );

it("shares the tax of a line out over its units, by largest remainder, and sums up what is not canceled", () => {
  const facts = orderOf("arranged");
  const change = changeOf(move(facts, { bears: "customer" }));
  const after = apply(facts, change);
  expect(after.units.map(({ taxCents, waivedCents }) => [taxCents, waivedCents])).toEqual([
    [198, 0],
    [199, 0],
    [198, 0],
  ]);
  expect(after.lines.map(({ taxCents }) => taxCents)).toEqual([595]);
  expect(after.order).toMatchObject({ ...AUSTIN, taxReference: "quote", shippingTaxCents: 82, shippingWaivedCents: 0 });
  const canceled = cancelUnits(
    orderState(facts),
    { units: [3], reason: "asked", restocks: true, refundsReplacements: false },
    by("staff"),
  );
  expect(movedTax(orderState(apply(facts, changeOf(canceled))), TAX)).toEqual({
    fromCents: 0,
    toCents: 198 + 199 + 82,
    totalCents: 2 * 2_401 + 999 + 198 + 199 + 82,
    waivedCents: 198 + 199 + 82,
    payable: "later",
  });
});

it.each([
  ["an authorized payment for less", "page", TOTAL, "again"],
  ["an authorized payment that covers it", "page", TOTAL + 677, "later"],
  ["a kept card", "card", 0, "later"],
  ["nothing yet", "arranged", 0, "later"],
] as const)("with %s, the buyer pays what the tax is more %#", (_what, mode, authorizedCents, payable) => {
  const facts = orderOf(mode, authorizedCents);
  expect(movedTax(orderState(facts), TAX)).toMatchObject({ payable, totalCents: TOTAL + 677 });
  const change = changeOf(move(facts, { bears: "customer" }));
  expect(change.emails).toEqual([
    {
      template: "order-address-changed",
      changed: ["city", "state", "ZIP code"],
      totalCents: TOTAL + 677,
      paysAgain: payable === "again",
    },
  ]);
  expect(change.attempts?.map(({ kind }) => kind)).toEqual(payable === "again" ? ["void"] : undefined);
});

it("charges the former sum, with the whole tax in it, if the shop bears what is more", () => {
  const facts = orderOf("page");
  const moved = apply(facts, changeOf(move(facts, { bears: "shop" })));
  const shipped = changeOf(ship(orderState(moved), { carrier: "ups", trackingNumber: "T1" }, by("staff")));
  const items = shipped.chargeItems!;
  expect(items.reduce((sum, { cents }) => sum + cents, 0)).toBe(TOTAL);
  expect(items.reduce((sum, { taxCents }) => sum + taxCents, 0)).toBe(677);
});

it.each([
  [TAX, "2027-01-08", [["withdrawn"], ["announced", TOTAL + 677]], true],
  [
    { reference: null, lineTaxCents: {}, shippingTaxCents: 0 },
    "2027-01-08",
    [["withdrawn"], ["announced", TOTAL]],
    false,
  ],
])("announces a charge again with another tax, with an email only if it is more: %#", (tax, day, charges, isMailed) => {
  const facts = orderOf("card");
  const announced = apply(facts, changeOf(announceEarly(orderState(facts), { units: [1, 2, 3] }, by("staff"))));
  const { toCents } = movedTax(orderState(announced), tax);
  const change = changeOf(move(announced, { tax, seenTaxCents: toCents, bears: "customer" }));
  const state = orderState(apply(announced, change));
  expect(state.charges.map(({ state: is, cents }) => (is === "announced" ? [is, cents] : [is]))).toEqual(charges);
  expect(state.charges.at(-1)?.chargeOn).toBe(day);
  expect(change.emails!.some(({ template }) => template === "charge-announced")).toBe(isMailed);
});

const page2 = page({ id: "page-2", kind: "page", createdAt: AT });
const SHIPPED = (facts: ReturnType<typeof orderOf>) => {
  const asked = changeOf(ship(orderState(facts), { units: [1], carrier: "ups", trackingNumber: "T1" }, by("staff")));
  return apply(facts, asked);
};

it.each<[string, () => ReturnType<typeof move>, string | null]>([
  ["the address is the same", () => move(orderOf("page"), { address: HOME }), null],
  ["the page showed another address", () => move(orderOf("page"), { from: addressLine(AUSTIN) }), "meanwhile"],
  ["the tax was not seen", () => move(orderOf("card"), { seenTaxCents: 0, bears: "shop" }), "tax"],
  ["staff have not chosen", () => move(orderOf("card")), "tax"],
  ["a buyer's payment is for less", () => move(orderOf("page"), {}, "guest"), "fixed"],
  ["a buyer has not seen the tax", () => move(orderOf("card"), { seenTaxCents: undefined }, "guest"), "tax"],
  ["a parcel waits for its charge", () => move(SHIPPED(orderOf("page")), { bears: "shop" }), "under-way"],
  [
    "the order ended",
    () => move({ ...orderOf("page"), order: { ...orderOf("page").order, end: "canceled" } }, { bears: "shop" }),
    "status",
  ],
  [
    "an exchange waits to be paid, with the tax of the former state",
    () => {
      const items = [{ kind: "unit", unit: 4, cents: 8_900, taxCents: 734 }] as const;
      const facts = orderOf("arranged");
      return move(apply(facts, askToPay(items, { returnId: "return" }, by("staff"))), { bears: "shop" });
    },
    "charged",
  ],
  [
    "something is charged, and only what the buyer pays would stay the same",
    () => {
      const waived = apply(orderOf("arranged"), changeOf(move(orderOf("arranged"), { bears: "shop" })));
      const shipping = [{ kind: "shipping", unit: null, cents: 999, taxCents: 82 }] as const;
      const charged = apply(waived, askToPay(shipping, { returnId: "return" }, by("staff")));
      return move(charged, { address: HOME, tax: { reference: null, lineTaxCents: {}, shippingTaxCents: 0 } });
    },
    "charged",
  ],
  [
    "it is not paid yet",
    () => move(begin({ mode: "page", lines: LINES, shippingCents: 999, shippingTaxCents: 0 }).facts),
    "unpaid",
  ],
  [
    "a refused card is paid on a page",
    () => move({ ...orderOf("card"), payments: [...orderOf("card").payments, page2] }, { bears: "customer" }),
    "fixed",
  ],
])("is refused or does nothing if %s", (_why, act, reason) => {
  expect(act()).toEqual(reason ? { ok: false, reason } : { ok: true, change: {} });
});

it("an exchange that waits to be paid moves between states without tax", () => {
  const items = [{ kind: "unit", unit: 4, cents: 8_900, taxCents: 0 }] as const;
  const facts = orderOf("arranged");
  const asked = apply(facts, askToPay(items, { returnId: "return" }, by("staff")));
  const tax = { reference: null, lineTaxCents: {}, shippingTaxCents: 0 };
  expect(move(asked, { tax, seenTaxCents: 0 })).toMatchObject({ ok: true, change: { order: AUSTIN } });
});

const PART = { productId: null, name: "Lid", warrantyYears: null };

it.each<[string, ReturnKind, Outcome, number, string | null]>([
  ["the customer's own product goes back repaired", "warranty", "repair", 0, null],
  ["it goes back as it came", "return", "sent-back", 0, null],
  ["the same is sent again", "warranty", "replacement", 0, null],
  ["a part is sent", "warranty", "part", 0, null],
  ["an exchange costs as much", "exchange", "replacement", 89_00, null],
  ["an exchange was paid, with the tax of the former state", "exchange", "replacement", 149_00, "charged"],
])(
  "of what a return sends, %s: no tax of another state keeps it from moving",
  (_what, kind, outcome, cents, reason) => {
    const order = bought([89_00]);
    const made =
      kind === "warranty" && outcome === "part"
        ? requested(order, kind, [1])
        : arrived(order, kind, [1], { wantedCents: cents });
    made.step((given, act) => resolve(given, { outcome, part: PART }, act));
    if (cents > 89_00) made.pay();
    for (const who of ["staff", "guest"] as const) {
      const moving = { address: AUSTIN, from: addressLine(order.state().facts.order), tax: TAX };
      const moved = changeAddress(order.state(), moving, by(who));
      expect(moved).toMatchObject(reason ? { ok: false, reason } : { ok: true, change: { order: AUSTIN } });
    }
  },
);

it("what was bought and is paid keeps the customer's own product with it from moving to another tax", () => {
  const order = orderInMemory("page", [89_00, 40_00]);
  order.shipUnits(1);
  deliver(order);
  arrived(order, "warranty", [1]).step((given, act) => resolve(given, { outcome: "repair" }, act));
  const moving = { address: AUSTIN, from: addressLine(order.state().facts.order), tax: TAX };
  expect(changeAddress(order.state(), moving, by("staff"))).toEqual({ ok: false, reason: "charged" });
});
