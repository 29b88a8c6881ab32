/** The outcome of a return: what is refunded, and what is sent. */
import { shareOut } from "#shop/money.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { newCharge, newWaiver, unitItem } from "#shop/orders/actions/money.ts";
import { sendForReturn } from "#shop/orders/actions/parcels.ts";
import { askToPay, withdrawLinked } from "#shop/orders/actions/pay.ts";
import { carryOver, movingCents, newRefund, withWorth } from "#shop/orders/actions/refund-money.ts";
import { chargesOf, refundItems } from "#shop/orders/refund-items.ts";
import { apply, merge, refused, type Change, type DecidedBy } from "#shop/orders/change.ts";
import type { MoneyItem, Unit } from "#shop/orders/facts.ts";
import { askedCents, centsOf, sum } from "#shop/orders/order-money.ts";
import { lastDayToPay } from "#shop/orders/order-days.ts";
import { orderState, type OrderState, type UnitState } from "#shop/orders/state.ts";
import { paymentPolicy } from "#shop/policies.ts";
import {
  changed,
  isAstray,
  isGivenBack,
  keptFee,
  openCharge,
  rowsOf,
  shippingBack,
  UNCHANGED,
  unitsOf,
  wrongState,
  type ReturnCase,
  type ReturnDecision,
  type ReturnRow,
} from "../facts.ts";
import { outcomesOf, type Outcome } from "../lifecycle.ts";
import { refundReason } from "../return.ts";
import { goBack } from "./inspect.ts";
import { endUnreturned, newUnits, type Wanted } from "./request.ts";

export type Resolution = {
  outcome: Outcome;
  /** The part that is sent, for that outcome. */
  part?: Pick<Wanted, "productId" | "name" | "warrantyYears"> | null;
};

/**
 * Resolves a return with one of outcomesOf, or again if the customer did not pay what would be sent. Refusals: 'state', 'outcome', 'disputed' where money moves, 'no-part' without
 * the part, 'no-replacement' without the units of an exchange, 'quote' before the customer agreed to the price of a repair,
 * 'under-way' while the customer's payment for it is, 'astray' for what is sent if its units were lost or refused, 'given-back'
 * for what the price of its units pays for, if that is given back.
 */
export function resolve(given: ReturnCase, { outcome, part = null }: Resolution, act: DecidedBy): ReturnDecision {
  const { order, row } = given;
  const possible = outcomesOf(row.kind, row.state);
  if (possible.length === 0 || (row.state === "resolved" && !openCharge(given))) return wrongState(given);
  if (!possible.includes(outcome)) return refused("outcome");
  if (outcome !== "refund" && isAstray(given)) return refused("astray");
  if (isForPrice(row, outcome) && isGivenBack(given)) return refused("given-back");
  if (openCharge(given)?.isUnderWay) return refused("under-way");
  const change = CHANGES[outcome](given, part, act);
  if ("ok" in change) return change;
  const cents = movingCents(change);
  if (order.money.isDisputed && (change.refunds ?? []).length > 0) return refused("disputed");
  // A refund has an email of its own once it is done.
  const queued = outcome === "refund" && cents > 0 ? undefined : "return-resolved";
  return {
    ok: true,
    change: merge(change, changed(row, "resolved", { data: { outcome, cents }, queued })),
    row: { state: "resolved", outcome, resolvedAt: act.at },
  };
}

/** Outcomes that the price of the unit pays for; a repair under no warranty has a price of its own. */
const isForPrice = ({ kind }: ReturnRow, outcome: Outcome): boolean =>
  outcome === "replacement" || outcome === "part" || (outcome === "repair" && kind === "warranty");

/** The last day on which the difference of an exchange can be paid is over: its product is for sale again, and what came back is refunded. */
export function endUnpaid(given: ReturnCase, _input: object, act: DecidedBy): ReturnDecision {
  const charge = unpaid(given);
  if (given.row.kind !== "exchange" || !charge || lastDayToPay(charge.createdAt) >= act.today) return UNCHANGED;
  const ended = resolve(given, { outcome: "refund" }, act);
  if (!ended.ok || movingCents(ended.change) === 0) return ended;
  const email = { template: "return-resolved" as const, returnId: given.row.id };
  return { ...ended, change: merge(ended.change, { emails: [email] }) };
}

