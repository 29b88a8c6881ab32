/** Who takes the payments, asked by this process itself: a command waits for no job of a shop, which may be stopped. */
import type { Config } from "../../app/config.server.ts";
import type { PaymentProvider } from "../../shop/payments/provider.ts";

export async function openProvider(
  config: Config,
): Promise<{ provider: PaymentProvider | null; stop(): Promise<void> }> {
  if (!config.payments) return { provider: null, stop: async () => {} };
  // Loaded only then: it takes a third of a second.
  const { openPayments, stopSandbox } = await import("../../server/payments.ts");
  return { provider: openPayments(config, fetch), stop: stopSandbox };
}
