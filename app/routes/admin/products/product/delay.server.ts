/** Delays of all orders of a product, confirmed after a preview. */
import { z } from "#shop/zod.ts";
import { delayProduct, previewDelay, type DelayPreview } from "#shop/fulfillment/delay-product.server.ts";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { done, refused } from "#app/http/form.server.ts";
import { staffMay } from "#app/session/staff.server.ts";
import { fieldError, handle } from "../../action.server.ts";
import { DAY_PROBLEM, delayDay, delayShape } from "../../orders/delay-form.ts";

export type ShownPreview = DelayPreview & {
  /** The day and the number of orders of this preview, which a confirmation names. */
  confirms: string;
  email: { subject: string; text: string };
};

const schema = z.object({
  ...delayShape,
  paysAgain: z.literal("on").optional(),
  movesShipDay: z.literal("on").optional(),
  confirms: z.string().optional(),
});

const counted = (orders: number) => `${orders.toLocaleString("en-US")} ${orders === 1 ? "order" : "orders"}`;

export const delay = handle(schema, async (action) => {
  const { reason, confirms } = action.value;
  const day = delayDay(action.value);
  if ("problem" in day) return fieldError(action, "until", day.problem);
  const { until } = day;
  const paysAgain = action.value.paysAgain === "on";
  const preview = await previewDelay(db, action.id, { until, paysAgain });
  if (!preview) return fieldError(action, "until", DAY_PROBLEM);
  const [first] = preview.groups;
  if (!first && preview.payAgain === 0) return refused(action, "No order waits that would ship before this date.");
  const shown = `${until} ${preview.orders}`;
  if (!first || confirms !== shown) {
    const { sampleNotice } = await import("#shop/fulfillment/delay-email.server.ts");
    const { shipBy: from, answerBy } = first ?? { shipBy: null, answerBy: null };
    const { subject, text } = sampleNotice({ from, until, answerBy, reason }, config());
    const data: ShownPreview = { ...preview, confirms: shown, email: { subject, text } };
    return refused(action, "Nothing has changed yet. Review the delay, then confirm it.", { status: 200, data });
  }
  const movesShipDay = action.value.movesShipDay === "on" && staffMay(action.context, "products:edit");
  const isRequested = await delayProduct(db, action.id, { until, reason, paysAgain, movesShipDay }, action.by);
  if (!isRequested) return refused(action, "This product was deleted.", { status: 404 });
  const message = `${counted(preview.orders)} will be delayed, 200 a minute. Each customer is emailed, and may cancel.`;
  return done(action, message, { clears: true });
});
