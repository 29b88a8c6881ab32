import type { OrderProblem } from "#shop/checkout/expected-lines.ts";
import type { Route } from "./+types/route.ts";
import type { AnsweredTax } from "./tax.ts";

export type CheckoutData = Route.ComponentProps["loaderData"];

/** An address that the carriers write otherwise, by the fields of the form, and the typed one, which is asked about once. */
export type AddressQuestion = {
  addressAsked: string;
  suggested: Record<`shipping${"AddressLine1" | "AddressLine2" | "City" | "State" | "PostalCode"}`, string>;
};

export type CheckoutAnswer =
  | { orderId: string; email: string }
  | { mustVerify: true }
  | ({
      checkoutKey: string;
      problems?: OrderProblem[];
      tax?: AnsweredTax;
      /** Defaults to the cart. */
      link?: { to: string; text: string };
    } & Partial<AddressQuestion>);

export const ORDER_FAILED =
  "We couldn’t place your order. Nothing was charged, and your cart is safe. Please try again.";
/** The order may have arrived; its key makes a second try safe either way. */
export const CONNECTION_LOST =
  "The connection was lost, and nothing was charged. Try again. We won’t place your order twice.";