/** Reminds the customer once of what is not paid, and for which the outcome waits: a difference, a repair, or a fee. */
export function remindToPay(given: ReturnCase, _input: object, act: DecidedBy): ReturnDecision {
  const { row } = given;
  const charge = unpaid(given);
  if (!charge || (row.remindedAt !== null && row.remindedAt >= row.resolvedAt!)) return UNCHANGED;
  const { reminderDays } = paymentPolicy.refusedCharge;
  if (daysAfter(newYorkDay(row.resolvedAt!), reminderDays) > act.today) return UNCHANGED;
  const { id: chargeId, dueCents: cents } = charge;
  const email = { template: "return-payment" as const, chargeId, cents, returnId: row.id };
  return {
    ok: true,
    change: merge(changed(row, "reminded"), { emails: [email] }),
    row: { remindedAt: act.at },
  };
}

/** The charge for which a resolved return waits. */
function unpaid(given: ReturnCase) {
  const charge = given.row.state === "resolved" ? openCharge(given) : undefined;
  return charge?.isUnderWay ? undefined : charge;
}

type Made = Change | ReturnType<typeof refused>;

const CHANGES: Record<Outcome, (given: ReturnCase, part: Resolution["part"], act: DecidedBy) => Made> = {
  refund: refundUnits,
  replacement: replaceUnits,
  repair: repairUnits,
  part: sendPart,
  "sent-back": (given, _part, act) =>
    goBack(given, act, merge(withdrawOpen(given, act), waiveService(given, act), cancelReserved(given, act))),
};

/** A fee or a repair that was never paid is waived with what goes back, as far as the member of the staff may. */
function waiveService({ order, row }: ReturnCase, act: DecidedBy): Change {
  const charge = openCharge({ order, row });
  const isService = charge?.items.every(({ kind }) => kind === "fee" || kind === "repair");
  if (!charge || !isService) return {};
  const { id, dueCents: cents } = charge;
  return merge(newWaiver(cents, id, act), changed(row, "charge-waived", { data: { cents } }));
}

/** A charge that was never paid is asked for no more. */
const withdrawOpen = (given: ReturnCase, act: DecidedBy): Change => {
  const charge = openCharge(given);
  return charge ? withdrawLinked(given.order, charge, act) : {};
};

/** Units that were set aside for an exchange that does not come. */
const cancelReserved = (given: ReturnCase, act: DecidedBy): Change => {
  const { units, stock } = endUnreturned(given, act);
  return { units: units ?? [], stock: stock ?? [] };
};

/** Units with the customer, not in the return any more: what came damaged or not at all need not come back. */
const endUnsent = (given: ReturnCase, act: DecidedBy): Change => ({
  returned: rowsOf(given)
    .filter(({ receivedAt }) => receivedAt === null)
    .map((unit) => ({ ...unit, endedAt: act.at })),
});

const isWorthSomething = ({ isPaid, refunded }: UnitState): boolean => isPaid && refunded === null;

/** Items of the refund of units: what they were charged, less a deduction; with the shipping if the return gives it back. */
export const itemsOfUnits = (
  order: OrderState,
  units: readonly UnitState[],
  { deductionCents, ...row }: Pick<ReturnRow, "reason" | "deductionCents"> & { id?: string },
): MoneyItem[] =>
  refundItems(
    chargesOf(units.filter(isWorthSomething)),
    { shippingItem: shippingBack(order, row), deductionCents },
    order.money,
  );

export const itemsToRefund = (given: ReturnCase): MoneyItem[] => itemsOfUnits(given.order, unitsOf(given), given.row);

function refundUnits(given: ReturnCase, _part: Resolution["part"], act: DecidedBy): Made {
  const { order, row } = given;
  const items = itemsToRefund(given);
  const promised = { reason: refundReason(row), returnId: row.id };
  const refund = centsOf(items) > 0 ? newRefund(order, items, promised, act) : {};
  return merge(withdrawOpen(given, act), cancelReserved(given, act), endUnsent(given, act), refund);
}

