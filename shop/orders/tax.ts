/** Tax records of an order: each paid charge is a sale, and each refund takes its items back. */
import { shareOut } from "#shop/money.ts";
import type { MoneyItem, SalePart, TaxAddress, TaxRecord } from "./facts.ts";
import type { ChargeStanding, RefundStanding } from "./order-money.ts";
import { DISPUTE } from "./reasons.ts";
import type { OrderState, UnitState } from "./state.ts";

/** The ZIP code as typed: its first five digits count. */
export const taxAddress = (state: string, postalCode: string): TaxAddress => ({
  state,
  postalCode: postalCode.replace(/\D/g, "").slice(0, 5),
});

type Sums = Pick<SalePart, "amountCents" | "taxCents">;
const SUMS = ["amountCents", "taxCents"] as const;

/** Sales and tax of some parts. */
export const sumOf = (parts: readonly Sums[]): Sums => ({
  amountCents: parts.reduce((sum, { amountCents }) => sum + amountCents, 0),
  taxCents: parts.reduce((sum, { taxCents }) => sum + taxCents, 0),
});

/** Goods and their shipping are sales. Of fees and repairs, which are services, and of a surplus no tax is collected. */
export const isSale = ({ kind }: MoneyItem): boolean => kind === "unit" || kind === "shipping";
const isUntaxed = ({ kind }: MoneyItem): boolean => kind === "fee" || kind === "repair" || kind === "surplus";

/** Name of what a unit is at the provider: its product, or its line if that is not of the catalog. */
export const productOf = ({ productId, lineId }: Pick<UnitState, "productId" | "lineId">): string =>
  productId ?? lineId;

const saleOf = ({ cents, taxCents }: MoneyItem): Sums => ({ amountCents: cents - taxCents, taxCents });

const productOfItem = ({ units }: OrderState, { unit }: MoneyItem): string | null =>
  unit === null ? null : productOf(units.find(({ number }) => number === unit)!);

/** The parts of a sale: one for each product of its units, and one for the shipping. */
const partsOf = (state: OrderState, charge: ChargeStanding): SalePart[] =>
  [...Map.groupBy(soldItems(state, charge), (item) => productOfItem(state, item))].map(([productId, each]) => ({
    productId,
    ...sumOf(each.map(saleOf)),
  }));

export const isOfSale = (record: TaxRecord, chargeId: string): boolean =>
  record.chargeId === chargeId && record.refundId === null;

/** A unit in place of another one of the same worth: nothing is paid and nothing given back, so neither is a sale. */
function isSwap({ charges, refunds }: OrderState, chargeId: string | null): boolean {
  const charge = charges.find(({ id }) => id === chargeId);
  return refunds.some(
    ({ appliedTo, cents, taxCents, movingCents }) =>
      appliedTo === charge?.id && cents === charge?.cents && taxCents === charge.taxCents && movingCents === 0,
  );
}

/** Items of a charge that are sales. */
export const soldItems = (state: OrderState, { id, items }: ChargeStanding): MoneyItem[] =>
  isSwap(state, id) ? [] : items.filter(isSale);

/** Items of a refund that take sales back. A lost dispute does not: its sale stands, and its tax is due. */
export const takenItems = (state: OrderState, { appliedTo, items, reason }: RefundStanding): MoneyItem[] =>
  reason === DISPUTE || isSwap(state, appliedTo) ? [] : items;

/** Nothing of it is owed or under way. */
export const isGivenBack = ({ cents, owedCents, underWayCents }: RefundStanding): boolean =>
  cents > 0 && owedCents === 0 && underWayCents === 0;

