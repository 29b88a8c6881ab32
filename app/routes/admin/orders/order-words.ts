/** What staff read of an order's statuses: a word and a tone. Color only where something needs a hand or is done. */
import { CAPTURE_HOURS, isPaymentProblem } from "../../../../shop/fulfillment/views.ts";
import type { OrderStatus, PaymentStatus } from "../../../../shop/orders/lifecycle.ts";
import type { Tone } from "../../../ui/admin/status.tsx";

type Words = { word: string; tone: Tone };

export const STATUS_WORDS: Record<OrderStatus, Words> = {
  unpaid: { word: "Unpaid", tone: "quiet" },
  processing: { word: "Processing", tone: "open" },
  shipped: { word: "Shipped", tone: "done" },
  delivered: { word: "Delivered", tone: "done" },
  canceled: { word: "Canceled", tone: "quiet" },
  declined: { word: "Declined", tone: "quiet" },
  lapsed: { word: "Lapsed", tone: "quiet" },
};

export const PAYMENT_WORDS: Record<PaymentStatus, Words> = {
  none: { word: "No payment", tone: "quiet" },
  unpaid: { word: "Not paid", tone: "quiet" },
  authorized: { word: "Authorized", tone: "open" },
  captured: { word: "Charged", tone: "done" },
  "partly-refunded": { word: "Partly refunded", tone: "quiet" },
  refunded: { word: "Refunded", tone: "quiet" },
  failed: { word: "Failed", tone: "late" },
  mismatch: { word: "Wrong amount", tone: "late" },
  disputed: { word: "Disputed", tone: "late" },
};

type Flagged = {
  status: OrderStatus;
  paymentStatus: PaymentStatus;
  onHoldSince: Date | null;
  restToShip: boolean;
  captureBefore: Date | null;
};

/** What of an order needs a hand, the most urgent first. */
export function flagsOf(order: Flagged, now: Date): Words[] {
  const flags: Words[] = [];
  const hoursLeft = order.captureBefore ? (order.captureBefore.getTime() - now.getTime()) / 3_600_000 : Infinity;
  if (order.paymentStatus === "disputed") flags.push({ word: "Disputed", tone: "late" });
  else if (isPaymentProblem(order.status, order.paymentStatus)) flags.push({ word: "Payment problem", tone: "late" });
  if (order.status === "processing" && hoursLeft < CAPTURE_HOURS) flags.push({ word: "Ship soon", tone: "soon" });
  if (order.status === "processing" && order.onHoldSince) flags.push({ word: "On hold", tone: "soon" });
  if (order.status === "shipped" && order.restToShip) flags.push({ word: "Rest to ship", tone: "soon" });
  return flags;
}
