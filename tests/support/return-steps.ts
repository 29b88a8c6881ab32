/** Random steps of the returns of an order. */
import type { DecidedBy } from "#shop/orders/change.ts";
import type { Unit } from "#shop/orders/facts.ts";
import type { OrderState, UnitState } from "#shop/orders/state.ts";
import { answerQuote, askFee, inspect, quote, receive } from "#shop/returns/actions/inspect.ts";
import { recordPaid, waive } from "#shop/returns/actions/charge.ts";
import { addLabel, authorize, endReturn, requestReturn } from "#shop/returns/actions/request.ts";
import { close, reservedOf, resolve, taxExchange } from "#shop/returns/actions/resolve.ts";
import { openCharge, unitsOf, type ReturnDecision, type ReturnRow } from "#shop/returns/facts.ts";
import { outcomesOf, RETURN_KINDS, type ReturnState } from "#shop/returns/lifecycle.ts";
import { pick, RATES, some, type Tried, type World } from "./order-world.ts";
import { returnRow } from "./return-in-memory.ts";

/** Tax of goods that go where an order goes, if the order was taxed. */
const taxOf = ({ facts: { order } }: OrderState, amountCents: number): number =>
  order.taxReference ? Math.round(amountCents * RATES[order.shippingState]!) : 0;

const sumOf = (units: readonly Unit[]): number => units.reduce((sum, { priceCents }) => sum + priceCents, 0);

/** A product wanted in an exchange of units, with their discounts and the tax of all, or sent as a part. */
function wanted(order: OrderState, number: number, units: readonly UnitState[] = []) {
  const priceCents = [8_900, 14_900, 1_200][number % 3]!;
  const discountOf = (unit: UnitState) =>
    order.facts.lines.find(({ id }) => id === unit.lineId)!.priceCents - unit.priceCents;
  const amountCents = units.reduce((sum, unit) => sum + Math.max(0, priceCents - discountOf(unit)), 0);
  const taxCents = taxOf(order, amountCents);
  return { productId: "other", name: "Another product", priceCents, taxCents, warrantyYears: null };
}

/** Product wanted in an exchange, at the price that its customer agreed to. */
function wantedBy(
  order: OrderState,
  { exchangePriceCents: priceCents, exchangeTaxCents: taxCents }: ReturnRow,
  number: number,
) {
  const isSoldOut = priceCents === null || taxCents === null || number % 8 === 0;
  return isSoldOut ? null : { ...wanted(order, number), priceCents, taxCents };
}

const asReturn =
  (
    work: (
      world: World,
      row: ReturnRow,
      state: OrderState,
      act: DecidedBy,
      numbers: [number, number, number],
    ) => ReturnDecision | null,
  ): Tried =>
  (state, world, act, numbers) => {
    const open = world.returns.filter(({ state: is }) => !["declined", "withdrawn", "closed"].includes(is));
    const row = pick(open, numbers[0]);
    return row ? work(world, row, state, act, numbers) : null;
  };

const STEPS = {
  "request-return": (state, _world, act, [a, b, c]) => {
    const kind = pick(RETURN_KINDS, b)!;
    // An exchange is of one line.
    const units = some(state.units, a).filter(
      ({ lineId }, _place, [first]) => kind !== "exchange" || lineId === first!.lineId,
    );
    const chosen = kind === "exchange" ? wanted(state, c, units) : null;
    const isOurs = kind === "defect" || kind === "warranty";
    const row = returnRow({
      id: act.newId(),
      kind,
      reason: kind === "defect" ? "damaged" : kind === "warranty" || kind === "repair" ? "power" : "not-for-me",
      exchangePriceCents: chosen?.priceCents ?? null,
      exchangeTaxCents: chosen?.taxCents ?? null,
      labelBy: isOurs ? "us" : "customer",
      createdAt: act.at,
    });
    return requestReturn(state, { row, units: units.map(({ number }) => number), wanted: chosen }, act);
  },
  authorize: asReturn((_world, row, order, act, [, b, c]) =>
    authorize(
      { order, row },
      {
        wanted: wantedBy(order, row, c),
        labelUrl: b % 2 === 0 ? "https://label" : null,
        as: row.state === "expired" || row.state === "withdrawn" ? "reopened" : "authorized",
      },
      act,
    ),
  ),
  label: asReturn((_world, row, order, act) => addLabel({ order, row }, { labelUrl: "https://label" }, act)),
  "end-return": asReturn((_world, row, order, act, [, b]) =>
    endReturn({ order, row }, { as: pick(["declined", "withdrawn", "expired"] as const, b)! }, act),
  ),
  "ask-fee": asReturn((_world, row, order, act) => askFee({ order, row }, {}, act)),
  receive: asReturn((_world, row, order, act) => receive({ order, row }, {}, act)),
  inspect: asReturn((_world, row, order, act, [, b, c]) => {
    const isTheirs = row.kind === "warranty" || row.kind === "repair";
    const found = { condition: "new" as const, isRestocked: b % 2 === 0 && !isTheirs };
    const units = Object.fromEntries(unitsOf({ order, row }).map(({ number }) => [number, found]));
    return inspect(
      { order, row },
      { units, deduction: c % 3 === 0 && !isTheirs ? { cents: 1 + (c % 900), reason: "used" } : null },
      act,
    );
  }),
  quote: asReturn((_world, row, order, act, [, b]) => quote({ order, row }, { cents: 3_500 + b }, act)),
  "answer-quote": asReturn((_world, row, order, act, [, b]) =>
    answerQuote({ order, row }, { isYes: b % 3 !== 0 }, act),
  ),
  "resolve-return": asReturn((_world, row, order, act, [, b, c]) => {
    const outcome = pick(outcomesOf(row.kind, row.state), b) ?? "refund";
    const reserved = reservedOf({ order, row });
    const taxCents = taxOf(order, sumOf(reserved));
    if (outcome === "replacement" && reserved.length > 0 && row.exchangeTaxCents !== taxCents)
      return taxExchange({ order, row }, { taxCents });
    return resolve({ order, row }, { outcome, part: c % 2 === 0 ? wanted(order, b) : null }, act);
  }),
  "record-paid": asReturn((_world, row, order, act) =>
    recordPaid(
      { order, row },
      { cents: openCharge({ order, row })?.dueCents ?? 0, arrangement: { how: "check", reference: "" } },
      act,
    ),
  ),
  waive: asReturn((_world, row, order, act) =>
    waive({ order, row }, { cents: openCharge({ order, row })?.dueCents ?? 0 }, act),
  ),
  "close-return": asReturn((_world, row, order, act) => close({ order, row }, {}, act)),
} satisfies Record<string, Tried>;

/** What carries a return on. */
const NEXT: Partial<Record<ReturnState, keyof typeof STEPS>> = {
  requested: "authorize",
  authorized: "receive",
  received: "inspect",
  quoted: "answer-quote",
  inspected: "resolve-return",
  resolved: "close-return",
};

export const RETURN_STEPS: Record<string, Tried> = {
  ...STEPS,
  "carry-on-return": (order, world, act, numbers) =>
    asReturn((_world, row) => {
      const next = NEXT[row.state];
      return next ? (STEPS[next](order, world, act, numbers) as ReturnDecision | null) : null;
    })(order, world, act, numbers),
};
