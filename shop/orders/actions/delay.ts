/** Delays: staff, or the end of the promised day, send a notice. The rule of the terms is in delay-terms.ts. */
import type { DelayReason } from "../reasons.ts";
import { newYorkDay, newYorkHour, daysAfter } from "#shop/new-york-time.ts";
import { shippingPolicy } from "#shop/policies.ts";
import { isDelayDay } from "../delay-terms.ts";
import { decided, NOTHING, refused, type DecidedBy, type Change, type Decision } from "../change.ts";
import type { Facts } from "../facts.ts";
import { withdrawAnnouncements } from "./announce.ts";
import { holdEndBefore, notice } from "./notice.ts";
import { mayShip, noticesOf, type OrderState } from "../state.ts";
import { summaryOf } from "../summary.ts";

export type Delay = {
  /** A day, or null for an unknown one. */
  until: string | null;
  reason: DelayReason;
  /** The buyer will be asked to pay again, if the authorization ends before. */
  paysAgain?: boolean;
};

/**
 * Moves the promised day of what waits, to the end of a later day within two years or to an unknown one, and sends the notice. Refusals:
 * 'status', 'under-way', 'day', 'hold-ends' if the authorization ends before, unless the buyer `paysAgain`.
 */
export function delay(state: OrderState, { until, reason, paysAgain = false }: Delay, act: DecidedBy): Decision {
  const { promise, packing } = state;
  const { order } = state.facts;
  if (!order.confirmedAt || order.end || (!state.units.some(mayShip) && !packing)) return refused("status");
  if (until === promise.shipBy) return NOTHING;
  if (packing) return refused("under-way");
  if (until !== null && (!isDelayDay(until, act.at) || until < (promise.shipBy ?? ""))) return refused("day");
  if (holdEndBefore(state, until) !== null && !paysAgain) return refused("hold-ends");
  return decided(
    withdrawAnnouncements(state, act),
    // No day is named before the order is paid.
    notice(state, { until, reason, wasTold: !summaryOf(state.facts).attention.includes("arrange") }, act),
  );
}

/** The latest day whose parcels have left, in New York. */
export const lastDayLeft = (at: Date): string =>
  daysAfter(newYorkDay(at), newYorkHour(at) < shippingPolicy.pickupHour ? -1 : 0);

/**
 * Sends the notice of an unknown day to the buyer of what did not leave on the promised day. Refusals: those of a delay,
 * 'disputed', and 'not-paid' where no day is promised before the first payment, or a refused charge has a last day to pay.
 */
export function delayLate(state: OrderState, _input: object, act: DecidedBy): Decision {
  const { shipBy } = state.promise;
  if (shipBy === null || shipBy > lastDayLeft(act.at)) return NOTHING;
  if (state.money.isDisputed || state.money.isMismatched) return refused("disputed");
  const { attention } = summaryOf(state.facts);
  if (attention.includes("arrange") || attention.includes("card-refused")) return refused("not-paid");
  const reason = attention.includes("pay-again") ? "unpaid" : "not-ready";
  return delay(state, { until: null, reason, paysAgain: true }, act);
}

/** An open question can be answered until the end of the next day, if what it asks about waits again. */
export function reopenAnswer(facts: Facts, { today }: DecidedBy): Change {
  const last = noticesOf(facts).at(-1);
  const tomorrow = daysAfter(today, 1);
  if (!last || last.acceptedAt || last.answerBy === null || last.answerBy >= tomorrow) return {};
  return { delays: [{ ...last, answerBy: tomorrow }] };
}
