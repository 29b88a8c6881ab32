/** Form of a delay: a new day, or none that is known. */
import { DELAY_REASONS, type DelayReason, isReason } from "#shop/fulfillment/order-actions.ts";
import { z } from "#shop/zod.ts";

export const delayShape = {
  until: z.string().default(""),
  unknown: z.literal("on").optional(),
  reason: z
    .custom<DelayReason>((word) => isReason(DELAY_REASONS, String(word)), "Choose a reason")
    .default("not-ready"),
};

type DelayForm = { until: string; unknown?: "on" | undefined };

/** Returns the chosen day, YYYY-MM-DD as typed, or null for an unknown one. */
export function delayDay({ until, unknown }: DelayForm): { until: string | null } | { problem: string } {
  if (unknown && until) return { problem: "Choose a day, or that it is not known, not both" };
  return { until: unknown ? null : until };
}
