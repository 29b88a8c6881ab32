/** Methods of payment that the shop offers: those that are set up and that the settings turn on. */
import { availableMethods } from "#shop/payment-mode.ts";
import { settings } from "#shop/settings/settings.server.ts";
import type { PaymentSettings } from "#shop/settings/settings.ts";
import { type MethodName, methodsOf, methodsText, payByText } from "./payment-method.ts";

/** With the settings in force, unless others are given. */
const offeredMethods = (turnedOn: PaymentSettings = settings().payments): MethodName[] =>
  availableMethods().filter((name) => turnedOn[name]);

/** "credit and debit cards, Apple Pay, and Google Pay". */
export const onlinePaymentMethods = (): string => methodsText(offeredMethods());

/** Methods that Stripe's page takes: "card, Apple Pay, or Google Pay". */
export const payBy = (): string => payByText(methodsOf("stripe", offeredMethods()));

export const offersPayPal = (turnedOn?: PaymentSettings): boolean => offeredMethods(turnedOn).includes("paypal");
