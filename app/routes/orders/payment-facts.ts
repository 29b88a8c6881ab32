/** Payment lines of the order page and the receipt. */
import type { Stage } from "#shop/orders/lifecycle.ts";
import { isEnded, isUnpaid, isUnsent } from "#shop/orders/order.ts";
import { ARRANGEMENTS } from "#shop/payments/arrangement.ts";
import { paidWith } from "#shop/payments/payment-method.ts";
import { savedCardName } from "#shop/card-name.ts";
import type { OrderPayment } from "#shop/payments/payments.server.ts";
import { savedCardOf } from "#shop/payments/saved-card.ts";

/** `cents` is right-aligned; `at` follows the label. */
type PaymentFact = { label: string; cents?: number; at?: Date };

type Paid = {
  stage: Stage;
  /** Something that waits is still to be charged. */
  isToCharge: boolean;
  payments: OrderPayment[];
  hasPayments: boolean;
};

function methodOf(payment: OrderPayment | undefined): string | null {
  if (payment?.arrangement) return ARRANGEMENTS[payment.arrangement.how];
  return payment?.method ? paidWith(payment.method) : null;
}

export function paymentFacts({ isToCharge, payments, hasPayments, ...order }: Paid): {
  method: string | null;
  facts: PaymentFact[];
} {
  const card = isToCharge ? (savedCardOf(payments)?.method ?? null) : null;
  const saved = card ? [{ label: `${savedCardName(card)} saved, charged when it ships.` }] : [];
  const known =
    payments.filter(({ state }) => state === "authorized" || state === "captured").at(-1) ?? payments.at(-1);
  const method = methodOf(known);
  const moved = payments
    .flatMap((payment) => payment.moved.map((one) => ({ ...one, isArranged: payment.arrangement !== null })))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const facts = moved.flatMap(({ kind, amountCents, isDone, isArranged, at }): PaymentFact[] => {
    if (kind === "capture" || kind === "charge")
      return isDone ? [{ label: isArranged ? "Paid" : "Charged", cents: amountCents, at }] : [];
    if (kind === "refund") return [{ label: isDone ? "Refunded" : "Refund on its way", cents: -amountCents, at }];
    return [];
  });
  if (facts.length > 0) return { method, facts: [...facts, ...saved] };
  if (saved.length > 0 && known?.state !== "authorized") return { method: null, facts: saved };
  if (known?.state === "authorized" && (isUnsent(order) || isUnpaid(order))) {
    return {
      method,
      facts: [{ label: "Authorized", cents: known.authorizedCents }, { label: "Charged when it ships." }],
    };
  }
  if (isUnpaid(order)) return { method: null, facts: [{ label: "Not paid yet." }] };
  if (hasPayments || payments.length > 0) return { method, facts: [{ label: "Nothing was charged." }] };
  return {
    method,
    facts: [
      { label: isEnded(order) ? "Nothing was charged." : "Payment will be available later. You weren’t charged." },
    ],
  };
}
