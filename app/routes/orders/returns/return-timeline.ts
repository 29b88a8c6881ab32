/** A return in words for its customer: a headline, its steps, and what can be done now. */
import { formatMoney } from "#shop/money.ts";
import { hasPayments, PAYMENT_BY_HAND } from "#shop/payment-mode.ts";
import type { OrderViewEvent } from "#shop/orders/orders.server.ts";
import { bankTakes, dayText, refundFailed, type Headline } from "#shop/orders/situation-words.ts";
import { policyText } from "#shop/policy-text.ts";
import type { Outcome, ReturnEvent, ReturnKind, ReturnState } from "#shop/returns/lifecycle.ts";
import { DEDUCTIONS, REFUSE_REASONS } from "#shop/returns/return.ts";
import type { ReturnDetails } from "#shop/returns/returns.server.ts";
import type { Step } from "../order-timeline.ts";

const QUESTIONS = "Questions? Just contact us.";

const byHand = () => (hasPayments() ? "" : `${PAYMENT_BY_HAND} `);

const ARRIVED: Record<ReturnKind, string> = {
  return: "issue your refund",
  exchange: "send what you chose",
  defect: "send a replacement or your refund",
  warranty: "repair or replace it",
  repair: "tell you the price",
};

/** An exchange for what is sold out, or does not come anymore, is refunded as a return is. */
export const promisedKind = ({ kind, state, sent }: ReturnDetails): ReturnKind =>
  kind === "exchange" && state !== "requested" && (sent === null || sent === "canceled") ? "return" : kind;

export function headline(orderReturn: ReturnDetails): Headline {
  const { state, shipBy, dueOn, quoteCents, fee, toPay } = orderReturn;
  const kind = promisedKind(orderReturn);
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
            lead: `Pack it well, put the slip in the box, and write ${orderReturn.number} on the outside.`,
          }
        : {
            title: "Your label is next",
            lead: "We’ll email you a prepaid label. Please don’t send anything before then.",
          };
    case "received":
      return { title: "It’s here", lead: `We’re checking it, and will ${ARRIVED[kind]}${by}.` };
    case "inspected":
      return {
        title: "We’ve checked it",
        lead: `Next, we ${orderReturn.quoteAcceptedAt ? "repair it" : ARRIVED[kind]}${by}.`,
      };
    case "quoted":
      return {
        title: `The repair costs ${formatMoney(quoteCents ?? 0)}`,
        lead: `${fee?.isPaid ? `If you go ahead, we waive the fee: the ${formatMoney(fee.cents)} that you paid comes off. ` : ""}We’ll start only if you say yes, and you’ll pay once it’s repaired.`,
      };
    case "resolved":
    case "closed":
      return resolved(orderReturn);
    case "declined":
      return declined(orderReturn);
    case "withdrawn":
      return {
        title: "Withdrawn",
        lead: `You don’t need to send anything.${orderReturn.authorizedAt ? " Sent it already? Contact us, and we’ll reopen this." : ""}`,
      };
    case "expired":
      return {
        title: "Closed for now",
        lead: "It didn’t reach us in time. Sent it anyway? Contact us, and we’ll reopen this.",
      };
  }
}

function declined({ kind, refuseReason }: ReturnDetails): Headline {
  const comesBack = kind === "return" || kind === "exchange";
  const title = comesBack ? "We can’t take this back" : "We can’t accept this";
  const why = refuseReason ? `${REFUSE_REASONS[refuseReason]} ` : "";
  return { title: refuseReason === "helped" ? "Solved" : title, lead: `${why}${QUESTIONS}` };
}

function resolved(orderReturn: ReturnDetails): Headline {
  const { outcome, toPay } = orderReturn;
  // A unit that a closed return no longer shows has arrived, and is in another return since.
  const sent = orderReturn.sent ?? (orderReturn.state === "closed" ? "arrived" : null);
  const { refundCents, refundState } = orderReturn.money;
  const amount = formatMoney(refundCents);
  const refund =
    refundState === "done"
      ? { title: `${amount} refunded`, lead: bankTakes, back: ` We’ve refunded ${amount}. ${bankTakes}` }
      : {
          title: `We’re refunding ${amount}`,
          lead: refundState === "failed" ? refundFailed : "We’ll email you once it’s done.",
          back: ` We’re refunding ${amount}.`,
        };
  const back = refundCents > 0 ? refund.back : "";
  if (toPay) {
    const forWhat =
      outcome === "repair"
        ? "It’s repaired."
        : outcome === "sent-back"
          ? "It’s the diagnostic fee."
          : "It’s the difference in price, with tax.";
    const then = toPay.payBy
      ? `Pay by ${dayText(toPay.payBy)} and we’ll ship it. After that, we’ll refund what you sent back instead.`
      : "Then we’ll ship it.";
    return { title: `Please pay ${formatMoney(toPay.cents)}`, lead: `${forWhat} ${byHand()}${then}` };
  }
  const what = {
    replacement: "Your replacement",
    repair: "Your repaired product",
    part: "Your part",
    "sent-back": "Your product",
  };
  if (!outcome || outcome === "refund") {
    return refundCents > 0 ? refund : { title: "Done", lead: "There’s nothing left to refund." };
  }
  if (sent === "canceled")
    return {
      title: "It won’t be coming",
      lead: `We’ve canceled what we were going to send you.${back || ` ${QUESTIONS}`}`,
    };
  if (sent === "arrived") return { title: `${what[outcome]} was delivered`, lead: back.trim() || QUESTIONS };
  if (sent === "astray")
    return { title: `${what[outcome]} didn’t arrive`, lead: `We’ve emailed you what happens next.${back}` };
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
function stepOf(data: NonNullable<OrderViewEvent["data"]>, orderReturn: ReturnDetails): Omit<Step, "at"> | null {
  const { deductionCents, deductionReason } = orderReturn;
  switch (data.event as ReturnEvent) {
    case "requested":
      return { title: "Requested" };
    case "authorized":
      return { title: "Approved", text: `Your return number is ${orderReturn.number}.` };
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
      return { title: `Price: ${formatMoney(orderReturn.quoteCents ?? 0)}` };
    case "quote-accepted":
      return { title: "Repair agreed to" };
    case "quote-refused":
      return { title: "Repair declined" };
    case "resolved":
      return resolution(data.outcome as Outcome, Number(data.cents));
    case "label-added":
      return { title: "Label sent", text: "We emailed it to you." };
    case "payment-recorded":
      return { title: "Paid", text: formatMoney(Number(data.cents)) };
    case "charge-waived":
      return {
        title: "Nothing to pay",
        text: `We’ve taken back the ${formatMoney(Number(data.cents))} that we asked for.`,
      };
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

function future(orderReturn: ReturnDetails): Step[] {
  const { state, shipBy, dueOn, money } = orderReturn;
  const kind = promisedKind(orderReturn);
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
export function stepsOf(orderReturn: ReturnDetails, events: OrderViewEvent[]): Step[] {
  const past = events
    .filter(({ type, data }) => type === "return-changed" && data?.returnId === orderReturn.id)
    .flatMap(({ data, at }) => {
      const step = data && stepOf(data, orderReturn);
      return step ? [{ ...step, at }] : [];
    });
  return [...past, ...future(orderReturn)];
}
