/** Order numbers, paths, amounts, addresses, and what strangers may see of them. */
import { shareOut } from "#shop/money.ts";
import { statusOf, type PaymentStatus, type Stage } from "./lifecycle.ts";

/** Returns the number that customers read: the first 8 characters of the order's id. */
export function orderNumber(orderId: string): string {
  return orderId.slice(0, 8);
}

/** The terms that govern an order, with the numbers of its time. */
export const termsPath = ({ termsVersion, createdAt }: { termsVersion: string; createdAt: Date }): string =>
  `/terms/${termsVersion}?at=${createdAt.toISOString()}`;

export const orderPath = (orderId: string): string => `/orders/${orderId}`;

/** True if units are left to ship. */
export const isUnsent = ({ stage }: { stage: Stage }): boolean => stage === "to-ship" || stage === "partly-shipped";

export type Payable = { stage: Stage; paymentStatus: PaymentStatus; totalCents: number };

/** True if an order that has been placed ships only once it is paid, or a refused payment is paid again. */
export const awaitsPayment = ({ stage, paymentStatus, totalCents }: Payable): boolean =>
  totalCents > 0 &&
  ((stage === "to-ship" && (paymentStatus === "none" || paymentStatus === "unpaid")) ||
    (stage !== "unpaid" && paymentStatus === "failed"));

/** Status for customers. */
export function statusLabel(stage: Stage): string {
  if (stage === "partly-shipped") return "Partially shipped";
  const status = statusOf(stage);
  return status.charAt(0).toUpperCase() + status.slice(1);
}

/** Amounts of an order: as ordered, of which only the tax of another state changes, and as charged, without canceled units. */
export type Amounts = { subtotalCents: number; shippingCents: number; taxCents: number; totalCents: number };
type Ordered = Amounts & { shippingTaxCents: number };
type ChargedLine = { priceCents: number; quantity: number; canceledQuantity: number; taxCents: number };
/** A line sent for a return is charged with that, if at all. */
type OrderedLine = ChargedLine & { returnId: string | null };

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
export function amountsCharged(ordered: Ordered, all: readonly OrderedLine[]): Amounts {
  const lines = all.filter(({ returnId }) => returnId === null);
  const subtotalCents = lines.reduce((sum, line) => sum + line.priceCents * unitsKept(line), 0);
  const isEmpty = lines.every((line) => unitsKept(line) === 0);
  const shippingCents = isEmpty ? 0 : ordered.shippingCents;
  const taxCents = lines.reduce((sum, line) => sum + taxKept(line), isEmpty ? 0 : ordered.shippingTaxCents);
  return { subtotalCents, shippingCents, taxCents, totalCents: subtotalCents + shippingCents + taxCents };
}

export const NO_SHIPPING = { shippingCents: 0, shippingTaxCents: 0 };

/** Parts of a delivery address, in words. */
const ADDRESS_WORDS = {
  shippingFirstName: "first name",
  shippingLastName: "last name",
  shippingAddressLine1: "street",
  shippingAddressLine2: "apartment",
  shippingCity: "city",
  shippingState: "state",
  shippingPostalCode: "ZIP code",
} as const;
type AddressPart = keyof typeof ADDRESS_WORDS;
export type Address = Record<Exclude<AddressPart, "shippingAddressLine2">, string> & {
  shippingAddressLine2: string | null;
};

export const ADDRESS_PARTS = Object.keys(ADDRESS_WORDS) as AddressPart[];

/** The address of an order without its other fields. */
export const addressOf = (order: Address): Address =>
  Object.fromEntries(ADDRESS_PARTS.map((part) => [part, order[part]])) as Address;

/** Names of the parts in which two addresses differ. */
export const changedParts = (was: Address, now: Address): string[] =>
  ADDRESS_PARTS.filter((part) => (was[part] ?? "") !== (now[part] ?? "")).map((part) => ADDRESS_WORDS[part]);

export const addressLines = (order: Address): string[] => [
  `${order.shippingFirstName} ${order.shippingLastName}`,
  order.shippingAddressLine1,
  ...(order.shippingAddressLine2 ? [order.shippingAddressLine2] : []),
  `${order.shippingCity}, ${order.shippingState} ${order.shippingPostalCode}`,
];

/** Address as one text, for comparison. */
export const addressLine = (address: Address): string => addressLines(address).join("\n");

const HIDDEN = "•••";

/** "a•••@example.com" */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return at < 1 ? HIDDEN : `${Array.from(email)[0]}${HIDDEN}${email.slice(at)}`;
}

/**
 * "A••• L•••" and "NY 100••". The link is sent to whatever email was typed, and only the state and the first digits of
 * the ZIP code cannot carry a message.
 */
export function maskAddress(
  address: Pick<Address, `shipping${"FirstName" | "LastName" | "State" | "PostalCode"}`>,
): string[] {
  const initial = (name: string) => (name ? `${Array.from(name)[0]}${HIDDEN}` : "");
  const name = [initial(address.shippingFirstName), initial(address.shippingLastName)].filter(Boolean).join(" ");
  const zip = /^\d{3}/.exec(address.shippingPostalCode)?.[0];
  return [name, [address.shippingState, zip && `${zip}••`].filter(Boolean).join(" ")].filter(Boolean);
}
