/** Another address for what has not shipped. The tax of another state is charged, or borne by the shop. */
import { apply, decided, merge, NOTHING, refused, type Change, type DecidedBy, type Decision } from "../change.ts";
import type { Line, Payment, Unit } from "../facts.ts";
import { addressLine, addressOf, changedParts, type Address } from "../order.ts";
import { isLink } from "../order-money.ts";
import { isWaiting, type OrderState } from "../state.ts";
import { sharesOfUnits } from "../units.ts";
import { announceAgain } from "./announce.ts";
import { newWaiver, releasePayments } from "./money.ts";

/** Tax of all that was bought at another address, by product. Without a reference the shop collects none there. */
export type TaxThere = {
  reference: string | null;
  lineTaxCents: Readonly<Record<string, number>>;
  shippingTaxCents: number;
};

export type Move = {
  address: Address;
  /** The address that the submitted page showed, as one text. */
  from: string;
  /** Null if the tax stays as it is. */
  tax: TaxThere | null;
  /** Tax that the page showed, in cents. */
  seenTaxCents?: number;
  /** Payer of a higher tax: the buyer, if the buyer moves the order. */
  bears?: "customer" | "shop";
};

const inWords = (text: string): string => text.replaceAll(/\s+/g, " ");

/** The order still ships to the address that a page showed, as one text. */
export const shipsTo = ({ facts }: OrderState, seen: string): boolean =>
  inWords(addressLine(facts.order)) === inWords(seen);

/** The buyer's payment of a sum: with the rest as it is, after another payment, or not possible. */
type Payable = "later" | "again" | "fixed";
/** The buyer's tax and total after a move, without canceled units, and the shop's part if it waives the increase. */
export type MovedTax = {
  fromCents: number;
  toCents: number;
  totalCents: number;
  waivedCents: number;
  payable: Payable;
};

type Taxed = Pick<Unit, "taxCents" | "waivedCents">;

const taxed = (wasCents: number, taxCents: number, isWaived: boolean): Taxed => {
  const paidCents = isWaived ? Math.min(wasCents, taxCents) : taxCents;
  return { taxCents: paidCents, waivedCents: taxCents - paidCents };
};

/** The rows of an order with the tax of another address. */
function withTax({ facts }: OrderState, tax: TaxThere, isWaived: boolean): Change {
  const bought = facts.lines.filter(({ returnId }) => returnId === null);
  const units = bought.flatMap((line) => {
    const shares = sharesOfUnits(tax.lineTaxCents[line.productId ?? line.id] ?? 0, line.quantity);
    const ofLine = facts.units.filter(({ lineId }) => lineId === line.id).toSorted((a, b) => a.number - b.number);
    return ofLine.map((unit, place) => ({ ...unit, ...taxed(unit.taxCents, shares[place]!, isWaived) }));
  });
  const shipping = taxed(facts.order.shippingTaxCents, tax.shippingTaxCents, isWaived);
  const taxOf = ({ id }: Line) => units.reduce((sum, { lineId, taxCents }) => sum + (lineId === id ? taxCents : 0), 0);
  return {
    order: {
      taxReference: tax.reference,
      shippingTaxCents: shipping.taxCents,
      shippingWaivedCents: shipping.waivedCents,
    },
    lines: bought.map((line) => ({ ...line, taxCents: taxOf(line) })),
    units,
  };
}

/** Sums of what is not canceled. */
function sumsOf({ order, units }: OrderState["facts"]) {
  const kept = units.filter(({ returnId, canceledAt }) => returnId === null && canceledAt === null);
  const sum = (of: (unit: Unit) => number, first: number) => kept.reduce((total, unit) => total + of(unit), first);
  return {
    taxCents: sum(({ taxCents }) => taxCents, order.shippingTaxCents),
    waivedCents: sum(({ waivedCents }) => waivedCents, order.shippingWaivedCents),
    totalCents: sum(({ priceCents, taxCents }) => priceCents + taxCents, order.shippingCents + order.shippingTaxCents),
  };
}

/** Tax of what is not canceled that the shop bears. */
export const waivedCents = (facts: OrderState["facts"]): number => sumsOf(facts).waivedCents;

/**
 * `again`: what holds the money of an order that is charged as a whole is for less. `fixed`: a charge of the kept card was
 * refused, and is paid on a page of its own sum.
 */
