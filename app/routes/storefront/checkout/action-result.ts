import type { Cart } from "#shop/cart/cart.ts";
import type { CheckoutForm } from "#shop/checkout/checkout-form.ts";
import type { OrderProblem } from "#shop/checkout/expected-lines.ts";
import type { ShippingSettings } from "#shop/settings/settings.ts";
import type { ShippingMethod } from "#shop/shipping/methods.ts";
import type { AnsweredTax } from "./tax.ts";

export type CheckoutData = {
  /** Null if the cart cannot be read. */
  cart: Cart | null;
  seen: string;
  shipping: ShippingSettings;
  /** Expected days of an order placed now, by method. */
  arrivals: Record<ShippingMethod, string>;
  saved: Partial<CheckoutForm> | null;
  checkoutKey: string;
  /** Effective date of the terms in force, YYYY-MM-DD. */
  terms: string;
  isCustomer: boolean;
  hasPayments: boolean;
  /** Methods that Stripe's page takes: "card, Apple Pay, or Google Pay". */
  payBy: string;
  offersPayPal: boolean;
  hasTax: boolean;
  /** The order's card is saved now and charged when each package ships, in words; null if it is paid at once. */
  laterCharge: string | null;
  /** Customers with an unverified email get no form. */
  mustVerify: boolean;
};

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
  "The connection to the shop was lost. Nothing was charged. Please try again: we won’t place your order twice.";
