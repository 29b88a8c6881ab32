/** The email about a changed delivery address. */
import { formatMoney } from "#shop/money.ts";
import { maskAddress } from "#shop/orders/order.ts";
import { destinationOf } from "#shop/orders/order-emails.server.ts";
import { type OfOrder, sample, template } from "./email-template.server.ts";

/** `former` is the masked address before, `totalCents` the new total if the tax has changed. */
type AddressChange = OfOrder & { former: string; totalCents: number | null };

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "order-address-changed": AddressChange;
  }
}

const former = "A••• L•••, NY 112••";

export const addressEmails = {
  "order-address-changed": template<AddressChange>(
    (mail, number) => ({
      subject: `The address of your Polara order ${number} has changed`,
      heading: "Your address has changed",
      intro: `the shipping address of your order ${number} has changed, from ${mail.former} to ${maskAddress(mail).join(", ")}.`,
      words: [
        ...(mail.totalCents === null
          ? []
          : [`With the sales tax there, your total is now ${formatMoney(mail.totalCents)}.`]),
        "Didn’t ask for this? Reply to this email before the order ships.",
      ],
      destination: destinationOf(mail),
      ...(mail.totalCents !== null && { amounts: mail.charged }),
    }),
    {
      "to a customer": { ...sample, former, totalCents: null },
      "to a guest": { ...sample, isOwnEmail: false, former, totalCents: null },
      "with another tax": {
        ...sample,
        shippingState: "TX",
        shippingPostalCode: "78701",
        former,
        totalCents: 107_17,
        charged: { subtotalCents: 99_00, shippingCents: 0, taxCents: 8_17, totalCents: 107_17 },
      },
    },
  ),
};
