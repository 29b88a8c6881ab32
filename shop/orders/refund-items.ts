/** What a refund gives back: items by their name, within what is left, and amounts that have none. */
import { shareOut } from "#shop/money.ts";
import { hasPrice } from "./choose.ts";
import type { ChargeItem, MoneyItem } from "./facts.ts";
import { centsOf, taxOf, type Service } from "./order-money.ts";
import type { OrderState, UnitState } from "./state.ts";

type Left = { leftCents: number; leftTaxCents: number };
type LeftForGoods = Pick<OrderState["money"], "leftForGoodsCents" | "leftTaxCents">;

/**
 * The refund of what was charged for some units, in cents with tax: that, less `deductionCents` shared out over them, and in
 * sum never more than `maxCents`, nor than is left of the money for goods: a service stays paid, and has no tax. The tax of each is its share, moved so far that what is left never has more tax than
 * cents: with the last cent goes the last cent of the tax.
 */
export function refundItems(
  charged: readonly MoneyItem[],
  { shippingItem, deductionCents = 0 }: { shippingItem?: MoneyItem | null; deductionCents?: number },
  { leftForGoodsCents, leftTaxCents }: LeftForGoods,
  maxCents = leftForGoodsCents,
): MoneyItem[] {
  const shares = shareOut(
    deductionCents,
    charged.map(({ cents }) => cents),
  );
  const wanted = charged.map((item, place) => ({ item, wantedCents: item.cents - shares[place]! }));
  const all = shippingItem ? [...wanted, { item: shippingItem, wantedCents: shippingItem.cents }] : wanted;
  return boundItems(all, { leftCents: leftForGoodsCents, leftTaxCents }, maxCents);
}

/** Items of a refund within what is left. */
export function boundItems(
  wanted: readonly { item: MoneyItem; wantedCents: number }[],
  left: Left,
  maxCents = left.leftCents,
): MoneyItem[] {
  let [restCents, { leftCents, leftTaxCents }] = [maxCents, left];
  return wanted.map(({ item: { kind, unit, cents: fullCents, taxCents: fullTax }, wantedCents }) => {
    const cents = Math.max(0, Math.min(wantedCents, restCents));
    const share = shareOut(fullTax, [cents, fullCents - cents])[0]!;
    const least = Math.max(0, leftTaxCents - (leftCents - cents));
    const taxCents = Math.min(Math.max(share, least), cents, leftTaxCents);
    restCents -= cents;
    leftCents -= cents;
    leftTaxCents -= taxCents;
    return { kind, unit, cents, taxCents };
  });
}

export const chargesOf = (units: readonly UnitState[]): ChargeItem[] => units.map(({ charged }) => charged!);

/** What was paid for goods and may be given back by its name: units, then the shipping. */
const givable = ({ units, shipping }: OrderState): ChargeItem[] => [
  ...chargesOf(units.filter(hasPrice)),
  ...(shipping.isRefundable ? [shipping.charged!] : []),
];

/**
 * Items of an amount. What gives back all that is left for goods, or all that was paid for the `named`, with the amounts that
 * were given `before` for them, names these; any other amount has no name. Its tax is its part of what is left.
 */
export function amountItems(
  state: OrderState,
  cents: number,
  { named = [], beforeCents = 0 }: { named?: readonly ChargeItem[]; beforeCents?: number } = {},
): MoneyItem[] {
  const { leftForGoodsCents, leftTaxCents } = state.money;
  const units = named.filter(({ kind }) => kind === "unit");
  const isWhole = (some: readonly MoneyItem[]) => some.length > 0 && centsOf(some) <= cents + beforeCents;
  const items = cents >= leftForGoodsCents ? givable(state) : ([named, units].find(isWhole) ?? []);
  const given = refundItems(items, {}, { leftForGoodsCents, leftTaxCents }, Math.min(cents, leftForGoodsCents));
  const restCents = cents - centsOf(given);
  if (restCents <= 0) return given;
  const afterCents = Math.max(0, leftForGoodsCents - cents);
  const [taxCents = 0] = shareOut(leftTaxCents - taxOf(given), [restCents, afterCents]);
  return [...given, { kind: "goodwill", unit: null, cents: restCents, taxCents }];
}

/** Items of a refund, and the return of which they are a service. */
export type Part = { items: MoneyItem[]; returnId: string | null };

/** What is left of the services of a return, by their names. */
export const serviceParts = (services: readonly Service[]): Part[] =>
  services.map(({ returnId, kind, leftCents }) => ({
    items: [{ kind, unit: null, cents: leftCents, taxCents: 0 }],
    returnId,
  }));

/** The unit whose charge was paid with money, for one that carries over all that it is worth. */
function paidAs(units: readonly UnitState[], unit: UnitState): UnitState {
  const former = units.find(({ number }) => number === unit.replaces);
  return former && unit.carriedCents >= unit.charged!.cents ? paidAs(units, former) : unit;
}

/** Some cents of services, one after the other, as far as they are left. */
function ofServices(services: readonly Service[], cents: number): Part[] {
  let rest = cents;
  return serviceParts(services).flatMap(({ items: [item], returnId }) => {
    const part = Math.min(item!.cents, rest);
    rest -= part;
    return part > 0 ? [{ items: [{ ...item!, cents: part }], returnId }] : [];
  });
}

/**
 * What a payment paid for, of which it gives back some cents: its services, then goods; the rest has no name. What nothing is
 * left of for goods was paid for the services of other payments.
 */
export function partsOfPayment(state: OrderState, { paymentId, cents }: { paymentId: string; cents: number }): Part[] {
  const { facts, units, charges, refunds, money } = state;
  const attempts = facts.attempts.filter((each) => each.paymentId === paymentId && each.state !== "failed");
  const paid = charges.filter(({ id }) => attempts.some(({ chargeId }) => chargeId === id));
  const isPaid = ({ chargeId }: ChargeItem) => paid.some(({ id }) => id === chargeId);
  const isOwn = ({ returnId, kind }: Service) =>
    paid.some((charge) => charge.returnId === returnId && charge.items.some((item) => item.kind === kind));
  const own = ofServices(money.services.filter(isOwn), cents);
  const restCents = cents - centsOf(own.flatMap(({ items }) => items));
  const others = ofServices(
    money.services.filter((service) => !isOwn(service)),
    restCents - Math.max(0, money.leftForGoodsCents),
  );
  const goodsCents = restCents - centsOf(others.flatMap(({ items }) => items));
  const named = givable(state).filter((item) => {
    const unit = units.find(({ number }) => number === item.unit);
    return isPaid(unit ? paidAs(units, unit).charged! : item);
  });
  const beforeCents = centsOf(
    attempts.filter(({ refundId }) =>
      refunds.some(({ id, items }) => id === refundId && items.every(({ kind }) => kind === "goodwill")),
    ),
  );
  const goods =
    goodsCents > 0 ? [{ items: amountItems(state, goodsCents, { named, beforeCents }), returnId: null }] : [];
  return [...own, ...others, ...goods];
}

/** What is still to be named once nothing is left of what was paid for goods: all of it is given back. */
export const unnamed = (state: OrderState): MoneyItem[] =>
  state.money.leftForGoodsCents > 0
    ? []
    : givable(state).map(({ kind, unit }) => ({ kind, unit, cents: 0, taxCents: 0 }));