/**
 * Sends units in place of others: those that an exchange set aside, else the same products again. What was paid for the
 * former pays for these, by a refund that is applied to their charge. What they cost more the customer pays by a link
 * before they ship; what they cost less moves.
 */
function replaceUnits(given: ReturnCase, _part: Resolution["part"], act: DecidedBy): Made {
  const { order, row } = given;
  const former = unitsOf(given);
  const isExchange = row.kind === "exchange";
  const reserved = reservedOf(given);
  if (isExchange && reserved.length === 0) return refused("no-replacement");
  const before = merge(withdrawOpen(given, act), endUnsent(given, act), isExchange ? {} : sameAgain(given, act));
  const worth = carriedOf(order, former, isExchange ? row.deductionCents : 0);
  const units = (before.units ?? reserved).map((unit) => ({ ...unit, carriedCents: worth.get(unit.replaces) ?? 0 }));
  const made = merge(before, { units });
  const after = { order: orderState(apply(order.facts, made)), row };
  return merge(made, exchangeMoney(after, units, act));
}

/** Units that an exchange has set aside. */
export const reservedOf = ({ order, row }: ReturnCase): Unit[] =>
  order.facts.units.filter((unit) => unit.returnId === row.id && unit.isReserved && !unit.canceledAt);

/**
 * The tax of what an exchange has set aside, by a quote of today for where the order goes now: the order may have moved
 * since its customer asked for it.
 */
export function taxExchange(given: ReturnCase, { taxCents }: { taxCents: number }): ReturnDecision {
  const { order, row } = given;
  if (row.exchangeTaxCents === taxCents) return UNCHANGED;
  const reserved = reservedOf(given);
  const shares = shareOut(taxCents, Array<number>(reserved.length).fill(1));
  const line = order.facts.lines.find(({ id }) => id === reserved[0]?.lineId);
  const units = reserved.map((unit, place) => ({ ...unit, taxCents: shares[place]! }));
  return {
    ok: true,
    change: { units, lines: line ? [{ ...line, taxCents }] : [] },
    row: { exchangeTaxCents: taxCents },
  };
}

/** The same products again, at the price and tax of those that they replace. */
function sameAgain(given: ReturnCase, act: DecidedBy): Change {
  let { facts } = given.order;
  const lines = [...Map.groupBy(unitsOf(given), ({ lineId }) => lineId)];
  const parts = lines.map(([lineId, units]): Change => {
    const { productId, name, priceCents, warrantyYears } = facts.lines.find(({ id }) => id === lineId)!;
    const taxCents = units.reduce((sum, unit) => sum + unit.taxCents, 0);
    const wanted = { productId, name, priceCents, taxCents, warrantyYears };
    const replaces = units.map(({ number }) => number);
    const change = newUnits(facts, wanted, { replaces, returnId: given.row.id, isReserved: true }, act);
    facts = apply(facts, change);
    // Each carries what its own unit was worth, to the cent of its tax.
    return {
      ...change,
      units: change.units!.map((unit, place) => {
        const { taxCents, waivedCents } = units[place]!;
        return { ...unit, taxCents, waivedCents };
      }),
    };
  });
  return merge(...parts);
}

/** Worth of each unit that is replaced: its charge, less its part of the deduction, and no more than is left of the money. */
export function carriedOf(
  { money: { leftForGoodsCents } }: OrderState,
  former: readonly UnitState[],
  deductionCents: number,
): Map<number | null, number> {
  const paid = former.filter(isWorthSomething);
  const chargedCents = paid.reduce((sum, { charged }) => sum + charged!.cents, 0);
  const worth = shareOut(
    Math.max(0, Math.min(chargedCents - deductionCents, leftForGoodsCents)),
    paid.map(({ charged }) => charged!.cents),
  );
  return new Map(paid.map(({ number }, place) => [number, worth[place]!]));
}

/** Units that carry no more than is left of the money of what they replace. */
export const withLeft = ({ money: { leftForGoodsCents } }: OrderState, units: readonly Unit[]): Unit[] =>
  withWorth(
    units,
    Math.min(
      sum(units, ({ carriedCents }) => carriedCents),
      Math.max(0, leftForGoodsCents),
    ),
  );

