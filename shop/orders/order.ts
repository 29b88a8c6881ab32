/** What an order is called and where it stands. */
export const ORDER_STATUSES = ["processing", "shipped", "delivered", "cancelled"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The number people read: the first 8 characters of the order's id (SPEC 9). */
export function orderNumber(orderId: string): string {
  return orderId.slice(0, 8);
}

/** A status as customers read it. */
export function statusLabel(status: string): string {
  if (status === "cancelled") return "Canceled";
  return status.charAt(0).toUpperCase() + status.slice(1);
}
