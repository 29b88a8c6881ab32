/** Who takes the payments of this process: told once when it starts, and asked for wherever money is concerned. */
import type { PaymentProvider } from "./provider.ts";
import type { Linking } from "./page/return-link.server.ts";

// Development reloads modules; what they were told must outlive them.
const kept = globalThis as { polaraPayments?: { provider: PaymentProvider | null; linking: Linking } };

/** Comes before anything of the shop is loaded. `linking` is what makes the addresses that buyers come back to. */
export function providePayments(provider: PaymentProvider | null, linking: Linking): void {
  kept.polaraPayments = { provider, linking };
}

/** Null: orders are placed without payment. */
export const paymentProvider = (): PaymentProvider | null => kept.polaraPayments?.provider ?? null;

export function paymentLinking(): Linking {
  if (!kept.polaraPayments) throw new Error("Nobody was told who takes payments: providePayments comes first.");
  return kept.polaraPayments.linking;
}