/** Parts of all sales that are not taken back. */
function leftOf(records: readonly TaxRecord[]) {
  return records
    .filter(({ refundId }) => refundId === null)
    .flatMap(({ chargeId, parts }) =>
      parts.map((part) => {
        const taken = records
          .filter((each) => each.chargeId === chargeId && each.refundId !== null)
          .flatMap((each) => each.parts.filter(({ productId }) => productId === part.productId));
        const { amountCents, taxCents } = sumOf(taken);
        return {
          ...part,
          chargeId,
          amountCents: part.amountCents - amountCents,
          taxCents: part.taxCents - taxCents,
        };
      }),
    );
}

/** Problems of records: a sale of which more is taken back than it was. */
export const overReversed = (records: readonly TaxRecord[]): string[] =>
  leftOf(records).flatMap(({ amountCents, taxCents }) =>
    Math.min(amountCents, taxCents) < 0 ? ["more of a sale is reversed than was recorded"] : [],
  );

/**
 * Reversals of a refund, by charge. Each item is taken from the sale of its unit. What that does not hold any more, because
 * an amount without a unit was taken from it, and such amounts are shared out over all that is left.
 */
function reversalsOf(state: OrderState, refund: RefundStanding, records: readonly TaxRecord[]) {
  const refundId = refund.id;
  const items = takenItems(state, refund);
  const left = leftOf(records);
  const taken = left.map(() => ({ amountCents: 0, taxCents: 0 }));
  const rest = { amountCents: 0, taxCents: 0 };
  // It has no tax of its own; the rest of the goods' tax may go with it.
  for (const item of items.filter(isUntaxed)) rest.taxCents += item.taxCents;
  for (const item of items.filter((each) => !isUntaxed(each))) {
    const charged = item.kind === "shipping" ? state.shipping.charged : chargedOf(state, item);
    const place = left.findIndex(
      ({ chargeId, productId }) => chargeId === charged?.chargeId && productId === productOfItem(state, item),
    );
    const wanted = saleOf(item);
    for (const of of SUMS) {
      const cents = place < 0 ? 0 : Math.min(wanted[of], left[place]![of] - taken[place]![of]);
      if (place >= 0) taken[place]![of] += cents;
      rest[of] += wanted[of] - cents;
    }
  }
  for (const of of SUMS) {
    const room = left.map((part, place) => part[of] - taken[place]![of]);
    const cents = Math.min(
      rest[of],
      room.reduce((sum, each) => sum + each, 0),
    );
    for (const [place, share] of shareOut(cents, room).entries()) taken[place]![of] += share;
  }
  const parts = left
    .map(({ chargeId, productId }, place) => ({ chargeId, productId, ...taken[place]! }))
    .filter(({ amountCents, taxCents }) => amountCents > 0 || taxCents > 0);
  return [...Map.groupBy(parts, ({ chargeId }) => chargeId)].map(([chargeId, each]): TaxRecord => ({
    chargeId,
    refundId,
    parts: each.map(({ productId, amountCents, taxCents }) => ({ productId, amountCents, taxCents })),
    address: records.find((record) => isOfSale(record, chargeId))!.address,
  }));
}

const chargedOf = ({ units }: OrderState, { unit }: MoneyItem) =>
  units.find(({ number }) => number === unit)?.charged ?? null;

/** Records that an order is due: of each charge that is paid, and of each refund once it is given back whole. */
export function dueTaxRecords(state: OrderState): TaxRecord[] {
  const { order, taxRecords: written } = state.facts;
  if (order.taxReference === null) return [];
  const address = taxAddress(order.shippingState, order.shippingPostalCode);
  const sales = state.charges
    .filter((charge) => charge.state === "paid" && !written.some((record) => isOfSale(record, charge.id)))
    .map((charge): TaxRecord => ({ chargeId: charge.id, refundId: null, parts: partsOf(state, charge), address }))
    .filter(({ parts }) => parts.length > 0);
  const due = state.refunds.filter(
    (refund) => isGivenBack(refund) && !written.some(({ refundId }) => refundId === refund.id),
  );
  const all = [...written, ...sales];
  for (const refund of due) all.push(...reversalsOf(state, refund, all));
  return all.slice(written.length);
}
