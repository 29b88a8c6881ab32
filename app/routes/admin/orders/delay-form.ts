/** Form of a delay: a new day, or none that is known. */
import { clock } from "#shop/clock.ts";
import { isDelayDay } from "#shop/orders/delay-terms.ts";
import { DELAY_REASONS, type DelayReason, isReason } from "#shop/orders/reasons.ts";
import { z } from "#shop/zod.ts";

export const delayShape = {
  until: z.string().default(""),
  unknown: z.literal("on").optional(),
  reason: z
    .custom<DelayReason>((word) => isReason(DELAY_REASONS, String(word)), "Choose a reason")
    .default("not-ready"),
};

export const DAY_PROBLEM = "Choose a date after today and within two years";

type DelayForm = { until: string; unknown?: "on" | undefined };

/** Returns the chosen day, YYYY-MM-DD as typed, or null for an unknown one. */
export function delayDay({ until, unknown }: DelayForm): { until: string | null } | { problem: string } {
  if (unknown && until) return { problem: "Choose a day, or that it is not known, not both" };
  if (unknown) return { until: null };
  return isDelayDay(until, clock.now()) ? { until } : { problem: DAY_PROBLEM };
}
