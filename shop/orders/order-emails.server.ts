/** The emails about an order. */
import { emailTemplate } from "../mail/email.ts";
import { claimToken } from "./claim.server.ts";
import { orderConfirmation, type OrderConfirmation } from "./emails/order-confirmation.tsx";
import { getOrderForMail } from "./orders.server.ts";

declare module "../mail/email.ts" {
  interface EmailJobs {
    "order-confirmation": { orderId: string };
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

export const orderEmails = {
  "order-confirmation": emailTemplate({
    async load(db, { orderId }: { orderId: string }, { baseUrl, secret }) {
      const found = await getOrderForMail(db, orderId);
      // Without an address: its customer has deleted the account meanwhile.
      if (!found?.email) return null;
      const claimUrl = found.userId ? null : `${baseUrl}/orders/claim?token=${claimToken(found, secret)}`;
      return { order: found, claimUrl };
    },
    render: orderConfirmation,
    samples: {
      "of a guest": { order, claimUrl: "http://localhost:3000/orders/claim?token=sample" },
      "of a customer": { order: { ...order, isOwnEmail: true }, claimUrl: null },
    },
  }),
};
