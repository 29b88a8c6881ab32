/** The email that says an order has arrived. */
import { Column, Heading, Row } from "react-email";
import { SHIPPING_METHODS } from "../../shipping/methods.ts";
import {
  EmailButton,
  EmailHeading,
  emailHtml,
  EmailLayout,
  EmailLines,
  EmailLink,
  EmailText,
  SOFT_INK,
} from "../../mail/email-layout.tsx";
import type { Email, EmailShop } from "../../mail/email.ts";
import { formatMoney } from "../../money.ts";
import { orderNumber } from "../order.ts";
import type { OrderForMail } from "../orders.server.ts";

export type OrderConfirmation = {
  order: Omit<OrderForMail, "userId" | "sessionId" | "checkoutKey" | "status" | "saveInformation" | "createdAt">;
  /** Where a guest adds the order to their account. */
  claimUrl: string | null;
};

const CLAIM = "Add this order to your account";
const NOT_YOU = "You did not order this? Then somebody typed your address. Reply to this mail, and we will cancel it.";
const CELL = { padding: "12px 0", borderBottom: "1px solid #e2e0da", verticalAlign: "top" } as const;

const free = (cents: number) => (cents === 0 ? "FREE" : formatMoney(cents));

/**
 * Every amount is the one frozen with the order. Anybody can order with anybody's email, so names and address as they
 * were typed are only in it where the email is the verified one of the account that ordered.
 */
export function orderConfirmation({ order, claimUrl }: OrderConfirmation, shop: EmailShop): Email {
  const number = orderNumber(order.id);
  const subject = `Your Polara order ${number}`;
  const greeting = order.isOwnEmail ? `Hi ${order.shippingFirstName}, we` : "We";
  const intro = `${greeting} have your order ${number}. We will write again when it ships. Payment will be available later; nothing was charged today.`;
  const { heading, address } = destination(order);
  const sums: [string, string][] = [
    ["Subtotal", formatMoney(order.subtotalCents)],
    ["Shipping", free(order.shippingCents)],
    ["Tax", formatMoney(order.taxCents)],
    ["Total", formatMoney(order.totalCents)],
  ];
  const text = [
    intro,
    "",
    ...order.items.map((item) => `${item.quantity} x ${item.name}  ${formatMoney(item.priceCents * item.quantity)}`),
    "",
    ...sums.map(([label, amount]) => `${label}: ${amount}`),
    "",
    heading,
    ...address,
    "",
    `You can cancel free of charge before it ships: ${shop.baseUrl}/support`,
    ...(claimUrl ? ["", `${CLAIM}: ${claimUrl}`, "", NOT_YOU] : []),
  ].join("\n");
  const html = emailHtml(
    <EmailLayout subject={subject} preview={intro} shop={shop}>
      <EmailHeading>Thank you for your order</EmailHeading>
      <EmailText look="soft">{intro}</EmailText>
      <Lines items={order.items} sums={sums} />
      <Heading as="h2" style={{ margin: "32px 0 0", fontSize: "16px" }}>
        {heading}
      </Heading>
      {address.length > 0 && (
        <EmailText look="soft" above={8}>
          <EmailLines lines={address} />
        </EmailText>
      )}
      <EmailButton href={`${shop.baseUrl}/support`}>Ask about this order</EmailButton>
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

/** What was ordered, and what it comes to. */
function Lines({ items, sums }: { items: OrderForMail["items"]; sums: [label: string, amount: string][] }) {
  return (
    <div style={{ paddingTop: "24px" }}>
      {items.map((item) => (
        <Row key={item.name}>
          <Column style={CELL}>
            {item.name}
            <br />
            <span style={{ color: SOFT_INK, fontSize: "14px" }}>
              {item.quantity} at {formatMoney(item.priceCents)}
            </span>
          </Column>
          <Column align="right" style={{ ...CELL, whiteSpace: "nowrap" }}>
            {formatMoney(item.priceCents * item.quantity)}
          </Column>
        </Row>
      ))}
      {sums.map(([label, amount]) => {
        const style =
          label === "Total" ? { padding: "12px 0 0", fontWeight: 700 } : { padding: "8px 0 0", color: SOFT_INK };
        return (
          <Row key={label}>
            <Column style={style}>{label}</Column>
            <Column align="right" style={style}>
              {amount}
            </Column>
          </Row>
        );
      })}
    </div>
  );
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
