/** Order numbers, paths, amounts, addresses, and what strangers may see of them. */
import { shareOut } from "#shop/money.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import type { OrderStatus } from "./lifecycle.ts";
import { shippingPolicy } from "#shop/policies.ts";

/** Returns the number that customers read: the first 8 characters of the order's id. */
export function orderNumber(orderId: string): string {
  return orderId.slice(0, 8);
}

export const orderPath = (orderId: string): string => `/orders/${orderId}`;

/** True if units are left to ship. */
export const isUnsent = ({ status, restToShip }: { status: OrderStatus; restToShip: boolean }): boolean =>
  status === "processing" || (status === "shipped" && restToShip);

/** True if the shop has named a day for shipping, with a line or by a delay; the day is not just its general promise. */
export const hasNamedDay = (
  { createdAt, promisedOn }: { createdAt: Date; promisedOn: string },
  lines: readonly { shipsFrom?: string | null }[],
): boolean =>
  promisedOn !== daysAfter(newYorkDay(createdAt), shippingPolicy.shipWithinDays) ||
  lines.some(({ shipsFrom }) => shipsFrom === promisedOn);

type Priced = { replacesReturnId: string | null; totalCents: number };

/** True if an order came at no charge, or in place of something that was sent back: nothing of it can be returned. */
export const isFree = ({ replacesReturnId, totalCents }: Priced): boolean =>
  replacesReturnId !== null || totalCents === 0;

type Labeled = { status: OrderStatus; restToShip: boolean; isFee: boolean };
/** Status for customers; of a diagnostic fee nothing ships. */
export function statusLabel({ status, restToShip, isFee }: Labeled): string {
  if (status === "delivered" && isFee) return "Paid";
  if (status === "shipped" && restToShip) return "Partially shipped";
  return status.charAt(0).toUpperCase() + status.slice(1);
}

/** Amounts of an order: as ordered, of which only the tax of another state changes, and as charged, without canceled units. */
export type Amounts = { subtotalCents: number; shippingCents: number; taxCents: number; totalCents: number };
type Ordered = Amounts & { shippingTaxCents: number };
type ChargedLine = { priceCents: number; quantity: number; canceledQuantity: number; taxCents: number };

export const unitsKept = ({ quantity, canceledQuantity }: Pick<ChargedLine, "quantity" | "canceledQuantity">): number =>
  quantity - canceledQuantity;

const share = (cents: number, units: number, of: number): number => shareOut(cents, [units, of - units])[0]!;

/** Tax of the units kept, in cents: their share of the line's tax. */
export const taxKept = (line: Omit<ChargedLine, "priceCents">): number =>
  share(line.taxCents, unitsKept(line), line.quantity);

/**
 * Returns the amounts to charge, in cents: never more than was ordered. Shipping and its tax stay as promised while
 * anything is left to ship, even if our cancellation drops the order below free shipping.
 */
export function amountsCharged(ordered: Ordered, lines: readonly ChargedLine[]): Amounts {
  const subtotalCents = lines.reduce((sum, line) => sum + line.priceCents * unitsKept(line), 0);
  const isEmpty = lines.every((line) => unitsKept(line) === 0);
  const shippingCents = isEmpty ? 0 : ordered.shippingCents;
  const taxCents = lines.reduce((sum, line) => sum + taxKept(line), isEmpty ? 0 : ordered.shippingTaxCents);
  return { subtotalCents, shippingCents, taxCents, totalCents: subtotalCents + shippingCents + taxCents };
}

/** Units of a line that are given back, and units that were before. */
export type UnitsBack = ChargedLine & { unitsBefore: number; units: number };

/** Tax of the units given back, in cents. The shares of all units of a line add up to its tax to the cent. */
export function taxBack(line: Omit<UnitsBack, "priceCents">): number {
  const upTo = (units: number) => share(taxKept(line), units, unitsKept(line));
  return upTo(line.unitsBefore + line.units) - upTo(line.unitsBefore);
}

