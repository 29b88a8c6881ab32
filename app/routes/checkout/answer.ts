import type { SubmissionResult } from "@conform-to/react";
import type { OrderProblem, OrderRefusal } from "../../../shop/checkout/place-order.server.ts";

/** What came of 'Place Order'. `result` carries the typed text back, with its errors. */
export type CheckoutAnswer =
  | { outcome: "placed"; orderId: string; email: string }
  | { outcome: "invalid"; checkoutKey: string; result: SubmissionResult }
  | { outcome: "refused"; checkoutKey: string; result: SubmissionResult; problems: OrderProblem[] }
  | { outcome: "failed"; checkoutKey?: string; result?: SubmissionResult };

export const ORDER_FAILED = "We could not place your order. Nothing was charged; your cart is safe. Please try again.";

export function refusalMessage(reason: OrderRefusal["reason"]): string {
  if (reason === "empty-cart") return "Your cart is empty";
  if (reason === "expired") return "This page had expired. Nothing was ordered. Check the summary, then place the order again.";
  return "Your order was not placed, because your cart is not as you last saw it.";
}
