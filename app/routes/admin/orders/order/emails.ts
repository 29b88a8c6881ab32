/** The emails that an order has had, and that can be sent once more. */
import type { DeskOrder } from "../../../../../shop/fulfillment/desk.server.ts";
import { CARRIERS } from "../../../../../shop/fulfillment/shipment.ts";
import type { EmailJob } from "../../../../../shop/mail/email.ts";

export type Resendable = { value: string; name: string; job: EmailJob };

export function emailsOf({ order, shipments }: DeskOrder): Resendable[] {
  const { id: orderId, status } = order;
  const emails: Resendable[] = [];
  if (status === "unpaid" || status === "lapsed") return emails;
  emails.push({ value: "confirmation", name: "Order received", job: { template: "order-confirmation", orderId } });
  for (const [i, { id, carrier, shippedAt }] of shipments.entries()) {
    if (!shippedAt) continue;
    const template = i === 0 ? ("order-shipped" as const) : ("parcel-shipped" as const);
    const name = `Tracking of parcel ${i + 1}, ${CARRIERS[carrier].name}`;
    emails.push({ value: id, name, job: { template, orderId, shipmentId: id } });
  }
  if (order.deliveredAt)
    emails.push({ value: "delivered", name: "Delivered", job: { template: "order-delivered", orderId } });
  if (status === "canceled")
    emails.push({ value: "canceled", name: "Canceled", job: { template: "order-canceled", orderId } });
  if (status === "declined")
    emails.push({ value: "declined", name: "Declined", job: { template: "order-declined", orderId } });
  return emails.toReversed();
}
