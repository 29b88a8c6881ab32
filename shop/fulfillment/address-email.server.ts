/** The email about a changed delivery address. */
import { formatMoney } from "#shop/money.ts";
import { maskAddress } from "#shop/orders/order.ts";
import { destinationOf } from "#shop/orders/order-emails.server.ts";
import { type OfOrder, sample, template } from "./email-template.server.ts";

/**
 * `changed` names parts of the address, `totalCents` is the new total if the tax has changed; the buyer `paysAgain` if the
 * payment was for less.
 */
type AddressChange = OfOrder & { changed: string[]; totalCents: number | null; paysAgain: boolean };

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "order-address-changed": AddressChange;
  }
}

const changed = ["street", "ZIP code"];
const taxed = {
  ...sample,
  shippingState: "TX",
  shippingPostalCode: "78701",
  changed: ["state", "ZIP code"],
  totalCents: 107_17,
  charged: {
    subtotalCents: 99_00,
    discountCents: 0,
    discountName: null,
    shippingCents: 0,
    taxCents: 8_17,
    totalCents: 107_17,
  },
};

/** "F••• S•••, number 5••, CA 946••": what tells the address, but cannot carry a message of whoever typed it. */
function masked(order: Parameters<typeof maskAddress>[0] & { shippingAddressLine1: string }): string {
  const [name, place] = maskAddress(order);
  const [digit] = /^\d/.exec(order.shippingAddressLine1) ?? [];
  return [name, digit && `number ${digit}••`, place].filter(Boolean).join(", ");
}

export const addressEmails = {
  "order-address-changed": template<AddressChange>(
    (mail, number) => ({
      subject: `The address of your Polara order ${number} has changed`,
      heading: "Your address has changed",
      intro: `the ${new Intl.ListFormat("en-US").format(mail.changed)} in the shipping address of your order ${number} changed. It now ships to ${masked(mail)}.`,
      words: [
        ...(mail.totalCents === null
          ? []
          : [`With the sales tax there, your total is now ${formatMoney(mail.totalCents)}.`]),
        ...(mail.paysAgain
          ? ["Your payment was for less, so we released it. Please pay again, and we’ll ship your order."]
          : []),
        "Didn’t ask for this? Reply to this email before the order ships.",
      ],
      ...(mail.paysAgain && { links: [{ label: "Pay now", href: mail.url }] }),
      destination: destinationOf(mail),
      ...(mail.totalCents !== null && { amounts: mail.charged }),
    }),
    {
      "to a customer": { ...sample, changed, totalCents: null, paysAgain: false },
      "to a guest": { ...sample, isOwnEmail: false, changed, totalCents: null, paysAgain: false },
      "with another tax": { ...taxed, paysAgain: false },
      "with another payment": { ...taxed, paysAgain: true },
    },
  ),
};
