/** An order of the model in memory: its beginning, and what its steps choose from. */
import type { Change, DecidedBy, Decision } from "#shop/orders/change.ts";
import type { Facts, Payment, Unit } from "#shop/orders/facts.ts";
import type { Address } from "#shop/orders/order.ts";
import type { OrderState } from "#shop/orders/state.ts";
import { shareOut } from "#shop/money.ts";
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

export const at = (day: string) => new Date(`${day}T12:00:00Z`);
export const pick = <Item>(items: readonly Item[], number: number): Item | undefined =>
  items[number % Math.max(1, items.length)];
/** Those of some items whose bit is set. */
export const some = <Item>(items: readonly Item[], bits: number): Item[] =>
  items.filter((_, place) => (bits >> (place % 8)) & 1);

export function begin({ mode, lines, shippingCents, shippingTaxCents }: Start): World {
  const units = lines.flatMap((line, place) => {
    const taxes = shareOut(
      line.priceCents > 0 ? line.taxCents : 0,
      Array.from({ length: line.units }, () => 1),
    );
    return taxes.map((taxCents): Omit<Unit, "number"> => ({
      lineId: `line-${place}`,
      priceCents: line.priceCents,
      taxCents,
      replaces: null,
      waivedCents: 0,
      carriedCents: 0,
      returnId: null,
      isReserved: false,
      canceledAt: null,
      canceledBy: null,
      cancelReason: null,
    }));
  });
  const day = "2027-01-04";
  const facts: Facts = {
    order: {
      id: "order",
      placedAt: at(day),
      shippingMethod: "standard",
      shippingCents,
      shippingTaxCents: shippingCents > 0 ? shippingTaxCents : 0,
      shipBy: daysAfter(day, 3),
      promisedAt: at(day),
      holdUntil: mode === "arranged" ? null : at(day),
      confirmedAt: mode === "arranged" ? at(day) : null,
      isPaymentAsked: false,
      end: null,
      acceptedAt: null,
      onHoldSince: null,
      stored: null,
      taxReference: shippingTaxCents > 0 || lines.some(({ taxCents }) => taxCents > 0) ? "checkout" : null,
      shippingWaivedCents: 0,
      ...HOME,
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
    units: units.map((unit, place) => ({ ...unit, number: place + 1 })),
    parcels: [],
    packed: [],
    charges: [],
    chargeItems: [],
    refunds: [],
    refundItems: [],
    waivers: [],
    payments:
      mode === "arranged" ? [] : [page({ id: "page-0", kind: mode === "card" ? "setup" : "page", createdAt: at(day) })],
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
