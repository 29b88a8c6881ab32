/** A return of an order in memory, whose acts are checked. */
import { page } from "./order-world.ts";
import { parcelNews } from "#shop/orders/actions/parcels.ts";
import { takeLinked } from "#shop/orders/actions/pay.ts";
import type { DecidedBy } from "#shop/orders/change.ts";
import { answerQuote, askFee, inspect, quote, receive } from "#shop/returns/actions/inspect.ts";
import { authorize, endReturn, requestReturn } from "#shop/returns/actions/request.ts";
import { close, resolve } from "#shop/returns/actions/resolve.ts";
import { unitsOf, type ReturnCase, type ReturnDecision, type ReturnRow } from "#shop/returns/facts.ts";
import type { Outcome, ReturnKind } from "#shop/returns/lifecycle.ts";
import { orderOf } from "./order-in-memory.ts";

type Order = ReturnType<typeof orderOf>;

export function deliver(order: Order): void {
  for (const { id, state } of order.state().facts.parcels)
    if (state === "shipped") order.decide((given, act) => parcelNews(given, { parcelId: id, state: "delivered" }, act));
}

/** An order that has arrived. */
export function bought(prices = [89_00], more: Parameters<typeof orderOf>[2] = {}): Order {
  const order = orderOf("page", prices, more);
  order.shipUnits(...prices.map((_, place) => place + 1));
  deliver(order);
  return order;
}

const REASONS = {
  return: "not-for-me",
  exchange: "not-for-me",
  defect: "damaged",
  warranty: "power",
  repair: "power",
} as const;

/** The row of a return that is requested. */
export const returnRow = (more: Partial<ReturnRow> = {}): ReturnRow => ({
  id: "return",
  number: "R-1",
  kind: "return",
  state: "requested",
  reason: "not-for-me",
  exchangeProductId: null,
  exchangePriceCents: null,
  exchangeTaxCents: null,
  labelBy: "customer",
  labelUrl: null,
  createdAt: new Date(),
  authorizedAt: null,
  shipBy: null,
  remindedAt: null,
  receivedAt: null,
  dueOn: null,
  inspectedAt: null,
  deductionCents: 0,
  deductionReason: null,
  refuseReason: null,
  quoteCents: null,
  quoteAcceptedAt: null,
  outcome: null,
  resolvedAt: null,
  closedAt: null,
  ...more,
});

type More = Partial<ReturnRow> & {
  /** Price of the product wanted in an exchange. */
  wantedCents?: number;
};

/** A return that is requested. */
export function requested(order: Order, kind: ReturnKind, units: number[], { wantedCents = 0, ...more }: More = {}) {
  let row = returnRow({
    kind,
    reason: REASONS[kind],
    exchangePriceCents: kind === "exchange" ? wantedCents : null,
    exchangeTaxCents: kind === "exchange" ? 0 : null,
    ...more,
  });
  const given = (): ReturnCase => ({ order: order.state(), row });
  const step = (decide: (given: ReturnCase, act: DecidedBy) => ReturnDecision): ReturnDecision => {
    const decided = order.decide((state, act) => decide({ order: state, row }, act)) as ReturnDecision;
    if (decided.ok) row = { ...row, ...decided.row };
    return decided;
  };
  const product = { productId: "other", name: "Other", priceCents: wantedCents, taxCents: 0, warrantyYears: null };
  const wanted = kind === "exchange" ? product : null;
  step((before, act) => requestReturn(before.order, { row, units, wanted }, act));
  return {
    step,
    given,
    row: () => row,
    authorize: (as: "authorized" | "reopened" = "authorized", labelUrl: string | null = null) =>
      step((before, act) => authorize(before, { wanted, labelUrl, as }, act)),
    askFee: () => step((before, act) => askFee(before, {}, act)),
    /** Its price, and the answer to it. */
    quote(cents: number, isYes?: boolean) {
      const quoted = step((before, act) => quote(before, { cents }, act));
      return isYes === undefined ? quoted : step((before, act) => answerQuote(before, { isYes }, act));
    },
    resolve: (outcome: Outcome) =>
      step((before, act) =>
        resolve(before, { outcome, part: { productId: null, name: "Lid", warrantyYears: null } }, act),
      ),
    end: (as: "withdrawn" | "expired") => step((before, act) => endReturn(before, { as }, act)),
    close: () => step((before, act) => close(before, {}, act)),
    /** Authorized with a label, received, and inspected. */
    arrive() {
      if (row.state === "requested")
        step((before, act) => authorize(before, { wanted, labelUrl: "https://label", as: "authorized" }, act));
      step((before, act) => receive(before, {}, act));
      const found = { condition: "new" as const, isRestocked: false };
      const inspected = Object.fromEntries(unitsOf(given()).map(({ number }) => [number, found]));
      step((before, act) => inspect(before, { units: inspected, deduction: null }, act));
    },
    /** Its customer pays what is asked for. */
    pay() {
      const charge = order.state().charges.find(({ by, state }) => by === "link" && state === "asked")!;
      const [id, authorizedCents] = [`page of ${charge.id}`, charge.dueCents];
      const paid = { kind: "page", state: "authorized", chargeId: charge.id, createdAt: new Date() } as const;
      order.decide((state, act) => takeLinked(state, { payment: page({ id, authorizedCents, ...paid }) }, act));
      order.settle();
    },
  };
}

/** A return whose units are here, and inspected. */
export function arrived(...given: Parameters<typeof requested>) {
  const made = requested(...given);
  made.arrive();
  return made;
}
