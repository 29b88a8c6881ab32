import type { SubmissionResult } from "@conform-to/react";
import type { Cart } from "../../../../shop/cart/cart.ts";
import type { CheckoutForm } from "../../../../shop/checkout/checkout-form.ts";
import type { OrderProblem, OrderRefusal } from "../../../../shop/checkout/place-order.server.ts";

export type CheckoutData = {
  /** Null only where an order stands, or failed because the cart cannot be read. */
  cart: Cart | null;
  seen: string;
  saved: Partial<CheckoutForm> | null;
  checkoutKey: string;
  isCustomer: boolean;
  /** Whether the order is paid next. */
  hasPayments: boolean;
  /** A customer who has not verified their email: there is no form for them yet. */
  mustVerify: boolean;
};

/** What came of 'Place Order'. `result` carries the typed text back, with its errors. */
export type CheckoutActionResult =
  | { outcome: "placed"; orderId: string; email: string }
  /** It stands, and is to be paid at `url`. */
  | { outcome: "held"; url: string }
  | { outcome: "unverified" }
  | { outcome: "invalid"; checkoutKey: string; result: SubmissionResult }
  | {
      outcome: "refused";
      checkoutKey: string;
      result: SubmissionResult;
      problems: OrderProblem[];
      /** Where the remedy is, where it is not the cart. */
      link?: { to: string; text: string };
    }
  | { outcome: "failed"; message: string; checkoutKey?: string; result?: SubmissionResult };

export const ORDER_FAILED = "We could not place your order. Nothing was charged; your cart is safe. Please try again.";
/** Nobody knows then whether the order arrived; its key makes a second try safe either way. */
export const CONNECTION_LOST =
  "The connection to the shop was lost. Nothing was charged. Please try again: your order is placed only once.";

export function refusalMessage(reason: Exclude<OrderRefusal["reason"], "unverified">): string {
  if (reason === "empty-cart") return "Your cart is empty";
  if (reason === "expired")
    return "This page had expired. Nothing was ordered. Check the summary, then place the order again.";
  return "Your order was not placed, because your cart is not as you last saw it.";
}
