/** Emails about cancellations, changes and refunds of an order. */
import { formatMoney } from "#shop/money.ts";
import { policyText } from "#shop/policy-text.ts";
import {
  CANCEL_REASONS,
  DECLINE_REASONS,
  isReason,
  LINE_REASONS,
  REFUND_REASONS,
  SENT,
  type CancelReason,
  type LineReason,
  type RefundReason,
  type Sent,
} from "#shop/orders/reasons.ts";
import {
  authorized,
  card,
  charged,
  type OfOrder,
  orderId,
  sample,
  viewOrder,
  template,
} from "./email-template.server.ts";
import { loadCancellation, type OrderMail } from "./order-for-mail.server.ts";
import type { Database } from "#db/connection.server.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import type { RefundItem } from "#shop/orders/facts.ts";
import { byLine } from "#shop/orders/lines.ts";
import { centsOf, taxOf } from "#shop/orders/order-money.ts";
import { orderState } from "#shop/orders/state.ts";

type LineChange = OfOrder & { items: { itemId: string; units: number }[]; reason: LineReason; refundCents: number };
/** `sent`: staff have given it back, and not its provider. Without `refundId` nobody promised it. */
type Refund = OfOrder & { refundId: string | null; cents: number; reason: RefundReason | null; sent?: Sent };
/** Units of a line, or the shipping, with what is given back for them. */
type RefundedItem = { name: string; cents: number; taxCents: number };

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "order-canceled": OfOrder;
    "order-declined": OfOrder;
    "order-changed": LineChange;
    "refund-issued": Refund;
  }
}

/** The items of a refund; of an amount, or of one that is given back in parts, none. */
async function loadRefund(db: Database, job: Refund): Promise<Refund & { items: RefundedItem[] }> {
  const facts = job.refundId ? await readFacts(db, job.orderId) : null;
  const state = facts && orderState(facts);
  const found = state?.refunds.find(({ id }) => id === job.refundId);
  if (!state || found?.cents !== job.cents) return { ...job, items: [] };
  const sums = (of: readonly RefundItem[]) => ({ cents: centsOf(of), taxCents: taxOf(of) });
  const ofUnits = (numbers: readonly number[]) =>
    found.items.filter(({ unit }) => unit !== null && numbers.includes(unit));
  const refunded = state.units.filter(({ number }) => ofUnits([number]).length > 0);
  const lines = byLine(state, refunded).map(({ line, units }) => ({
    name: `${units} x ${line.name}`,
    ...sums(ofUnits(refunded.filter(({ lineId }) => lineId === line.id).map(({ number }) => number))),
  }));
  const shipping = found.items.filter(({ kind }) => kind === "shipping");
  const items = [...lines, ...(shipping.length > 0 ? [{ name: "shipping", ...sums(shipping) }] : [])];
  return { ...job, items: centsOf(items) === job.cents ? items : [] };
}

/** Such as "1 x Ethylene Filter 2-Pack ($24.00 plus $1.98 tax)". */
const itemWords = ({ name, cents, taxCents }: RefundedItem): string =>
  `${name} (${formatMoney(cents - taxCents)}${taxCents > 0 ? ` plus ${formatMoney(taxCents)} tax` : ""})`;

function refundInfo({ money: { hasPayment, toRefundCents, refundedCents, savedCard } }: OrderMail): string {
  if (toRefundCents > 0)
    return `We’ll refund the ${formatMoney(toRefundCents)} you paid within ${policyText.cancellationRefundBusinessDays}.`;
  if (refundedCents > 0) return `We’ve refunded the ${formatMoney(refundedCents)} you paid.`;
  if (savedCard) return "Nothing was charged, and we’ll delete your saved card.";
  return hasPayment
    ? "Nothing was charged. Your bank will release the authorization, which may show for a few more days."
    : "Nothing was charged.";
}

const change: LineChange = { orderId, items: [{ itemId: "1", units: 2 }], reason: "sold-out", refundCents: 0 };

const toRefund = { ...charged, money: { ...charged.money, toRefundCents: 147_00 } };
const refund = { ...sample, refundId: null, cents: 24_00, reason: null, items: [] };
const filters = { name: "1 x Ethylene Filter 2-Pack", cents: 25_98, taxCents: 1_98 };

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
      charged: { ...toRefund, reason: null },
      "after a delay without an answer": { ...toRefund, reason: "unanswered" },
      "after a refused charge": {
        ...authorized,
        money: { ...authorized.money, savedCard: card },
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
          ? `We’ll refund the ${formatMoney(refundCents)} you paid for it within ${policyText.cancellationRefundBusinessDays}.`
          : money.hasPayment && money.paidCents === 0 && money.isToCharge
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

  "refund-issued": template<Refund, Refund & { items: RefundedItem[] }>(
    ({ cents, items, reason, sent, ...mail }, number) => ({
      subject: `Your refund for Polara order ${number}`,
      heading: "Your refund is on its way",
      intro: `we’ve refunded ${formatMoney(cents)} for your order ${number}.`,
      words: [
        ...(reason ? [REFUND_REASONS[reason]] : []),
        ...(items.length > 0
          ? [`The refund is for ${new Intl.ListFormat("en-US").format(items.map(itemWords))}.`]
          : []),
        sent ? SENT[sent] : `It should appear on your original payment method within ${policyText.refundBankDays}.`,
      ],
      links: [viewOrder(mail)],
    }),
    {
      "of an amount": { ...refund, reason: "damaged" },
      "of items": { ...refund, cents: 33_98, items: [filters, { name: "shipping", cents: 8_00, taxCents: 0 }] },
      "another way, after it failed": { ...refund, sent: "refused" },
      "another way": { ...refund, sent: "otherwise" },
      "of what was paid to us": { ...refund, sent: "by-hand" },
    },
    loadRefund,
  ),
};
