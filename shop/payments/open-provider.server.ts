/** The payment provider of this process, set once at start. */
import type { PaymentProvider } from "./provider.ts";
import type { Linking } from "./return-link.server.ts";
import { singleton } from "#shop/singleton.ts";

type Payments = { provider: PaymentProvider | null; linking: Linking };
const provided = singleton("payments", () => ({}) as { payments?: Payments });

/** Sets the provider, before the shop is loaded. `linking` builds the addresses that buyers return to. */
export function providePayments(provider: PaymentProvider | null, linking: Linking): void {
  provided.payments = { provider, linking };
}

/** Null if orders are placed without payment. */
export const paymentProvider = (): PaymentProvider | null => provided.payments?.provider ?? null;

export function paymentLinking(): Linking {
  if (!provided.payments) throw new Error("providePayments must be called before payments are used.");
  return provided.payments.linking;
}
