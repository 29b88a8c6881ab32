/** The emails about an order. */
import { emailTemplate } from "../mail/email.ts";
import { claimToken } from "./claim.server.ts";
import { orderConfirmation, type OrderConfirmation } from "./emails/order-confirmation.tsx";
import { orderLink } from "./emails/order-link.tsx";
import { findOrder } from "./find-order.server.ts";
import { orderUrl } from "./order-link.server.ts";
import { getOrderForMail } from "./orders.server.ts";

declare module "../mail/email.ts" {
  interface EmailJobs {
    "order-confirmation": { orderId: string };
    /** Nothing is written where there is no such order. */
    "order-link": { number: string; email: string };
  }
}

const order: OrderConfirmation["order"] = {
  id: "8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f750",
  email: "ada@example.com",
  isOwnEmail: false,
  phone: "2125550100",
  subtotalCents: 147_00,
  shippingCents: 0,
  taxCents: 0,
  totalCents: 147_00,
  shippingFirstName: "Ada",
  shippingLastName: "Lovelace",
  shippingAddressLine1: "12 Analytical Ave",
  shippingAddressLine2: null,
  shippingCity: "New York",
  shippingState: "NY",
  shippingPostalCode: "10001",
  shippingCountry: "US",
  shippingMethod: "standard",
  items: [
    { name: "Polara Pro Earth Green", priceCents: 99_00, quantity: 1 },
    { name: "Ethylene Filter 2-Pack", priceCents: 24_00, quantity: 2 },
  ],
};

const url = `http://localhost:3000/orders/${order.id}?k=sample`;
const claimUrl = "http://localhost:3000/orders/claim?token=sample";

export const orderEmails = {
  "order-confirmation": emailTemplate({
    async load(db, { orderId }: { orderId: string }, { baseUrl, secret }) {
      const found = await getOrderForMail(db, orderId);
      // Without an address: its customer has deleted the account meanwhile.
      if (!found?.email) return null;
      const claimUrl = found.userId ? null : `${baseUrl}/orders/claim?token=${claimToken(found, secret)}`;
      return { order: found, url: orderUrl(found, { baseUrl, secret }), claimUrl, isAuthorized: found.wasAuthorized };
    },
    render: orderConfirmation,
    samples: {
      "of a guest": { order, url, claimUrl, isAuthorized: false },
      "of a customer": { order: { ...order, isOwnEmail: true }, url, claimUrl: null, isAuthorized: false },
      "of a pre-order": {
        order: { ...order, items: order.items.map((item) => ({ ...item, shipsFrom: "2099-01-12" })) },
        url,
        claimUrl,
        isAuthorized: false,
      },
      "of a guest, with payment": { order, url, claimUrl, isAuthorized: true },
    },
  }),
  "order-link": emailTemplate({
    load: findOrder,
    render: orderLink,
    samples: { "of an order": { id: order.id, email: order.email, linkVersion: 1 } },
  }),
};