/** Units that cost no more than what they replace was worth. */
export function atWorth({ facts: { lines } }: OrderState, units: readonly Unit[]): Change {
  const priced = units.map((unit) => {
    const value = unit.priceCents + unit.taxCents;
    const cents = Math.min(value, unit.carriedCents);
    const [taxCents = 0] = shareOut(unit.taxCents, [cents, value - cents]);
    return { ...unit, priceCents: cents - taxCents, taxCents };
  });
  return {
    units: priced,
    lines: lines.flatMap((line) => {
      const ofLine = priced.filter(({ lineId }) => lineId === line.id);
      const sum = (of: "priceCents" | "taxCents") => ofLine.reduce((total, unit) => total + unit[of], 0);
      const priceCents = Math.round(sum("priceCents") / ofLine.length);
      return ofLine.length > 0 ? [{ ...line, priceCents, taxCents: sum("taxCents") }] : [];
    }),
  };
}

/** The charge of what is sent, and the refund that pays it: at once if nothing is asked for, else with the buyer's payment. */
export function exchangeMoney({ order, row }: ReturnCase, units: readonly Unit[], act: DecidedBy): Change {
  const items = order.units
    .filter(({ number, valueCents }) => valueCents > 0 && units.some((unit) => unit.number === number))
    .map(unitItem);
  const due = centsOf(items) - units.reduce((sum, { carriedCents }) => sum + carriedCents, 0);
  if (askedCents(due) > 0) return askToPay(items, { returnId: row.id, dueCents: due }, act);
  if (due > 0) {
    const made = atWorth(order, units);
    return merge(made, exchangeMoney({ order: orderState(apply(order.facts, made)), row }, units, act));
  }
  const sent = sendForReturn(order, row.id, act);
  if (items.length === 0) return merge(sent, carryOver(order, row.id, null, act));
  const { id, change } = newCharge(items, { state: "paid", by: "link", returnId: row.id }, act);
  const charged = items.map((item) => ({ ...item, chargeId: id, releasedAt: null }));
  return merge(sent, change, carryOver(order, row.id, { id, items: charged }, act));
}

/** Sends the customer's own units back, repaired; a repair under no warranty is paid first. */
function repairUnits(given: ReturnCase, _part: Resolution["part"], act: DecidedBy): Made {
  const { row } = given;
  if (row.kind !== "repair") return goBack(given, act);
  if (!row.quoteAcceptedAt || row.quoteCents === null) return refused("quote");
  const dueCents = askedCents(row.quoteCents - keptFee(given));
  const item = { kind: "repair" as const, unit: null, cents: dueCents, taxCents: 0 };
  return goBack(given, act, dueCents > 0 ? askToPay([item], { returnId: row.id }, act) : {});
}

/** Sends a part free of charge; nothing comes back. */
function sendPart(given: ReturnCase, part: Resolution["part"], act: DecidedBy): Made {
  const { order, row } = given;
  if (!part) return refused("no-part");
  const free = { ...part, priceCents: 0, taxCents: 0 };
  const made = newUnits(order.facts, free, { replaces: [null], returnId: row.id, isReserved: true }, act);
  const after = orderState(apply(order.facts, made));
  return merge(withdrawOpen(given, act), endUnsent(given, act), made, sendForReturn(after, row.id, act));
}

/** True once nothing of a resolved return is to be sent, paid or refunded: then it is over. */
export function isSettled({ order, row }: ReturnCase): boolean {
  const waits = order.units.some(
    ({ sentFor, place }) => sentFor === row.id && (place === "waiting" || place === "packing" || place === "reserved"),
  );
  const isOwed = order.refunds.some(
    ({ returnId, owedCents, underWayCents }) => returnId === row.id && owedCents + underWayCents > 0,
  );
  return row.state === "resolved" && !waits && !isOwed && !openCharge({ order, row });
}

/** Closes a settled return: its units may be in another one. */
export function close(given: ReturnCase, _input: object, act: DecidedBy): ReturnDecision {
  if (!isSettled(given)) return wrongState(given);
  const returned = rowsOf(given).map((unit) => ({ ...unit, endedAt: act.at }));
  return {
    ok: true,
    change: merge({ returned }, changed(given.row, "closed")),
    row: { state: "closed", closedAt: act.at },
  };
}
