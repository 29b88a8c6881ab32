import type { PaymentSnapshot } from "#shop/payments/provider.ts";

/** The provider's snapshot of a payment; `authorized` for $19 unless said otherwise. */
export const paymentSnapshot = (more: Partial<PaymentSnapshot> = {}): PaymentSnapshot => ({
  state: "authorized",
  reference: "cs_1",
  intentReference: "pi_1",
  currency: "usd",
  amountCents: 19_00,
  authorizedCents: 19_00,
  capturedCents: 0,
  refundedCents: 0,
  captureBefore: null,
  method: null,
  saved: null,
  unusedCustomer: null,
  problem: null,
  dispute: null,
  refunds: [],
  ...more,
});
