/** What an order is called, and its status, as customers read them. */

/** The number people read: the first 8 characters of the order's id. */
export function orderNumber(orderId: string): string {
  return orderId.slice(0, 8);
}

/** Where an order is shown. */
export const orderPath = (orderId: string): string => `/orders/${orderId}`;

/** A status as customers read it. */
export function statusLabel(status: string): string {
  return status.charAt(0).toUpperCase() + status.slice(1);
}
