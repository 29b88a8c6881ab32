/** The payment providers of this process, set once at start. */
import type { PaymentProviders } from "./provider.ts";
import type { Linking } from "./return-link.server.ts";
import { singleton } from "#shop/singleton.ts";

type Payments = { providers: PaymentProviders | null; linking: Linking };
const provided = singleton("payments", () => ({}) as { payments?: Payments });

/** Sets the providers, before the shop is loaded. `linking` builds the addresses that buyers return to. */
export function providePayments(providers: PaymentProviders | null, linking: Linking): void {
  provided.payments = { providers, linking };
}

/** Null if orders are placed without payment. */
export const paymentProviders = (): PaymentProviders | null => provided.payments?.providers ?? null;

export function paymentLinking(): Linking {
  if (!provided.payments) throw new Error("providePayments must be called before payments are used.");
  return provided.payments.linking;
}
