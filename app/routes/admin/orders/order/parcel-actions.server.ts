/** Actions on labels, and on parcels on their way. */
import { z } from "#shop/zod.ts";
import { BOX_NAMES, MAX_OUNCES } from "#shop/carriers/boxes.ts";
import { buyLabel, type Providers } from "#shop/carriers/labels.server.ts";
import { carrierProvider } from "#shop/carriers/open-carrier.server.ts";
import { quoteLabel } from "#shop/carriers/quotes.server.ts";
import { clock } from "#shop/clock.ts";
import { receiveBack, recordTracking, sendAgain, writeOff } from "#shop/fulfillment/parcels-on-the-way.server.ts";
import { LINE_REASONS } from "#shop/orders/reasons.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import { db } from "#platform/database.server.ts";
import { refused } from "#app/http/form.server.ts";
import { fieldError } from "../../action.server.ts";
import { onOrder, type OrderAction, outcome, parcelUnitsIn, WRONG_UNITS } from "./on-order.server.ts";
import { reasonIn } from "./refund-actions.server.ts";

/** Left empty, box and weight are those of the chosen items. */
const emptied = (typed: unknown) => (typed === "" ? undefined : typed);

const ratesShape = {
  box: z.preprocess(emptied, z.enum(BOX_NAMES, "Choose a box").optional()),
  ounces: z.preprocess(
    emptied,
    z.coerce
      .number("Enter the weight in ounces")
      .int("Enter whole ounces")
      .min(1, "Enter the weight in ounces")
      .max(MAX_OUNCES, `At most ${MAX_OUNCES} ounces`)
      .optional(),
  ),
};

const NO_WEIGHT = "Enter the weight: an item has none of its own";

/** Refused without a provider; labels are then bought elsewhere. */
async function withCarrier(action: OrderAction, run: (providers: Providers) => Promise<unknown>) {
  const carrier = carrierProvider();
  return carrier ? run({ carrier, payments: paymentProviders() }) : refused(action, "No carrier is set up.");
}

const rates = (action: OrderAction<z.output<z.ZodObject<typeof ratesShape>>>) =>
  withCarrier(action, async (providers) => {
    const units = parcelUnitsIn(action);
    if (!units) return fieldError(action, "units", WRONG_UNITS);
    const result = await quoteLabel(db, providers, action.id, { ...action.value, units }, action.by);
    if (!result.ok && result.reason === "no-weight") return fieldError(action, "ounces", NO_WEIGHT);
    return outcome(action, result, "Choose a rate, then buy the label.");
  });

const label = (action: OrderAction<{ label: string; rate: string }>) =>
  withCarrier(action, async (providers) => {
    const { label: labelId, rate } = action.value;
    const result = await buyLabel(db, providers, action.id, { labelId, rate }, action.by);
    const shipped = "Label bought and shipped. The customer was emailed the tracking number.";
    const waiting = "Label bought. It ships once the payment provider confirms.";
    return outcome(action, result, result.ok && result.state === "waiting" ? waiting : shipped);
  });

/** News of a parcel that staff have before its carrier. */
const tracked = (state: "refused" | "lost" | "delivered", message: string) =>
  onOrder({ shipment: z.uuid("Choose the shipment") }, async (action) => {
    const tracking = { state, at: clock.now() };
    return outcome(action, await recordTracking(db, action.id, action.value.shipment, tracking, action.by), message);
  });

export const parcelActions = {
  rates: onOrder(ratesShape, rates),
  "buy-label": onOrder({ label: z.uuid(), rate: z.string("Choose a rate") }, label),
  refused: tracked("refused", "Marked as refused. The customer was notified."),
  lost: tracked("lost", "Marked as lost. The customer was notified."),
  arrived: tracked("delivered", "Marked as delivered."),
  returned: onOrder({ shipment: z.uuid("Choose the shipment"), stock: z.enum(["back", "off"]) }, async (action) => {
    const { shipment, stock } = action.value;
    const result = await receiveBack(db, action.id, shipment, { returnsStock: stock === "back" }, action.by);
    return outcome(action, result, "Received. If it is not refunded yet, refund it or send it again.");
  }),
  "write-off": onOrder({ shipment: z.uuid("Choose the shipment"), reason: reasonIn(LINE_REASONS) }, async (action) => {
    const { shipment: shipmentId, reason } = action.value;
    const result = await writeOff(db, action.id, { shipmentId, reason }, action.by);
    return outcome(action, result, "Written off. The customer was notified.");
  }),
  "send-again": onOrder({ shipment: z.uuid("Choose the shipment") }, async (action) => {
    const result = await sendAgain(db, action.id, action.value.shipment, action.by);
    return outcome(action, result, "Its items will ship again, without another charge.");
  }),
};
