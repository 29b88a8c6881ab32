/** What an order's page shows to who may see it. */
import { db } from "../../database.server.ts";
import { preOrderWords } from "../../../shop/catalog/ships-from.ts";
import { listShipments } from "../../../shop/fulfillment/list-shipments.server.ts";
import { amountsCharged } from "../../../shop/orders/charge.ts";
import { isAllowed } from "../../../shop/orders/lifecycle.ts";
import { maskAddress, maskEmail } from "../../../shop/orders/mask.ts";
import { orderNumber } from "../../../shop/orders/order.ts";
import { listOrderEvents, listOrderItems, type OrderViewItem } from "../../../shop/orders/order-view.server.ts";
import type { Order } from "../../../shop/orders/orders.server.ts";
import { hasPayments } from "../../../shop/payment-mode.ts";
import { listPayments } from "../../../shop/payments/list-payments.server.ts";
import { SHIPPING_METHODS } from "../../../shop/shipping/methods.ts";
import type { OrderAccess } from "../../session/order-access.server.ts";
import { paymentFacts } from "./payment-facts.ts";
import { mustAnswerDelay, mustPayAgain, tellStory, type Told } from "./story.ts";

function addressOf(order: Order): string[] {
  return [
    `${order.shippingFirstName} ${order.shippingLastName}`,
    order.shippingAddressLine1,
    ...(order.shippingAddressLine2 ? [order.shippingAddressLine2] : []),
    `${order.shippingCity}, ${order.shippingState} ${order.shippingPostalCode}`,
  ];
}

const noteOf = ({ quantity, canceledQuantity, shipsFrom }: OrderViewItem) => {
  if (canceledQuantity === quantity) return "Canceled";
  const canceled = canceledQuantity > 0 ? `${canceledQuantity} canceled` : null;
  return [canceled, preOrderWords({ shipsFrom }, new Date())].filter(Boolean).join(". ") || undefined;
};

/** What can be done about it now. The server asks again when it is done. */
function actsOf({ order, events, payments, shipments, hasPayments }: Told) {
  const isUnpaid = order.status === "unpaid";
  return {
    mayPay: hasPayments && (isUnpaid || mustPayAgain({ order, events, payments })),
    mayChange: hasPayments && isUnpaid,
    mayCancel: isAllowed("canceled", order.status) && shipments.length === 0,
    mustAnswerDelay: mustAnswerDelay({ order, events }),
    holdUntil: isUnpaid ? order.holdUntil : null,
  };
}

export async function loadOrder({ order, isOwner }: OrderAccess) {
  const [items, events, payments, shipments] = await Promise.all([
    listOrderItems(db, order.id),
    listOrderEvents(db, order.id),
    listPayments(db, order.id),
    listShipments(db, order.id),
  ]);
  const told: Told = { order, items, events, payments, shipments, hasPayments: hasPayments() };
  const { name, window } = SHIPPING_METHODS[order.shippingMethod];
  const { subtotalCents, shippingCents, taxCents, totalCents } = order;
  return {
    id: order.id,
    number: orderNumber(order.id),
    isOwner,
    placedAt: order.createdAt,
    isEnded: order.status === "canceled" || order.status === "declined" || order.status === "lapsed",
    story: tellStory(told),
    acts: actsOf(told),
    lines: items.map((item) => {
      const { canceledQuantity: _, shipsFrom: __, ...line } = item;
      return { ...line, note: noteOf(item) };
    }),
    totals: { subtotalCents, shippingCents, taxCents, totalCents },
    /** Less than the total where lines were canceled. */
    chargedCents: amountsCharged(order, items).totalCents,
    payment: paymentFacts({ status: order.status, payments, hasPayments: hasPayments() }),
    method: `${name}, ${window}`,
    address: isOwner ? addressOf(order) : maskAddress(order),
    email: isOwner ? order.email : maskEmail(order.email),
  };
}

export type OrderPageData = Awaited<ReturnType<typeof loadOrder>>;
