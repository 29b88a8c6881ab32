/** Order limits protect stock and strangers' inboxes. One address can serve a launch day: who pays counts for nobody. */
import { inboxOf } from "#shop/mail/enqueue-email.server.ts";
import { byNetwork, networksAround, type RateLimit } from "#shop/rate-limits/rate-limits.server.ts";
import { paymentPolicy } from "#shop/policies.ts";
import type { ExpectedLine } from "./expected-lines.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;

export const MAX_UNITS_A_DAY = 20;

type Orderer = {
  network: string;
  email: string;
  customer: { id: string; email: string } | null;
  lines: Pick<ExpectedLine, "productId" | "quantity">[];
  /** Units of each product for sale, for an order that must be paid; null for one that costs nothing. */
  unitsLeft: Map<string, number> | null;
  /** Orders of a network that wait for payment at a time. */
  maxUnpaidOrders: number;
};

/**
 * `unpaid` and `unpaid-units` limit what a network reserves without paying, `inbox` the confirmations to one recipient.
 */
export type OrderLimit = RateLimit & {
  by: "network" | "unpaid" | "unpaid-units" | "inbox" | "account" | "units";
  productId?: string;
};

/** Units that a network may reserve of a scarce product: one buyer may pay for the last two. */
const MIN_UNPAID_UNITS = 2;

/**
 * Returns the limits of an order that must be paid; paying refunds them. A network reserves at most half of the units
 * left, and what it lets expire counts for a day, so that nobody holds the stock without paying. Wider networks share
 * that half. Lines that are short are refused by the order itself.
 */
function unpaidLimits({ network, lines, maxUnpaidOrders }: Orderer, unitsLeft: Map<string, number>): OrderLimit[] {
  const orders = byNetwork({
    by: "unpaid" as const,
    name: "unpaid order by network",
    subject: network,
    points: maxUnpaidOrders,
    seconds: paymentPolicy.reservationMinutes * 60,
  });
  const units = lines.flatMap(({ productId, quantity }) => {
    const left = unitsLeft.get(productId) ?? 0;
    if (quantity > left) return [];
    return networksAround(network).map(({ subject }) => ({
      by: "unpaid-units" as const,
      name: "unpaid units by network",
      subject: `${subject}|${productId}`,
      points: Math.max(MIN_UNPAID_UNITS, Math.floor(left / 2)),
      seconds: DAY,
      cost: quantity,
      productId,
    }));
  });
  return [...orders, ...units];
}

/** Returns the limits of an order by network that costs nothing. */
function freeLimits({ network, customer }: Orderer): OrderLimit[] {
  const limit = (name: string, points: number, seconds: number) =>
    byNetwork({ by: "network" as const, name, subject: network, points, seconds });
  if (customer) return limit("customer order by network", 60, HOUR);
  return [...limit("guest order by network", 5, HOUR), ...limit("guest order by network a day", 20, DAY)];
}

/** True for a limit that paying refunds. */
export const isUnpaidLimit = ({ by }: OrderLimit): boolean => by === "unpaid" || by === "unpaid-units";

/** Points that paying refunds: a paid order also makes up for one that somebody behind the same address let expire. */
export const pointsBack = ({ cost = 1 }: OrderLimit): number => 2 * cost;

/** Returns the limits that one order consumes, the widest subject first. */
export function orderLimits(orderer: Orderer): OrderLimit[] {
  const { email, customer, lines, unitsLeft } = orderer;
  const inbox = inboxOf(email);
  const perInbox: OrderLimit[] = [
    { by: "inbox", name: "order to inbox", subject: inbox, points: 5, seconds: HOUR },
    { by: "inbox", name: "order to inbox a day", subject: inbox, points: 20, seconds: DAY },
  ];
  const isOwnInbox = customer !== null && inboxOf(customer.email) === inbox;
  const perAccount = (id: string): OrderLimit => ({
    by: "account",
    name: "customer order",
    subject: id,
    points: 10,
    seconds: HOUR,
  });
  return [
    ...(unitsLeft ? unpaidLimits(orderer, unitsLeft) : freeLimits(orderer)),
    ...(customer ? [perAccount(customer.id)] : []),
    // Customers may fill their own inbox with confirmations.
    ...(isOwnInbox ? [] : perInbox),
    ...lines
      .toSorted((a, b) => (a.productId < b.productId ? -1 : 1))
      .map(({ productId, quantity }) => ({
        by: "units" as const,
        name: "units of a product",
        subject: `${customer?.id ?? inbox}|${productId}`,
        points: MAX_UNITS_A_DAY,
        seconds: DAY,
        cost: quantity,
        productId,
      })),
  ];
}
