/** Delays: notices of a new day. The rule of the terms is in delay-terms.ts. */
import { newYorkDay, newYorkHour, daysAfter } from "#shop/new-york-time.ts";
import { shippingPolicy } from "#shop/policies.ts";
import { answerDay, historyOf, isDelayDay, noticeTerms, type NoticeTerms } from "../delay-terms.ts";
import {
  decided,
  NOTHING,
  refused,
  type DecidedBy,
  type Change,
  type Decision,
  type DelayNotice,
  type Facts,
} from "../facts.ts";
import { withdrawAnnouncements } from "./announce.ts";
import { endsUnanswered, isWaiting, noticesOf, type OrderState } from "../state.ts";
import { summaryOf } from "../summary.ts";

const promised = ({ facts }: OrderState) => historyOf(facts.order.shipBy, noticesOf(facts));

/** Terms of a notice sent on `today`; silence keeps an order of which nothing that waits was bought. */
export const termsOf = (state: OrderState, today: string): NoticeTerms =>
  state.units.some(endsUnanswered) ? noticeTerms(promised(state), today) : { silentUntil: null, answerBy: null };

export type Delay = {
  /** A day, or null for an unknown one. */
  until: string | null;
  reason: string;
  /** The buyer will be asked to pay again, if the authorization ends before. */
  paysAgain?: boolean;
};

/** Day on which the authorization ends, if that is before what ships by `until`. */
function holdEndBefore({ money: { authorized } }: OrderState, until: string | null): string | null {
  const end = authorized?.captureBefore ? newYorkDay(authorized.captureBefore) : null;
  return end !== null && (until === null || end <= until) ? end : null;
}

/**
 * Moves the promised day of what waits, to the end of a later day within two years or to an unknown one, and sends the notice. Refusals:
 * 'status', 'under-way', 'day', 'hold-ends' if the authorization ends before, unless the buyer `paysAgain`.
 */
export function delay(state: OrderState, { until, reason, paysAgain = false }: Delay, act: DecidedBy): Decision {
  const { promise, packing } = state;
  const { order } = state.facts;
  const waiting = state.units.filter(isWaiting);
  if (!order.confirmedAt || order.end || (waiting.length === 0 && !packing)) return refused("status");
  if (until === promise.shipBy) return NOTHING;
  if (packing) return refused("under-way");
  if (until !== null && (!isDelayDay(until, act.at) || until < (promise.shipBy ?? ""))) return refused("day");
  const holdEndsOn = holdEndBefore(state, until);
  if (holdEndsOn !== null && !paysAgain) return refused("hold-ends");
  const answerBy = waiting.some(endsUnanswered) ? answerDay(promised(state), until, act.today) : null;
  const notice: DelayNotice = {
    id: act.newId(),
    sentAt: act.at,
    from: promise.shipBy,
    until,
    answerBy,
    acceptedAt: null,
  };
  const told = { until, answerBy, reason };
  return decided(withdrawAnnouncements(state, act), {
    order: { shipBy: until },
    delays: [notice],
    events: [{ type: "delayed", data: { from: notice.from, ...told } }],
    emails: [
      {
        situation: "order-delayed",
        ...told,
        // No day is named before the order is paid.
        from: isUnpaid(state).isFirst ? null : notice.from,
        isRest: state.stage === "partly-shipped",
        isFree: waiting.every(({ valueCents }) => valueCents === 0),
        isCharged: waiting.some(({ isPaid, isGivenBack }) => isPaid && !isGivenBack),
        holdEndsOn,
      },
    ],
  });
}

/** What waits is not paid: no payment was ever made (`isFirst`), or it must be made again. */
function isUnpaid({ facts }: OrderState): { isFirst: boolean; isAgain: boolean } {
  const { attention } = summaryOf(facts);
  return {
    isFirst: attention.includes("arrange"),
    isAgain: attention.includes("pay-again") || attention.includes("card-refused"),
  };
}

/** The latest day whose parcels have left, in New York. */
export const lastDayLeft = (at: Date): string =>
  daysAfter(newYorkDay(at), newYorkHour(at) < shippingPolicy.pickupHour ? -1 : 0);

/**
 * Sends the notice of an unknown day to the buyer of what did not leave on the promised day. Refusals: those of a delay,
 * 'disputed', and 'not-paid' where no day is promised before the first payment.
 */
export function delayLate(state: OrderState, _input: object, act: DecidedBy): Decision {
  const { shipBy } = state.promise;
  if (shipBy === null || shipBy > lastDayLeft(act.at)) return NOTHING;
  if (state.money.isDisputed || state.money.isMismatched) return refused("disputed");
  const { isFirst, isAgain } = isUnpaid(state);
  if (isFirst) return refused("not-paid");
  return delay(state, { until: null, reason: isAgain ? "unpaid" : "not-ready", paysAgain: true }, act);
}

/** An open question can be answered until the end of the next day, if what it asks about waits again. */
export function reopenAnswer(facts: Facts, { today }: DecidedBy): Change {
  const last = noticesOf(facts).at(-1);
  const tomorrow = daysAfter(today, 1);
  if (!last || last.acceptedAt || last.answerBy === null || last.answerBy >= tomorrow) return {};
  return { delays: [{ ...last, answerBy: tomorrow }] };
}
