/** An order of the model in memory: its beginning, and what its steps choose from. */
import type { Change, DecidedBy, Decision } from "#shop/orders/change.ts";
import type { Facts, Payment, Unit } from "#shop/orders/facts.ts";
import type { Address } from "#shop/orders/order.ts";
import type { OrderState } from "#shop/orders/state.ts";
import { unitsOfLines } from "#shop/orders/units.ts";
import { daysAfter } from "#shop/new-york-time.ts";
import type { ReturnDecision, ReturnRow } from "#shop/returns/facts.ts";

export type World = {
  facts: Facts;
  /** The last change. */
  change: Change;
  returns: ReturnRow[];
  /** Units of each product that went back into stock, less those that were taken from it. */
  stock: Readonly<Record<string, number>>;
  /** Day and hour in New York. */
  day: string;
  hour: number;
  ids: number;
  history: string[];
};

export type Start = {
  mode: "page" | "card" | "arranged";
  lines: { priceCents: number; units: number; taxCents: number; isLater: boolean }[];
  shippingCents: number;
  shippingTaxCents: number;
  /** A discount off all lines. */
  percentOff?: number;
  shippingState?: string;
};

export const HOME: Address = {
  shippingFirstName: "Ada",
  shippingLastName: "Lovelace",
  shippingAddressLine1: "12 Analytical Ave",
  shippingAddressLine2: null,
  shippingCity: "New York",
  shippingState: "NY",
  shippingPostalCode: "10001",
};

/** Sales tax of each state. */
export const RATES: Readonly<Record<string, number>> = { NY: 0.08875, TX: 0.04, OR: 0 };

export const at = (day: string) => new Date(`${day}T12:00:00Z`);
export const pick = <Item>(items: readonly Item[], number: number): Item | undefined =>
  items[number % Math.max(1, items.length)];
/** Those of some items whose bit is set. */
export const some = <Item>(items: readonly Item[], bits: number): Item[] =>
  items.filter((_, place) => (bits >> (place % 8)) & 1);

export function begin(start: Start): World {
  const { mode, lines, shippingCents, shippingTaxCents, percentOff = 0, shippingState = "NY" } = start;
  const items = lines.map(({ priceCents, units: quantity, taxCents }, place) => {
    const discountCents = Math.round((priceCents * quantity * percentOff) / 100);
    const isTaxed = discountCents < priceCents * quantity;
    return { id: `line-${place}`, priceCents, quantity, discountCents, taxCents: isTaxed ? taxCents : 0 };
  });
  const units = unitsOfLines(items).map(({ orderItemId, ...unit }): Unit => ({
    ...unit,
    lineId: orderItemId,
    replaces: null,
    waivedCents: 0,
    carriedCents: 0,
    returnId: null,
    isReserved: false,
    isOwn: false,
    canceledAt: null,
    canceledBy: null,
    cancelReason: null,
  }));
  const day = "2027-01-04";
  // What costs nothing is placed without a payment.
  const isFree = units.every(({ priceCents, taxCents }) => priceCents + taxCents === 0);
  const isPlaced = mode === "arranged" || isFree;
  const facts: Facts = {
    order: {
      id: "order",
      placedAt: at(day),
      shippingMethod: "standard",
      shippingCents,
      shippingTaxCents: shippingCents > 0 ? shippingTaxCents : 0,
      shipBy: daysAfter(day, 3),
      promisedAt: at(day),
      holdUntil: isPlaced ? null : at(day),
      confirmedAt: isPlaced ? at(day) : null,
      isPaymentAsked: false,
      end: null,
      acceptedAt: null,
      onHoldSince: null,
      stored: null,
      taxReference: shippingTaxCents > 0 || lines.some(({ taxCents }) => taxCents > 0) ? "checkout" : null,
      shippingWaivedCents: 0,
      ...HOME,
      shippingState,
    },
    lines: lines.map(({ isLater, priceCents, taxCents, units: quantity }, place) => ({
      id: `line-${place}`,
      priceCents,
      taxCents,
      quantity,
      position: place,
      warrantyYears: null,
      returnId: null,
      productId: `product-${place}`,
      name: `Product ${place}`,
      shipsFrom: isLater ? daysAfter(day, 20) : null,
    })),
    units,
    parcels: [],
    packed: [],
    charges: [],
    chargeItems: [],
    refunds: [],
    refundItems: [],
    waivers: [],
    payments: isPlaced ? [] : [page({ id: "page-0", kind: mode === "card" ? "setup" : "page", createdAt: at(day) })],
    attempts: [],
    delays: [],
    returned: [],
    taxRecords: [],
  };
  return { facts, returns: [], stock: {}, day, hour: 12, ids: 0, change: {}, history: [] };
}

export const page = (known: Partial<Payment> & Pick<Payment, "id" | "kind" | "createdAt">): Payment => ({
  state: "open",
  chargeId: null,
  savedPaymentId: null,
  provider: "stripe",
  arrangement: null,
  amountCents: 0,
  authorizedCents: 0,
  capturedCents: 0,
  refundedCents: 0,
  hasCard: false,
  captureBefore: null,
  refusedAt: null,
  dispute: null,
  ...known,
});

/** A step on an order: its decision, or null if there is nothing to choose. */
export type Tried = (
  state: OrderState,
  world: World,
  act: DecidedBy,
  numbers: [number, number, number],
) => Decision | ReturnDecision | null;
