/** The period of the analytics screen in its address: one of the usual spans up to today, or two dates. */
import { SPANS, type Span } from "#shop/analytics/events.ts";
import type { Period } from "#shop/analytics/analytics.server.ts";
import { daysAfter, daysBetween, newYorkMoment } from "#shop/new-york-time.ts";

const MAX_DAYS = 366;

const isDay = (text: string | null): text is string => newYorkMoment(`${text}T12:00`) !== null;

/** `span` is null for two dates, for which the bestsellers are not known. */
export type ShownPeriod = Required<Period> & { span: Span | null };

export function readPeriod(query: URLSearchParams, today: string): ShownPeriod {
  const [since, until] = [query.get("since"), query.get("until")];
  if (isDay(since) && isDay(until) && until <= today) {
    const days = daysBetween(since, until) + 1;
    if (days >= 1 && days <= MAX_DAYS) return { days, until, span: null };
  }
  const span = SPANS.find((each) => String(each) === query.get("days")) ?? 28;
  return { days: span, until: today, span };
}

export const periodBefore = ({ days, until }: Required<Period>): Required<Period> => ({
  days,
  until: daysAfter(until, -days),
});
