/** Methods of payment that are set up, set once at start. */
import type { MethodName } from "./payments/payment-method.ts";
import { singleton } from "./singleton.ts";

const provided = singleton("payment mode", () => ({ methods: [] as MethodName[], isReal: false }));

/** Methods whose provider is set up. None: orders are placed without payment. */
export function setAvailableMethods(methods: MethodName[]): void {
  provided.methods = methods;
}

export function setRealPayments(isReal: boolean): void {
  provided.isReal = isReal;
}

/** False with real payments: such a shop shows no invented reviews, ratings, customers or percentages. */
export const showsSamples = (): boolean => !provided.isReal;

export const availableMethods = (): readonly MethodName[] => provided.methods;

export const hasPayments = (): boolean => provided.methods.length > 0;
