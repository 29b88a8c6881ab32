/** The letter that says an order has arrived. */
import { SHIPPING_METHODS } from "../shipping/methods.ts";
import { formatMoney } from "../money.ts";
import { orderNumber } from "./order.ts";
import type { OrderForMail } from "./orders.server.ts";
import { escapeHtml, letterButton, letterHtml } from "../mail/email-layout.ts";
import type { Letter } from "../mail/transport.server.ts";

const CLAIM = "Add this order to your account";

const free = (cents: number) => (cents === 0 ? "FREE" : formatMoney(cents));

type Links = {
  baseUrl: string;
  /** Where a guest adds the order to their account. */
  claimUrl: string | null;
};

/**
 * Subject, text and HTML; every amount is the one frozen with the order. Anybody can order with anybody's email, so what
 * was typed stands in it only where the email is the verified one of the account that ordered.
 */
export function orderConfirmation(order: OrderForMail, { baseUrl, claimUrl }: Links): Letter {
  const number = orderNumber(order.id);
  const method = SHIPPING_METHODS[order.shippingMethod];
  const greeting = order.isOwnEmail ? `Hi ${order.shippingFirstName}, we` : "We";
  const intro = `${greeting} have your order ${number}. We will write again when it ships. Payment will be available later; nothing was charged today.`;
  const { heading, address } = destination(order, `${method.name}, ${method.window}`);
  const notYou = `You did not order this? Then somebody typed your address. Reply to this mail, and we will cancel it.`;
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
    `You can cancel free of charge before it ships: ${baseUrl}/support`,
    ...(claimUrl ? ["", `${CLAIM}: ${claimUrl}`, "", notYou] : []),
  ].join("\n");

  const cell = "padding:12px 0;border-bottom:1px solid #e2e0da;vertical-align:top";
  const rows = order.items.map(
    (item) =>
      `<tr><td style="${cell}">${escapeHtml(item.name)}<br><span style="color:#565c61;font-size:14px">${item.quantity} at ${formatMoney(item.priceCents)}</span></td><td align="right" style="${cell};white-space:nowrap">${formatMoney(item.priceCents * item.quantity)}</td></tr>`,
  );
  const totals = sums.map(([label, amount]) => {
    const weight = label === "Total" ? "padding:12px 0 0;font-weight:700" : "padding:8px 0 0;color:#565c61";
    return `<tr><td style="${weight}">${label}</td><td align="right" style="${weight}">${amount}</td></tr>`;
  });
  const body = `<h1 style="margin:0 0 12px;font-size:26px;line-height:1.15;letter-spacing:-0.02em">Thank you for your order</h1>
<p style="margin:0 0 24px;color:#565c61">${escapeHtml(intro)}</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${rows.join("")}${totals.join("")}</table>
<h2 style="margin:32px 0 8px;font-size:16px">${heading}</h2>
<p style="margin:0;color:#565c61">${address.map(escapeHtml).join("<br>")}</p>
${letterButton(`${baseUrl}/support`, "Ask about this order")}${claimUrl ? claimNote(claimUrl, notYou) : ""}`;

  const subject = `Your Polara order ${number}`;
  return { to: order.email, subject, text, html: letterHtml({ title: subject, preview: intro, body }) };
}

/** Where it goes. ZIP code and state can say nothing else; a city is whatever somebody typed. */
function destination(order: OrderForMail, method: string): { heading: string; address: string[] } {
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

function claimNote(url: string, notYou: string): string {
  return `
<p style="margin:24px 0 0"><a href="${escapeHtml(url)}" style="color:#4f5f3f">${CLAIM}</a></p>
<p style="margin:24px 0 0;font-size:14px;color:#565c61">${notYou}</p>`;
}
