/** Methods of payment that the shop offers, set once at start. */
import { type MethodName, methodsOf, methodsText, payByText } from "./payments/payment-method.ts";
import { singleton } from "./singleton.ts";

const provided = singleton("payment mode", () => ({ methods: [] as MethodName[] }));

/** None: orders are placed without payment. */
export function setPaymentMethods(methods: MethodName[]): void {
  provided.methods = methods;
}

export const hasPayments = (): boolean => provided.methods.length > 0;

/** "credit and debit cards, Apple Pay, and Google Pay". */
export const onlinePaymentMethods = (): string => methodsText(provided.methods);

/** Methods that Stripe's page takes: "card, Apple Pay, or Google Pay". */
export const payBy = (): string => payByText(methodsOf("stripe", provided.methods));

export const offersPayPal = (): boolean => provided.methods.includes("paypal");
