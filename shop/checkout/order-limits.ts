/** Order limits protect stock and strangers' inboxes; customers get more, so one address can serve a launch day. */
import { inboxOf } from "#shop/mail/enqueue-email.server.ts";
import type { RateLimit } from "#shop/rate-limits/rate-limits.server.ts";
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
  mustPay?: boolean;
};

/** `unpaid` limits the unpaid orders of a network, `inbox` the confirmations to one recipient. */
export type OrderLimit = RateLimit & { by: "network" | "unpaid" | "inbox" | "account" | "units"; productId?: string };

/** Returns the limits that one order consumes, the widest subject first. */
export function orderLimits({ network, email, customer, lines, mustPay }: Orderer): OrderLimit[] {
  const inbox = inboxOf(email);
  const perInbox: OrderLimit[] = [
    { by: "inbox", name: "order to inbox", subject: inbox, points: 5, seconds: HOUR },
    { by: "inbox", name: "order to inbox a day", subject: inbox, points: 20, seconds: DAY },
  ];
  const isOwnInbox = customer !== null && inboxOf(customer.email) === inbox;
  const unpaid: OrderLimit = {
    by: "unpaid",
    name: "unpaid order by network",
    subject: network,
    points: paymentPolicy.maxUnpaidOrders,
    seconds: paymentPolicy.reservationMinutes * 60,
  };
  return [
    ...(mustPay ? [unpaid] : []),
    ...(customer
      ? [
          { by: "network" as const, name: "customer order by network", subject: network, points: 60, seconds: HOUR },
          { by: "account" as const, name: "customer order", subject: customer.id, points: 10, seconds: HOUR },
        ]
      : [
          { by: "network" as const, name: "guest order by network", subject: network, points: 5, seconds: HOUR },
          { by: "network" as const, name: "guest order by network a day", subject: network, points: 20, seconds: DAY },
        ]),
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
