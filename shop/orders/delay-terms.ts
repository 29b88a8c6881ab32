/**
 * Deadlines of delay notices, after the US Mail, Internet, or Telephone Order Merchandise Rule, 16 CFR 435.2(b) and (c).
 * Days are YYYY-MM-DD in New York and end at midnight there.
 */
import { lastShipDay } from "#shop/catalog/stock.ts";
import { daysAfter, isDay, newYorkDay } from "#shop/new-york-time.ts";
import type { DelayNotice } from "./facts.ts";

/** Calendar days after the first promise that silence covers, and that a later or unknown day leaves for a yes. */
const FIRST_DELAY_DAYS = 30;

/** True for a day to which an order can be delayed: after today, and in a year that is not mistyped. */
export const isDelayDay = (day: string, now: Date): boolean =>
  isDay(day) && day > newYorkDay(now) && day <= lastShipDay(now);

/** `until` is null for an unknown day, `answerBy` if the order stood on silence. */
export type SentNotice = { until: string | null; answerBy: string | null; isAccepted: boolean };

/** `promisedOn` is the day that was promised before any notice; the oldest notice comes first. */
export type DelayHistory = { promisedOn: string; sent: readonly SentNotice[] };

/** `until` and `answerBy` as in a notice: the day to which the buyer has agreed, and the deadline of an open question. */
function agreedOf({ promisedOn, sent }: DelayHistory): { until: string | null; answerBy: string | null } {
  let until: string | null = promisedOn;
  let answerBy: string | null = null;
  for (const notice of sent) {
    const isAgreed = notice.answerBy === null || notice.isAccepted;
    answerBy = isAgreed ? null : notice.answerBy;
    if (isAgreed) until = until === null || notice.until === null ? null : later(until, notice.until);
  }
  return { until, answerBy };
}

/** Day to which the buyer has agreed, by a yes or by silence; null if they agreed to any. */
export const agreedDay = (history: DelayHistory): string | null => agreedOf(history).until;

const later = (one: string, other: string) => (one > other ? one : other);

export type NoticeTerms = {
  /** Last new day that stands on silence; null if none does. */
  silentUntil: string | null;
  /** Day by whose end a later or unknown day needs a yes; null if the buyer has agreed to wait for any day. */
  answerBy: string | null;
};

/**
 * Terms of a notice sent on `today`:
 * - A first new day stands on silence up to 30 days after the promise; a later or unknown one needs a yes within these
 *   30 days, in which the order may still ship: (b)(1)(ii) and (iii), (c)(2).
 * - A further delay needs a yes by the day agreed to: (b)(2)(ii), (c)(3). An open question keeps its deadline.
 * - A yes to an unknown day covers every later notice: the buyer may cancel at any time: (b)(1)(iii), (b)(2)(iii).
 * - A notice on the last day, or late, can be answered until the end of the next day; refunds are due within seven
 *   working days of the deadline: 435.1(b).
 */
export function noticeTerms(history: DelayHistory, today: string): NoticeTerms {
  const { promisedOn } = history;
  const { until: agreed, answerBy: open } = agreedOf(history);
  if (open !== null) return { silentUntil: null, answerBy: later(open, today) };
  if (agreed === null) return { silentUntil: null, answerBy: null };
  const isFirst = agreed === promisedOn;
  const end = isFirst ? daysAfter(promisedOn, FIRST_DELAY_DAYS) : agreed;
  return {
    silentUntil: isFirst && today <= promisedOn ? end : agreed,
    answerBy: later(end, daysAfter(today, 1)),
  };
}

/** Day by whose end the buyer must agree to a new day, or to an unknown one (null); null if silence keeps the order. */
export function answerDay(history: DelayHistory, until: string | null, today: string): string | null {
  const { silentUntil, answerBy } = noticeTerms(history, today);
  return until !== null && silentUntil !== null && until <= silentUntil ? null : answerBy;
}

type Notice = Pick<DelayNotice, "from" | "until" | "answerBy"> & { acceptedAt: Date | string | null };

/** The promise that some notices, oldest first, have moved to `shipBy`, in the form of the rule. */
export const historyOf = (shipBy: string | null, notices: readonly Notice[]): DelayHistory => ({
  promisedOn: notices[0]?.from ?? shipBy ?? "",
  sent: notices.map(({ until, answerBy, acceptedAt }) => ({ until, answerBy, isAccepted: acceptedAt !== null })),
});
