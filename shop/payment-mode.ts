/** How the shop takes payment, set once at start. */
import { type MethodName, methodsOf, methodsText, payByText } from "./payments/payment-method.ts";
import { singleton } from "./singleton.ts";

const provided = singleton("payment mode", () => ({ methods: [] as MethodName[], isReal: false }));

/** None: orders are placed without payment. */
export function setPaymentMethods(methods: MethodName[]): void {
  provided.methods = methods;
}

export function setRealPayments(isReal: boolean): void {
  provided.isReal = isReal;
}

/** False with real payments: such a shop shows no invented reviews, ratings, customers or percentages. */
export const showsSamples = (): boolean => !provided.isReal;

export const hasPayments = (): boolean => provided.methods.length > 0;

/** "credit and debit cards, Apple Pay, and Google Pay". */
export const onlinePaymentMethods = (): string => methodsText(provided.methods);

/** Methods that Stripe's page takes: "card, Apple Pay, or Google Pay". */
export const payBy = (): string => payByText(methodsOf("stripe", provided.methods));

export const offersPayPal = (): boolean => provided.methods.includes("paypal");
