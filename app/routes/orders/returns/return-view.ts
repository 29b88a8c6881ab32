/** A return as its customer sees it. */
import { returnAddress } from "#shop/contact-addresses.server.ts";
import { formatMoney } from "#shop/money.ts";
import { hasPayments } from "#shop/payment-mode.ts";
import { orderPath } from "#shop/orders/order.ts";
import type { OrderViewEvent } from "#shop/orders/orders.server.ts";
import { isAllowed } from "#shop/returns/lifecycle.ts";
import { KIND_WORDS, reasonOf } from "#shop/returns/return.ts";
import type { ReturnDetails } from "#shop/returns/returns.server.ts";
import { returnPath } from "./paths.ts";
import { headline, promisedKind, stepsOf } from "./return-timeline.ts";

/** The wanted product, and what it costs more or less in all. */
function exchangeOf(orderReturn: ReturnDetails, isEnded: boolean): string | null {
  const { exchangeName, money } = orderReturn;
  if (!exchangeName || isEnded || promisedKind(orderReturn) !== "exchange") return exchangeName;
  if (money.moreCents > 0) return `${exchangeName}, ${formatMoney(money.moreCents)} more`;
  return money.refundCents > 0 ? `${exchangeName}, ${formatMoney(money.refundCents)} back` : exchangeName;
}

export function viewOf(orderReturn: ReturnDetails, events: OrderViewEvent[]) {
  const { number, kind, state, orderId, items, quoteCents, fee } = orderReturn;
  const isEnded = state === "declined" || state === "withdrawn" || state === "expired";
  return {
    number,
    path: returnPath(orderId, number),
    kind: KIND_WORDS[kind],
    reason: reasonOf(orderReturn.reason).words,
    description: orderReturn.description,
    ...headline(orderReturn),
    steps: stepsOf(orderReturn, events),
    isEnded,
    lines: items.map(({ id, name, units, thumbnail }) => ({ id, name, units, thumbnail })),
    exchange: exchangeOf(orderReturn, isEnded),
    photos: orderReturn.photoIds.map((id) => `${orderPath(orderId)}/photos/${id}`),
    /** While it is to be sent. */
    shipping:
      state === "authorized"
        ? {
            address: [number, ...returnAddress()],
            labelUrl: orderReturn.labelUrl,
            isPaidByUs: orderReturn.labelBy === "us",
            by: orderReturn.shipBy,
          }
        : null,
    actions: {
      payCents: (hasPayments() && orderReturn.toPay?.cents) || null,
      quote: state === "quoted" ? { cents: quoteCents ?? 0, feeCents: fee?.cents ?? 0 } : null,
      mayWithdraw: isAllowed("withdrawn", state),
    },
  };
}

export type ReturnView = ReturnType<typeof viewOf>;
