/** Order numbers, paths, amounts, addresses, and what strangers may see of them. */
import type { Amounts } from "#shop/cart/totals.ts";
import type { PaymentStatus, Stage } from "./lifecycle.ts";

/** Returns the number that customers read: the first 8 characters of the order's id. */
export function orderNumber(orderId: string): string {
  return orderId.slice(0, 8);
}

/** The terms that govern an order, with the numbers of its time. */
export const termsPath = ({ termsVersion, createdAt }: { termsVersion: string; createdAt: Date }): string =>
  `/terms/${termsVersion}?at=${createdAt.toISOString()}`;

export const orderPath = (orderId: string): string => `/orders/${orderId}`;

type Staged = { stage: Stage };

/** True if an order waits for its first payment. */
export const isUnpaid = ({ stage }: Staged): boolean => stage === "unpaid";

const DAY_MS = 24 * 3_600_000;

/** True if staff placed an order that is paid by a link: it is held for days, and came from no cart. */
export const isByLink = ({ placedAt, holdUntil }: { placedAt: Date; holdUntil: Date | null }): boolean =>
  holdUntil !== null && holdUntil.getTime() - placedAt.getTime() > DAY_MS;

/** True if an order is placed, and nothing of it has shipped. */
export const isToShip = ({ stage }: Staged): boolean => stage === "to-ship";

/** True if a part has shipped, and the rest is left. */
export const isPartlyShipped = ({ stage }: Staged): boolean => stage === "partly-shipped";

/** True if units are left to ship. */
export const isUnsent = (order: Staged): boolean => isToShip(order) || isPartlyShipped(order);

/** True if an order has come to nothing. */
export const isEnded = ({ stage }: Staged): boolean =>
  stage === "canceled" || stage === "declined" || stage === "expired";

export type Payable = { stage: Stage; paymentStatus: PaymentStatus; totalCents: number };

/** True if an order that has been placed, or the rest of it, ships only once it is paid, or a refused payment is paid again. */
export const awaitsPayment = ({ stage, paymentStatus, totalCents }: Payable): boolean =>
  totalCents > 0 &&
  ((isUnsent({ stage }) && (paymentStatus === "none" || paymentStatus === "unpaid")) ||
    (stage !== "unpaid" && paymentStatus === "failed"));

type Ordered = Amounts & { shippingTaxCents: number };
/** Tax and discount are those of the units kept, each of which has its own. */
type ChargedLine = {
  priceCents: number;
  quantity: number;
  canceledQuantity: number;
  taxKeptCents: number;
  discountKeptCents: number;
};
/** A line sent for a return is charged with that, if at all. */
type OrderedLine = ChargedLine & { returnId: string | null };

export const unitsKept = ({ quantity, canceledQuantity }: Pick<ChargedLine, "quantity" | "canceledQuantity">): number =>
  quantity - canceledQuantity;

/**
 * Returns the amounts to charge, in cents: never more than was ordered. Shipping and its tax stay as promised while
 * anything that costs something is kept, even if our cancellation drops the order below free shipping.
 */
export function amountsCharged(ordered: Ordered, all: readonly OrderedLine[]): Amounts {
  const lines = all.filter(({ returnId }) => returnId === null);
  const subtotalCents = lines.reduce((sum, line) => sum + line.priceCents * unitsKept(line), 0);
  const discountCents = lines.reduce((sum, line) => sum + line.discountKeptCents, 0);
  const goodsTaxCents = lines.reduce((sum, line) => sum + line.taxKeptCents, 0);
  const isFree = subtotalCents - discountCents + goodsTaxCents === 0;
  const shippingCents = isFree ? 0 : ordered.shippingCents;
  const taxCents = goodsTaxCents + (isFree ? 0 : ordered.shippingTaxCents);
  const totalCents = subtotalCents - discountCents + shippingCents + taxCents;
  return { subtotalCents, discountCents, discountName: ordered.discountName, shippingCents, taxCents, totalCents };
}

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
