/**
 * How much may be ordered before anything is paid, so that nobody empties the shop for nothing or has it write to
 * strangers. Guests count by network and email; a customer with a verified email by account, so that a launch day
 * behind one address (a mobile carrier, an office) has a way on.
 */
import { inboxOf } from "../mail/mail-limits.ts";
import type { RateLimit } from "../rate-limits/rate-limits.server.ts";
import { paymentPolicy } from "../policies.ts";
import type { SeenLine } from "./seen-lines.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;

export const MAX_UNITS_A_DAY = 20;

export type Orderer = {
  network: string;
  /** As typed in the checkout; the confirmation goes there. */
  email: string;
  /** Null for a guest. */
  customer: { id: string; email: string } | null;
  lines: Pick<SeenLine, "productId" | "quantity">[];
  /** The order has to be paid, and holds its units until then. */
  isHeld?: boolean;
};

/**
 * A limit, and what it counts by: the network, its orders that wait to be paid, the inbox that is written to, the account,
 * or units of a product.
 */
export type OrderLimit = RateLimit & { by: "network" | "holds" | "inbox" | "account" | "units"; productId?: string };

/** The limits that one order counts against, the widest kind of subject first. */
export function orderLimits({ network, email, customer, lines, isHeld }: Orderer): OrderLimit[] {
  const inbox = inboxOf(email);
  const perInbox: OrderLimit[] = [
    { by: "inbox", name: "order to inbox", subject: inbox, points: 5, seconds: HOUR },
    { by: "inbox", name: "order to inbox a day", subject: inbox, points: 20, seconds: DAY },
  ];
  const isOwnInbox = customer !== null && inboxOf(customer.email) === inbox;
  const held: OrderLimit = {
    by: "holds",
    name: "unpaid order by network",
    subject: network,
    points: paymentPolicy.heldOrders,
    seconds: paymentPolicy.holdMinutes * 60,
  };
  return [
    ...(isHeld ? [held] : []),
    ...(customer
      ? [
          { by: "network" as const, name: "customer order by network", subject: network, points: 60, seconds: HOUR },
          { by: "account" as const, name: "customer order", subject: customer.id, points: 10, seconds: HOUR },
        ]
      : [
          { by: "network" as const, name: "guest order by network", subject: network, points: 5, seconds: HOUR },
          { by: "network" as const, name: "guest order by network a day", subject: network, points: 20, seconds: DAY },
        ]),
    // Confirmations to the customer's own inbox are not counted: they are theirs to cause.
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
