/** What the emails about an order's steps say alike. Names are in them only where the email is the account's own. */
import { formatMoney } from "../../money.ts";
import { orderNumber } from "../../orders/order.ts";
import type { OrderForMail } from "../../orders/orders.server.ts";
import type { PaymentMethod } from "../../payments/provider.ts";
import { policyText } from "../../policy-text.ts";

/** An order as an email tells of it. */
export type Told = {
  order: Pick<OrderForMail, "id" | "email" | "isOwnEmail" | "shippingFirstName">;
  /** Where the order is shown. */
  url: string;
};

/** What became of the money: nothing was asked for, it is reserved at most, or it was charged. */
export type Money = {
  isPaid: boolean;
  capturedCents: number;
  /** Of that, what was not refunded. */
  leftCents: number;
  method: PaymentMethod | null;
};

export const numberOf = ({ order }: Told): string => orderNumber(order.id);

/** A first sentence, with the name where it may be said: it begins with a word that needs no capital. */
export function greet({ order }: Told, sentence: string): string {
  if (!order.isOwnEmail) return sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return `Hi ${order.shippingFirstName}, ${sentence}`;
}

export const seeOrder = ({ url }: Told) => ({ label: "See your order", href: url });

export const chargedText = ({ capturedCents, method }: Money): string[] =>
  capturedCents === 0
    ? []
    : [
        `${formatMoney(capturedCents)} was charged${method ? ` to your ${method.brand} ending in ${method.lastFour}` : ""}.`,
      ];

/** What an order that ends costs. */
export function endedText({ isPaid, leftCents }: Money): string {
  if (leftCents > 0) {
    return `${formatMoney(leftCents)} that was charged is refunded within ${policyText.cancellationRefundBusinessDays}.`;
  }
  return isPaid
    ? "Nothing was charged. What your bank reserved is released; it may show for a few more days."
    : "Nothing was charged.";
}
