/** A return in words for its customer: a headline, its steps, and what can be done now. */
import { formatMoney } from "#shop/money.ts";
import { hasPayments, PAYMENT_BY_HAND } from "#shop/payment-mode.ts";
import type { OrderViewEvent } from "#shop/orders/orders.server.ts";
import { policyText } from "#shop/policy-text.ts";
import type { Outcome, ReturnEvent, ReturnKind, ReturnState } from "#shop/returns/lifecycle.ts";
import { DEDUCTIONS, REFUSE_REASONS } from "#shop/returns/return.ts";
import type { ReturnDetails } from "#shop/returns/returns.server.ts";
import { dayText } from "../delay-words.ts";
import { bankTakes, type Headline } from "../order-headline.ts";
import type { Step } from "../order-timeline.ts";

const byHand = () => (hasPayments() ? "" : `${PAYMENT_BY_HAND} `);

const ARRIVED: Record<ReturnKind, string> = {
  return: "issue your refund",
  exchange: "send what you chose",
  defect: "send a replacement or your refund",
  warranty: "repair or replace it",
  repair: "tell you the price",
};

export function headline(rma: ReturnDetails): Headline {
  const { state, kind, shipBy, dueOn, quoteCents, fee, toPay } = rma;
  const by = dueOn ? ` by ${dayText(dueOn)}` : "";
  switch (state) {
    case "requested":
      return toPay
        ? {
            title: "Please pay the diagnostic fee",
            lead: `${byHand()}Then we’ll send you our address. We waive the fee if you go ahead with the repair.`,
          }
        : { title: "We’ve got your request", lead: "We’re looking at it, and will answer by email." };
    case "authorized":
      return shipBy
        ? {
            title: `Send it by ${dayText(shipBy)}`,
            lead: `Pack it well, put the slip in the box, and write ${rma.number} on the outside.`,
          }
        : { title: "Your label is next", lead: "We’ll email you a prepaid label. Please send nothing before." };
    case "received":
      return { title: "It’s here", lead: `We’re checking it, and will ${ARRIVED[kind]}${by}.` };
    case "inspected":
      return { title: "We’ve checked it", lead: `Next, we ${rma.quoteAcceptedAt ? "repair it" : ARRIVED[kind]}${by}.` };
    case "quoted":
      return {
        title: `The repair costs ${formatMoney(quoteCents ?? 0)}`,
        lead: `${fee?.isPaid ? `If you go ahead, we waive the fee: the ${formatMoney(fee.cents)} that you paid comes off. ` : ""}We start only if you say yes, and you pay once it’s repaired.`,
      };
    case "resolved":
    case "closed":
      return resolved(rma);
    case "declined":
      return {
        title: "We can’t take this back",
        lead: `${rma.refuseReason ? REFUSE_REASONS[rma.refuseReason] : ""} Questions? Just write to us.`.trim(),
      };
    case "withdrawn":
      return { title: "Withdrawn", lead: "You don’t need to send anything." };
    case "expired":
      return {
        title: "Closed for now",
        lead: "It didn’t reach us in time. Sent it anyway? Write to us, and we’ll reopen this.",
      };
  }
}

function resolved(rma: ReturnDetails): Headline {
  const { outcome, sent, toPay } = rma;
  const { refundCents } = rma.money;
  const amount = formatMoney(refundCents);
  const refund =
    rma.state === "closed"
      ? { title: `${amount} refunded`, lead: bankTakes, back: ` We’ve refunded ${amount}. ${bankTakes}` }
      : {
          title: `We’re refunding ${amount}`,
          lead: "We’ll email you once it’s done.",
          back: ` We’re refunding ${amount}.`,
        };
  const back = refundCents > 0 ? refund.back : "";
  if (toPay) {
    const forWhat =
      outcome === "repair"
        ? "It’s repaired."
        : outcome === "sent-back"
          ? "It’s the diagnostic fee."
          : "It’s the difference in price, with its tax.";
    return { title: `Please pay ${formatMoney(toPay.cents)}`, lead: `${forWhat} ${byHand()}Then we’ll ship it.` };
  }
  const what = {
    replacement: "Your replacement",
    repair: "Your repaired product",
    part: "Your part",
    "sent-back": "Your product",
  };
  if (!outcome || outcome === "refund") {
    return refundCents > 0 ? refund : { title: "Done", lead: "Nothing is left to refund." };
  }
  if (sent === "canceled")
    return {
      title: "It doesn’t come",
      lead: `We’ve canceled what we’d send you.${back || " Questions? Just write to us."}`,
    };
  return sent === "sent"
    ? { title: `${what[outcome]} is on its way`, lead: `We’ve emailed you the tracking number.${back}` }
    : { title: `${what[outcome]} ships soon`, lead: `We’ll email you the tracking number.${back}` };
}