function payableOf({ money, facts: { payments } }: OrderState, dueCents: number): Payable {
  const isOwn = (payment: Payment) => ["page", "charge"].includes(payment.kind) && !isLink(payment);
  const isOver = ({ kind, state }: Payment) => kind === "page" && (state === "closed" || state === "failed");
  if (payments.filter(isOwn).every(isOver)) return "later";
  if (money.isByCard || money.isMismatched) return "fixed";
  return money.authorized && money.authorized.authorizedCents >= dueCents ? "later" : "again";
}

export function movedTax(state: OrderState, tax: TaxThere): MovedTax {
  const sumsIf = (isWaived: boolean) => sumsOf(apply(state.facts, withTax(state, tax, isWaived)));
  const { taxCents: toCents, totalCents } = sumsIf(false);
  const { taxCents: fromCents } = sumsOf(state.facts);
  const payable = toCents > fromCents ? payableOf(state, totalCents) : "later";
  return { fromCents, toCents, totalCents, waivedCents: sumsIf(true).waivedCents, payable };
}

/**
 * Something that is to ship is sold at a price, so that its tax is that of where it goes. The customer's own product, and what
 * a return sends in its place at no cost, was sold and taxed before.
 */
export const isTaxed = ({ units }: OrderState): boolean =>
  units.some(
    (unit) =>
      (isWaiting(unit) || unit.place === "reserved") &&
      unit.sentFor === unit.returnId &&
      unit.valueCents > unit.carriedCents,
  );

/**
 * Changes the address of what has not shipped. The tax of another state is agreed to by `seenTaxCents`; where it is more, the
 * buyer pays it with the rest, after another payment if the present one is for less, or the shop bears it. Refusals: 'status',
 * 'under-way' while a parcel waits for its charge, 'meanwhile' if the address is another by now, 'unpaid', 'charged' and
 * 'fixed' for a tax that cannot change now, 'tax' with the new one that must be seen and decided first.
 */
export function changeAddress(state: OrderState, move: Move, act: DecidedBy): Decision {
  const { facts, stage, charges } = state;
  const { address, from, tax, seenTaxCents, bears = act.by === "staff" ? undefined : "customer" } = move;
  if (addressLine(facts.order) === addressLine(address)) return NOTHING;
  if (state.packing || charges.some(({ by, isUnderWay }) => by === "ship" && isUnderWay)) return refused("under-way");
  const isOpen = stage === "to-ship" || stage === "partly-shipped" || (stage === "unpaid" && act.by === "staff");
  if (!isOpen || !state.units.some(isWaiting)) return refused("status");
  if (!shipsTo(state, from)) return refused("meanwhile");
  const moved = (totalCents: number | null, change: Change = {}, paysAgain = false): Decision =>
    decided(change, {
      order: addressOf(address),
      events: [{ type: "address-changed", ...(totalCents !== null && { data: { totalCents } }) }],
      emails: [
        { template: "order-address-changed", changed: changedParts(facts.order, address), totalCents, paysAgain },
      ],
    });
  if (!tax || !isTaxed(state)) return moved(null);
  const { fromCents, toCents, totalCents, payable } = movedTax(state, tax);
  const isAsked = charges.some(({ state: is, by }) => is === "asked" && by === "link");
  const isCharged = isAsked || charges.some(({ state: is }) => is === "paid");
  if (isCharged || stage === "unpaid") {
    // The charge of an exchange has the tax of where its order went.
    const isTaxedThere = tax.reference !== null || facts.order.taxReference !== null;
    const isSame = fromCents + sumsOf(facts).waivedCents === toCents && !(isAsked && isTaxedThere);
    return isSame ? moved(null) : refused(isCharged ? "charged" : "unpaid");
  }
  if (payable !== "later" && act.by !== "staff") return refused("fixed");
  const isMore = toCents > fromCents;
  if (fromCents !== toCents && (seenTaxCents !== toCents || (isMore && !bears))) return refused("tax");
  const isWaived = isMore && bears === "shop";
  if (payable === "fixed" && !isWaived) return refused("fixed");
  const taxed = withTax(state, tax, isWaived);
  const leftCents = waivedCents(apply(facts, taxed)) - waivedCents(facts);
  const change = merge(announceAgain(state, taxed, act), isWaived ? newWaiver(leftCents, null, act) : {});
  if (fromCents === toCents || isWaived) return moved(null, change);
  const paysAgain = payable === "again";
  return moved(totalCents, paysAgain ? merge(change, releasePayments(state, act)) : change, paysAgain);
}
