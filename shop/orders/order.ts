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
export const hasNamedDay = ({ createdAt, promisedOn }: { createdAt: Date; promisedOn: string }): boolean =>
  promisedOn !== daysAfter(newYorkDay(createdAt), shippingPolicy.shipWithinDays);

export function statusLabel(status: string): string {
  return status.charAt(0).toUpperCase() + status.slice(1);
}

/** Amounts of an order: as ordered, of which only the tax of another state changes, and as charged, without canceled units. */
export type Amounts = { subtotalCents: number; shippingCents: number; taxCents: number; totalCents: number };
type Ordered = Amounts & { shippingTaxCents: number };
type ChargedLine = { priceCents: number; quantity: number; canceledQuantity: number; taxCents: number };

export const unitsKept = ({ quantity, canceledQuantity }: Pick<ChargedLine, "quantity" | "canceledQuantity">): number =>
  quantity - canceledQuantity;

/** Tax of the units kept, in cents: their share of the line's tax. */
export function taxKept(line: Omit<ChargedLine, "priceCents">): number {
  const [kept = 0] = shareOut(line.taxCents, [unitsKept(line), line.canceledQuantity]);
  return kept;
}

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

/**
 * Returns what was charged for some units of each line, and for shipping if `withShipping`, with their tax, in cents. All
 * kept units with shipping are amountsCharged to the cent; the tax of fewer is rounded down, so that several refunds never
 * add up to more.
 */
export function amountOfUnits(
  ordered: Pick<Ordered, "shippingCents" | "shippingTaxCents">,
  lines: readonly (ChargedLine & { units: number })[],
  withShipping: boolean,
): number {
  const items = lines.reduce((sum, line) => {
    const taxCents = line.units > 0 ? Math.floor((taxKept(line) * line.units) / unitsKept(line)) : 0;
    return sum + line.priceCents * line.units + taxCents;
  }, 0);
  return withShipping ? items + ordered.shippingCents + ordered.shippingTaxCents : items;
}

type SentLine = ChargedLine & { unitsSent: number };

function taxSent({ taxCents, quantity, unitsSent }: SentLine): number {
  const [sent = 0] = shareOut(taxCents, [unitsSent, quantity - unitsSent]);
  return sent;
}

/**
 * Returns the amounts due, in cents, once `unitsSent` of each line have shipped: their price and their share of its tax,
 * and shipping with its tax from the first parcel on. Once everything has shipped, they are amountsCharged to the cent, so that the
 * parcels of an order, each charged for the difference, sum to it exactly.
 */
export function amountsDue(ordered: Ordered, lines: readonly SentLine[]): Amounts {
  const subtotalCents = lines.reduce((sum, line) => sum + line.priceCents * line.unitsSent, 0);
  const isSent = lines.some(({ unitsSent }) => unitsSent > 0);
  const shippingCents = isSent ? ordered.shippingCents : 0;
  const taxCents = lines.reduce((sum, line) => sum + taxSent(line), isSent ? ordered.shippingTaxCents : 0);
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
