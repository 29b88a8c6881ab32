/** What the samples of the emails are about. */
import type { Changed, Delayed } from "./emails/changes.ts";
import type { Delivered, Sent } from "./emails/parcels.ts";
import type { Money, Told } from "./emails/told.ts";

const id = "8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f750";
const url = `http://localhost:3000/orders/${id}?k=sample`;

export const sample: Told = {
  order: { id, email: "ada@example.com", isOwnEmail: false, shippingFirstName: "Ada" },
  url,
};
export const unpaid: Money = { isPaid: false, capturedCents: 0, leftCents: 0, method: null };
export const reserved: Money = {
  ...unpaid,
  isPaid: true,
  method: { brand: "Visa", lastFour: "4242", wallet: null },
};
export const charged: Money = { ...reserved, capturedCents: 147_00, leftCents: 147_00 };
export const sent: Sent = {
  ...sample,
  shippingMethod: "standard",
  carrier: "ups",
  trackingNumber: "1Z999AA10123456784",
  items: [
    { name: "Polara Pro Earth Green", priceCents: 99_00, quantity: 1 },
    { name: "Ethylene Filter 2-Pack", priceCents: 24_00, quantity: 2 },
  ],
  hasMoreToCome: false,
  money: charged,
};
export const delivered: Delivered = { ...sample, deliveredAt: new Date("2026-03-02T17:00:00Z") };
export const changed: Changed = {
  ...sample,
  name: "Ethylene Filter 2-Pack",
  units: 2,
  reason: "sold-out",
  now: { subtotalCents: 99_00, shippingCents: 0, taxCents: 0, totalCents: 99_00 },
  money: reserved,
};
export const delayed: Delayed = {
  ...sample,
  until: "2026-04-01",
  keepUrl: `${url}&act=keep`,
  cancelUrl: `${url}&act=cancel`,
};
