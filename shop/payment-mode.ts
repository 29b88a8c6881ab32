/** Mode and methods of payment, set once at start. */
import type { MethodName } from "./payments/payment-method.ts";
import { singleton } from "./singleton.ts";

/** `test`: the key of Stripe's test mode. */
export type PaymentMode = "none" | "sandbox" | "test" | "live";

const provided = singleton("payment mode", () => ({ methods: [] as MethodName[], mode: "none" as PaymentMode }));

/** Methods whose provider is set up. None: orders are placed without payment. */
export function setAvailableMethods(methods: MethodName[]): void {
  provided.methods = methods;
}

export function setPaymentMode(mode: PaymentMode): void {
  provided.mode = mode;
}

export const paymentMode = (): PaymentMode => provided.mode;

/** False with Stripe: such a shop shows no invented reviews, ratings, customers or percentages. */
export const showsSamples = (): boolean => provided.mode === "none" || provided.mode === "sandbox";

export const availableMethods = (): readonly MethodName[] => provided.methods;

export const hasPayments = (): boolean => provided.methods.length > 0;

/** The arrival of what is in stock. An order that cannot be paid yet ships on no known day. */
export const promisedArrival = ({ standardArrival }: { standardArrival: string }): string =>
  hasPayments() ? standardArrival : "Nothing to pay today";

/** Said where something is due, and the shop has no provider. */
export const PAYMENT_BY_HAND = "We’ll contact you about the payment.";