/** Units of a line that were charged and not refunded by units. */
export const unitsToRefund = (line: Omit<ChargedLine, "priceCents" | "taxCents"> & { unitsRefunded: number }): number =>
  unitsKept(line) - line.unitsRefunded;

export const NO_SHIPPING = { shippingCents: 0, shippingTaxCents: 0 };

/** Returns the refund of some units of each line, and of `shipping` with its tax, in cents. */
export function amountsRefunded(
  lines: readonly (ChargedLine & { unitsRefunded: number; units: number })[],
  { shippingCents, shippingTaxCents }: Pick<Ordered, "shippingCents" | "shippingTaxCents">,
): Amounts {
  const subtotalCents = lines.reduce((sum, line) => sum + line.priceCents * line.units, 0);
  const taxCents = lines.reduce(
    (sum, line) => sum + taxBack({ ...line, unitsBefore: line.unitsRefunded }),
    shippingTaxCents,
  );
  return { subtotalCents, shippingCents, taxCents, totalCents: subtotalCents + shippingCents + taxCents };
}

/**
 * Returns the refund of items that are worth `worthCents`, in cents: once other refunds have given back a part of the
 * order's price, the rest of it. Of an order that is not all charged, items may be unpaid, so the rest is not for them.
 */
export function refundOfItems(
  worthCents: number,
  { chargedCents, capturedCents, leftCents }: Record<"chargedCents" | "capturedCents" | "leftCents", number>,
): number {
  const isRest = capturedCents >= chargedCents && leftCents > 0;
  return isRest ? Math.min(worthCents, leftCents) : worthCents;
}

type SentLine = ChargedLine & { unitsSent: number };

/**
 * Returns the amounts due, in cents, once `unitsSent` of each line have shipped: their price and their share of its tax,
 * and shipping with its tax from the first parcel on. Once everything has shipped, they are amountsCharged to the cent, so that the
 * parcels of an order, each charged for the difference, sum to it exactly.
 */
export function amountsDue(ordered: Ordered, lines: readonly SentLine[]): Amounts {
  const subtotalCents = lines.reduce((sum, line) => sum + line.priceCents * line.unitsSent, 0);
  const isSent = lines.some(({ unitsSent }) => unitsSent > 0);
  const shippingCents = isSent ? ordered.shippingCents : 0;
  const taxCents = lines.reduce(
    (sum, line) => sum + share(line.taxCents, line.unitsSent, line.quantity),
    isSent ? ordered.shippingTaxCents : 0,
  );
  return { subtotalCents, shippingCents, taxCents, totalCents: subtotalCents + shippingCents + taxCents };
}

type Recipient = Record<
  `shipping${"FirstName" | "LastName" | "AddressLine1" | "City" | "State" | "PostalCode"}`,
  string
> & { shippingAddressLine2: string | null };

export const addressLines = (order: Recipient): string[] => [
  `${order.shippingFirstName} ${order.shippingLastName}`,
  order.shippingAddressLine1,
  ...(order.shippingAddressLine2 ? [order.shippingAddressLine2] : []),
  `${order.shippingCity}, ${order.shippingState} ${order.shippingPostalCode}`,
];

const HIDDEN = "•••";

/** "a•••@example.com" */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return at < 1 ? HIDDEN : `${Array.from(email)[0]}${HIDDEN}${email.slice(at)}`;
}

type Address = Pick<Recipient, `shipping${"FirstName" | "LastName" | "State" | "PostalCode"}`>;

/**
 * "A••• L•••" and "NY 100••". The link is sent to whatever email was typed, and only the state and the first digits of
 * the ZIP code cannot carry a message.
 */
export function maskAddress(address: Address): string[] {
  const initial = (name: string) => (name ? `${Array.from(name)[0]}${HIDDEN}` : "");
  const name = [initial(address.shippingFirstName), initial(address.shippingLastName)].filter(Boolean).join(" ");
  const zip = /^\d{3}/.exec(address.shippingPostalCode)?.[0];
  return [name, [address.shippingState, zip && `${zip}••`].filter(Boolean).join(" ")].filter(Boolean);
}