const OUTCOME_STEPS = {
  refund: "We refund you",
  replacement: "We send a replacement",
  repair: "Repaired",
  part: "We send a part",
  "sent-back": "We send it back",
};
const resolution = (outcome: Outcome, cents: number) => ({
  title: OUTCOME_STEPS[outcome],
  ...(cents > 0 && { text: formatMoney(cents) }),
});

/** Text of an event; null for those that tell the customer nothing new. */
function stepOf(data: NonNullable<OrderViewEvent["data"]>, rma: ReturnDetails): Omit<Step, "at"> | null {
  const { deductionCents, deductionReason } = rma;
  switch (data.event as ReturnEvent) {
    case "requested":
      return { title: "Requested" };
    case "authorized":
      return { title: "Approved", text: `Your return number is ${rma.number}.` };
    case "reopened":
      return { title: "Reopened" };
    case "checks-sent":
      return { title: "Answered", text: "We emailed you what to try first." };
    case "fee-asked":
      return { title: "Diagnostic fee requested" };
    case "received":
      return { title: "Arrived" };
    case "inspected":
      return {
        title: "Checked",
        ...(deductionReason && {
          text: `${DEDUCTIONS[deductionReason]} That reduces the refund by ${formatMoney(deductionCents)}.`,
        }),
      };
    case "quoted":
      return { title: `Price: ${formatMoney(rma.quoteCents ?? 0)}` };
    case "quote-accepted":
      return { title: "You agreed to the repair" };
    case "quote-refused":
      return { title: "You declined the repair" };
    case "resolved":
      return resolution(data.outcome as Outcome, Number(data.cents));
    case "label-added":
      return { title: "Label sent", text: "We emailed it to you." };
    case "declined":
      return { title: "Declined", isTrouble: true };
    case "withdrawn":
      return { title: "Withdrawn", isTrouble: true };
    case "expired":
      return { title: "Not sent in time", isTrouble: true };
    case "reminded":
    case "closed":
      return null;
  }
}

const LAST: Record<ReturnKind, string> = {
  return: "Refund",
  exchange: "The new one ships",
  defect: "Replacement or refund",
  warranty: "Repair or replacement",
  repair: "Repair",
};
const ORDER: ReturnState[] = ["requested", "authorized", "received", "inspected", "resolved"];

function future(rma: ReturnDetails): Step[] {
  const { state, kind, shipBy, dueOn, money } = rma;
  const refund = kind === "return" && money.refundCents > 0 ? `${formatMoney(money.refundCents)} ` : "";
  const paysBy = dueOn ? `by ${dayText(dueOn)}` : `within ${policyText.refundBusinessDays} after it’s checked`;
  const last = kind === "return" ? `${refund}${paysBy}` : dueOn ? `By ${dayText(dueOn)}` : undefined;
  const all: Record<string, Step> = {
    authorized: { title: "Our answer", text: "By email", at: null },
    received: { title: "It arrives here", text: shipBy ? `Send it by ${dayText(shipBy)}` : undefined, at: null },
    inspected: { title: "We check it", at: null },
    resolved: { title: LAST[kind], text: last, at: null },
  };
  const now = ORDER.indexOf(state === "quoted" ? "inspected" : state);
  return now === -1 ? [] : ORDER.slice(now + 1).map((each) => all[each]!);
}

/** `events` are those of the order. */
export function stepsOf(rma: ReturnDetails, events: OrderViewEvent[]): Step[] {
  const past = events
    .filter(({ type, data }) => type === "return-changed" && data?.returnId === rma.id)
    .flatMap(({ data, at }) => {
      const step = data && stepOf(data, rma);
      return step ? [{ ...step, at }] : [];
    });
  return [...past, ...future(rma)];
}
