/** Random steps of the returns of an order. */
import type { DecidedBy } from "#shop/orders/change.ts";
import type { OrderState } from "#shop/orders/state.ts";
import { answerQuote, askFee, inspect, quote, receive } from "#shop/returns/actions/inspect.ts";
import { recordPaid, waive } from "#shop/returns/actions/charge.ts";
import { addLabel, authorize, endReturn, requestReturn } from "#shop/returns/actions/request.ts";
import { close, resolve } from "#shop/returns/actions/resolve.ts";
import { openCharge, unitsOf, type ReturnDecision, type ReturnRow } from "#shop/returns/facts.ts";
import { outcomesOf, RETURN_KINDS, type ReturnState } from "#shop/returns/lifecycle.ts";
import { pick, some, type Tried, type World } from "./order-world.ts";
import { returnRow } from "./return-in-memory.ts";

/** A product wanted in an exchange, or sent as a part. */
const wanted = (number: number) => ({
  productId: "other",
  name: "Another product",
  priceCents: [8_900, 14_900, 1_200][number % 3]!,
  taxCents: [734, 1_229, 99][number % 3]!,
  warrantyYears: null,
});

/** Product wanted in an exchange, at the price that its customer agreed to. */
function wantedBy({ exchangePriceCents: priceCents, exchangeTaxCents: taxCents }: ReturnRow, number: number) {
  const isSoldOut = priceCents === null || taxCents === null || number % 8 === 0;
  return isSoldOut ? null : { ...wanted(number), priceCents, taxCents };
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
    const isOurs = kind === "defect" || kind === "warranty";
    const row = returnRow({
      id: act.newId(),
      kind,
      reason: kind === "defect" ? "damaged" : kind === "warranty" || kind === "repair" ? "power" : "not-for-me",
      exchangePriceCents: kind === "exchange" ? wanted(c).priceCents : null,
      exchangeTaxCents: kind === "exchange" ? wanted(c).taxCents : null,
      labelBy: isOurs ? "us" : "customer",
      createdAt: act.at,
    });
    const units = some(state.units, a).map(({ number }) => number);
    return requestReturn(state, { row, units, wanted: kind === "exchange" ? wanted(c) : null }, act);
  },
  authorize: asReturn((_world, row, order, act, [, b, c]) =>
    authorize(
      { order, row },
      {
        wanted: wantedBy(row, c),
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
  "resolve-return": asReturn((_world, row, order, act, [, b, c]) =>
    resolve(
      { order, row },
      { outcome: pick(outcomesOf(row.kind, row.state), b) ?? "refund", part: c % 2 === 0 ? wanted(b) : null },
      act,
    ),
  ),
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
