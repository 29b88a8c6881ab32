/** Emails about cancellations, changes and refunds of an order. */
import { formatMoney } from "#shop/money.ts";
import { policyText } from "#shop/policy-text.ts";
import {
  CANCEL_REASONS,
  DECLINE_REASONS,
  isReason,
  LINE_REASONS,
  REFUND_REASONS,
  SENT_BY_HAND,
  type CancelReason,
  type LineReason,
  type RefundReason,
} from "./order-actions.ts";
import { authorized, charged, type OfOrder, orderId, sample, viewOrder, template } from "./email-template.server.ts";
import { loadCancellation, type OrderMail } from "./order-for-mail.server.ts";

type LineChange = OfOrder & { items: { itemId: string; units: number }[]; reason: LineReason; refundCents: number };
/** `isByHand`: staff paid back a refund that had failed. */
type Refund = OfOrder & { cents: number; reason: RefundReason | null; isByHand?: boolean };

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "order-canceled": OfOrder;
    "order-declined": OfOrder;
    "order-changed": LineChange;
    "refund-issued": Refund;
  }
}

const youPaid = (isArranged: boolean) => (isArranged ? "you paid" : "you were charged");

function refundInfo({ money: { isPaid, isArranged, capturedCents, leftCents, savedCard } }: OrderMail): string {
  if (leftCents > 0) {
    return `We’ll refund the ${formatMoney(leftCents)} ${youPaid(isArranged)} within ${policyText.cancellationRefundBusinessDays}.`;
  }
  if (capturedCents > 0) return `We’ve refunded the ${formatMoney(capturedCents)} ${youPaid(isArranged)}.`;
  if (savedCard) return "Nothing was charged, and we delete your saved card.";
  return isPaid
    ? "Nothing was charged. Your bank will release the authorization, which may show for a few more days."
    : "Nothing was charged.";
}

const change: LineChange = { orderId, items: [{ itemId: "1", units: 2 }], reason: "sold-out", refundCents: 0 };

export const fulfillmentEmails = {
  "order-canceled": template<OfOrder, { reason: CancelReason | null }>(
    ({ reason, ...mail }, number) => ({
      subject: `Your Polara order ${number} is canceled`,
      heading: "Your order is canceled",
      intro: `your order ${number} is canceled, and nothing from it will ship.`,
      words: [...(reason ? [CANCEL_REASONS[reason]] : []), refundInfo(mail)],
      notes: [
        reason ? "Do you still want it? Please order it again." : "Was this a mistake? Just reply to this email.",
      ],
    }),
    {
      "not paid": { ...sample, reason: null },
      authorized: { ...authorized, reason: null },
      charged: { ...charged, reason: null },
      "after a delay without an answer": { ...charged, reason: "unanswered" },
      "after a refused charge": {
        ...authorized,
        money: { ...authorized.money, savedCard: authorized.money.method },
        reason: "unpaid",
      },
    },
    (db, { orderId }) => loadCancellation(db, orderId),
  ),

  "order-declined": template<OfOrder>(
    (mail, number) => ({
      subject: `We could not accept your Polara order ${number}`,
      heading: "We’re sorry",
      intro: `we couldn’t accept your order ${number}.`,
      words: [
        ...(isReason(DECLINE_REASONS, mail.declineReason) ? [DECLINE_REASONS[mail.declineReason]] : []),
        refundInfo(mail),
      ],
    }),
    { authorized },
  ),

  "order-changed": template<LineChange>(
    ({ lines, items, reason, refundCents, money, charged: now }, number) => ({
      subject: `A change to your Polara order ${number}`,
      heading: "Your order has changed",
      intro: `we’ve removed ${items.map(({ itemId, units }) => `${units} x ${lines.find(({ id }) => id === itemId)?.name}`).join(" and ")} from your order ${number}.`,
      words: [
        LINE_REASONS[reason],
        refundCents > 0
          ? `We’ll refund the ${formatMoney(refundCents)} ${youPaid(money.isArranged)} for it within ${policyText.cancellationRefundBusinessDays}.`
          : money.isPaid && money.capturedCents === 0
            ? "Nothing was charged yet. When the rest ships, we’ll charge you for the rest only."
            : "The rest of your order stays as it is.",
      ],
      amounts: now,
    }),
    {
      authorized: { ...authorized, ...change },
      "not paid": { ...sample, ...change },
      charged: { ...charged, ...change, refundCents: 48_00 },
    },
  ),

  "refund-issued": template<Refund>(
    ({ cents, reason, isByHand, ...mail }, number) => ({
      subject: `Your refund for Polara order ${number}`,
      heading: "Your refund is on its way",
      intro: `we’ve refunded ${formatMoney(cents)} for your order ${number}.`,
      words: [
        ...(reason ? [REFUND_REASONS[reason]] : []),
        isByHand
          ? SENT_BY_HAND
          : mail.money.isArranged
            ? "You get it back the same way you paid."
            : `It should appear on your original payment method within ${policyText.refundBankDays}.`,
      ],
      links: [viewOrder(mail)],
    }),
    {
      "with a reason": { ...sample, cents: 24_00, reason: "damaged" },
      "of the whole charge": { ...sample, cents: 147_00, reason: null },
      "another way, after it failed": { ...sample, cents: 24_00, reason: null, isByHand: true },
      "of what was paid to us": { ...sample, money: { ...sample.money, isArranged: true }, cents: 24_00, reason: null },
    },
  ),
};
