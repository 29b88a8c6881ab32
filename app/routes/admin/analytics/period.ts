/** The period of the analytics screen in its address: one of the usual spans up to today, or two dates. */
import { SPANS, type Span } from "#shop/analytics/events.ts";
import type { Period } from "#shop/analytics/analytics.server.ts";
import { daysAfter, daysBetween } from "#shop/new-york-time.ts";
import { readDates } from "../dates.ts";

const MAX_DAYS = 366;

export const CUSTOM = "custom";

/** `span` is null for two dates. */
export type ShownPeriod = Required<Period> & { span: Span | null; problem?: string };

export function readPeriod(query: URLSearchParams, today: string): ShownPeriod {
  const typed = query.get("days");
  const span = SPANS.find((each) => String(each) === typed) ?? 28;
  const usual = { days: span, until: today, span };
  if (typed !== CUSTOM) return usual;
  const { from, to, problem } = readDates(query, { from: daysAfter(today, 1 - span), to: today });
  const days = daysBetween(from, to) + 1;
  const wrong =
    problem ?? (to > today ? "“To” is in the future" : days > MAX_DAYS ? `Choose ${MAX_DAYS} days or less` : undefined);
  return wrong ? { ...usual, problem: `${wrong}. The last ${span} days are shown.` } : { days, until: to, span: null };
}

export const periodBefore = ({ days, until }: Required<Period>): Required<Period> => ({
  days,
  until: daysAfter(until, -days),
});
