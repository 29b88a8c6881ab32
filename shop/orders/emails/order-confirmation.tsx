/** The email that says an order has arrived. */
import { Heading } from "react-email";
import { SHIPPING_METHODS } from "../../shipping/methods.ts";
import {
  EmailButton,
  EmailHeading,
  emailHtml,
  EmailLayout,
  EmailLines,
  EmailLink,
  EmailText,
} from "../../mail/email-layout.tsx";
import type { Email, EmailShop } from "../../mail/email.ts";
import { formatMoney } from "../../money.ts";
import { orderNumber } from "../order.ts";
import type { OrderForMail } from "../orders.server.ts";
import { itemsText, OrderLines, type Sum } from "./order-email.tsx";

export type OrderConfirmation = {
  order: Pick<
    OrderForMail,
    | "id"
    | "email"
    | "phone"
    | "isOwnEmail"
    | "items"
    | "subtotalCents"
    | "shippingCents"
    | "taxCents"
    | "totalCents"
    | "shippingMethod"
    | `shipping${"FirstName" | "LastName" | "AddressLine1" | "AddressLine2" | "City" | "State" | "PostalCode" | "Country"}`
  >;
  /** Where the order is shown. */
  url: string;
  /** Where a guest adds the order to their account. */
  claimUrl: string | null;
  /** Its total is reserved by whoever takes the payment. */
  isAuthorized: boolean;
};

const SEE = "See your order";
const CANCEL = "You can cancel free of charge before it ships:";
const CLAIM = "Add this order to your account";
const NOT_YOU = "You did not order this? Then somebody typed your address. Reply to this mail, and we will cancel it.";

const free = (cents: number) => (cents === 0 ? "FREE" : formatMoney(cents));

/**
 * Every amount is the one frozen with the order. Anybody can order with anybody's email, so names and address as they
 * were typed are only in it where the email is the verified one of the account that ordered.
 */
export function orderConfirmation({ order, url, claimUrl, isAuthorized }: OrderConfirmation, shop: EmailShop): Email {
  const number = orderNumber(order.id);
  const subject = `Your Polara order ${number}`;
  const greeting = order.isOwnEmail ? `Hi ${order.shippingFirstName}, we` : "We";
  const payment = isAuthorized
    ? `${formatMoney(order.totalCents)} is reserved, and charged when your order ships. This is not yet our acceptance of it: we accept an order by shipping it.`
    : "Payment will be available later; nothing was charged today.";
  const intro = `${greeting} have your order ${number}. We will write again when it ships. ${payment}`;
  const { heading, address } = destination(order);
  const sums: Sum[] = [
    ["Subtotal", formatMoney(order.subtotalCents)],
    ["Shipping", free(order.shippingCents)],
    ["Tax", formatMoney(order.taxCents)],
    ["Total", formatMoney(order.totalCents)],
  ];
  const text = [
    intro,
    "",
    ...itemsText(order.items),
    "",
    ...sums.map(([label, amount]) => `${label}: ${amount}`),
    "",
    heading,
    ...address,
    "",
    `${SEE}: ${url}`,
    "",
    `${CANCEL} ${shop.baseUrl}/support`,
    ...(claimUrl ? ["", `${CLAIM}: ${claimUrl}`, "", NOT_YOU] : []),
  ].join("\n");
  const html = emailHtml(
    <EmailLayout subject={subject} preview={intro} shop={shop}>
      <EmailHeading>Thank you for your order</EmailHeading>
      <EmailText look="soft">{intro}</EmailText>
      <OrderLines items={order.items} sums={sums} />
      <Heading as="h2" style={{ margin: "32px 0 0", fontSize: "16px" }}>
        {heading}
      </Heading>
      {address.length > 0 && (
        <EmailText look="soft" above={8}>
          <EmailLines lines={address} />
        </EmailText>
      )}
      <EmailButton href={url}>{SEE}</EmailButton>
      <EmailText look="soft" above={24}>
        {CANCEL} <EmailLink href={`${shop.baseUrl}/support`}>Ask about this order</EmailLink>
      </EmailText>
      {claimUrl && (
        <>
          <EmailText above={24}>
            <EmailLink href={claimUrl}>{CLAIM}</EmailLink>
          </EmailText>
          <EmailText look="small" above={24}>
            {NOT_YOU}
          </EmailText>
        </>
      )}
    </EmailLayout>,
  );
  return { to: order.email, subject, text, html };
}

/** How and where it is shipped. ZIP code and state can hold no message of a stranger; a city is free text. */
function destination(order: OrderConfirmation["order"]): { heading: string; address: string[] } {
  const { name, window } = SHIPPING_METHODS[order.shippingMethod];
  const method = `${name}, ${window}`;
  const place = /^[\d-]+$/.test(order.shippingPostalCode)
    ? `${order.shippingState} ${order.shippingPostalCode}`
    : order.shippingState;
  if (!order.isOwnEmail) return { heading: `${method}, to the address you gave, in ${place}.`, address: [] };
  return {
    heading: `${method}, to:`,
    address: [
      `${order.shippingFirstName} ${order.shippingLastName}`,
      order.shippingAddressLine1,
      ...(order.shippingAddressLine2 ? [order.shippingAddressLine2] : []),
      `${order.shippingCity}, ${order.shippingState} ${order.shippingPostalCode}`,
    ],
  };
}
