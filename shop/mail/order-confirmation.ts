/** The letter that says an order has arrived. */
import { SHIPPING_METHODS } from "../cart/totals.ts";
import { formatMoney } from "../money.ts";
import { orderNumber } from "../orders/order.ts";
import type { Order, OrderItem } from "../orders/orders.server.ts";
import { escapeHtml, letterButton, letterHtml } from "./letter.ts";
import type { Letter } from "./transport.server.ts";

const free = (cents: number) => (cents === 0 ? "FREE" : formatMoney(cents));

/** Subject, text and HTML; every amount is the one frozen with the order. */
export function orderConfirmation(order: Order & { items: OrderItem[] }, baseUrl: string): Letter {
  const number = orderNumber(order.id);
  const method = SHIPPING_METHODS[order.shippingMethod];
  const intro = `Hi ${order.shippingFirstName}, we have your order ${number}. We will write again when it ships. Payment will be available later; nothing was charged today.`;
  const address = [
    `${order.shippingFirstName} ${order.shippingLastName}`,
    order.shippingAddressLine1,
    ...(order.shippingAddressLine2 ? [order.shippingAddressLine2] : []),
    `${order.shippingCity}, ${order.shippingState} ${order.shippingPostalCode}`,
  ];
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
    `${method.name}, ${method.window}, to:`,
    ...address,
    "",
    `You can cancel free of charge before it ships: ${baseUrl}/support`,
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
<h2 style="margin:32px 0 8px;font-size:16px">${method.name}, ${method.window}</h2>
<p style="margin:0;color:#565c61">${address.map(escapeHtml).join("<br>")}</p>
${letterButton(`${baseUrl}/support`, "Ask about this order")}`;

  const subject = `Your Polara order ${number}`;
  return { to: order.email, subject, text, html: letterHtml({ title: subject, preview: intro, body }) };
}
