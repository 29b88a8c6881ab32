/** One order, as lines to read. */
import type { DeskOrder } from "../../shop/fulfillment/desk.server.ts";
import { CARRIERS, trackingUrl } from "../../shop/fulfillment/shipment.ts";
import { formatMoney } from "../../shop/money.ts";
import { orderNumber } from "../../shop/orders/order.ts";
import { SHIPPING_METHODS } from "../../shop/shipping/methods.ts";

export const moment = (at: Date): string =>
  at.toLocaleString("en-US", { dateStyle: "medium", timeStyle: "short", timeZone: "America/New_York" });

export function show({ order, lines, charged, shipments, payments, events }: DeskOrder): string {
  const method = SHIPPING_METHODS[order.shippingMethod].name;
  const rows = [
    `Order ${orderNumber(order.id)}: ${order.status}`,
    `  id        ${order.id}`,
    `  placed    ${moment(order.createdAt)} (New York)`,
    ...(order.shipsBy ? [`  ships by  ${order.shipsBy}`] : []),
    `  email     ${order.email || "none: its customer has deleted the account"}`,
    `  to        ${address(order)}, ${method}`,
    "",
    ...lines.map(
      ({ name, quantity, priceCents, canceledQuantity, unitsLeft }, i) =>
        `  line ${i + 1}: ${quantity} x ${name}, ${formatMoney(priceCents)} each` +
        (canceledQuantity > 0 ? `, ${canceledQuantity} canceled` : "") +
        `, ${unitsLeft} not sent`,
    ),
    `  ordered ${formatMoney(order.totalCents)}, charged ${formatMoney(charged.totalCents)} (shipping ${formatMoney(charged.shippingCents)})`,
    "",
    ...payments.map(
      ({ state, amountCents, capturedCents, refundedCents, captureBefore, problem }) =>
        `  payment ${state}: ${formatMoney(amountCents)}, charged ${formatMoney(capturedCents)}, refunded ${formatMoney(refundedCents)}` +
        (state === "authorized" && captureBefore ? `, charge before ${moment(captureBefore)}` : "") +
        (problem ? `, ${problem}` : ""),
    ),
    ...shipments.map(
      ({ carrier, trackingNumber, state }) =>
        `  parcel ${state}: ${CARRIERS[carrier].name} ${trackingNumber} ${trackingUrl(carrier, trackingNumber)}`,
    ),
    ...events.map(
      ({ at, type, actor, data }) => `  ${moment(at)}  ${type} by ${actor}${data ? ` ${JSON.stringify(data)}` : ""}`,
    ),
  ];
  return rows.join("\n");
}

const address = (order: DeskOrder["order"]): string =>
  [
    `${order.shippingFirstName} ${order.shippingLastName}`,
    order.shippingAddressLine1,
    order.shippingAddressLine2,
    order.shippingCity,
    `${order.shippingState} ${order.shippingPostalCode}`,
  ]
    .filter((part) => part?.trim())
    .join(", ");
