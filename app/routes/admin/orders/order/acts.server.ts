/** What is done to one order on its page: each act by the function that the shop has for it, with who does it. */
import type { RouterContextProvider } from "react-router";
import { z } from "zod";
import { db } from "../../../../database.server.ts";
import { shippingSchema } from "../../../../../shop/checkout/checkout-form.ts";
import { addNote, correctAddress, holdOrder, resendEmail } from "../../../../../shop/fulfillment/beside.server.ts";
import { openOrder } from "../../../../../shop/fulfillment/desk.server.ts";
import { cancelByStaff, declineByStaff } from "../../../../../shop/fulfillment/end-order.server.ts";
import {
  askForPayment,
  cancelLine,
  delayOrder,
  markDelivered,
} from "../../../../../shop/fulfillment/fulfill.server.ts";
import { DECLINE_REASONS, isReason, LINE_REASONS } from "../../../../../shop/fulfillment/reasons.ts";
import { shipOrder } from "../../../../../shop/fulfillment/ship.server.ts";
import { CARRIER_CODES, guessCarrier } from "../../../../../shop/fulfillment/shipment.ts";
import { paymentProvider } from "../../../../../shop/payments/open-provider.server.ts";
import { settleOrder } from "../../../../../shop/payments/settle/settle.server.ts";
import { ProviderError } from "../../../../../shop/payments/provider.ts";
import { writeAudit } from "../../../../../shop/staff/audit.server.ts";
import { requiredLine } from "../../../../../shop/text.ts";
import { actingOf } from "../../../../session/staff.server.ts";
import { done, invalid, readAct, refused } from "../../act.server.ts";
import { emailsOf } from "./emails.ts";
import { field, outcome, type OrderAct } from "./outcome.server.ts";
import { refund } from "./refund.server.ts";
import { refusalWords } from "./refusals.ts";
import { unitsIn } from "./units.ts";

type Context = Readonly<RouterContextProvider>;

const FIELDS = (
  "seen text carrier tracking until reason keep stock rest amount shipping refundsSeen addressSeen email " +
  "shippingFirstName shippingLastName shippingAddressLine1 shippingAddressLine2 shippingCity shippingState shippingPostalCode"
).split(" ");

const noteSchema = z.object({
  text: z.string().trim().min(1, "Write something first").max(2000, "At most 2,000 characters"),
});
const addressSchema = shippingSchema.omit({ shippingCountry: true, shippingMethod: true });
const handlers: Record<string, (given: OrderAct) => Promise<ReturnType<typeof done>>> = {
  async note(given) {
    const { act, context, id } = given;
    const read = noteSchema.safeParse({ text: act.form.get("text") ?? "" });
    if (!read.success) return invalid(act, read.error);
    const result = await addNote(db, id, read.data.text, actingOf(context));
    return outcome(given, result, "The note stands in the timeline.");
  },
  async ship(given) {
    const { act, context, order, id } = given;
    const tracking = (act.form.get("tracking") ?? "").trim();
    if (!tracking) return field(act, "tracking", "Enter the tracking number");
    const carrier = CARRIER_CODES.find((code) => code === act.form.get("carrier")) ?? guessCarrier(tracking);
    if (!carrier) return field(act, "tracking", "No carrier has such a number. Check it, or choose its carrier.");
    const units = unitsIn(act.form, order.lines);
    const parcel = { carrier, trackingNumber: tracking, ...(units && { units }) };
    const result = await shipOrder(db, paymentProvider(), id, parcel, actingOf(context));
    if (!result.ok && result.reason === "tracking-number") return field(act, "tracking", refusalWords(result, parcel));
    const message =
      result.ok && result.state === "waiting"
        ? "It waits for its money, and ships once the provider answers."
        : "Shipped. Its customer has the tracking number.";
    return outcome(given, result, message, parcel);
  },
  deliver: async (given) =>
    outcome(
      given,
      await markDelivered(db, given.id, { restGivenUp: given.act.form.has("rest") }, actingOf(given.context)),
      "Delivered. Its customer knows until when it may be returned.",
    ),
  hold: (given) => hold(given, true),
  unhold: (given) => hold(given, false),
  delay: async (given) =>
    outcome(
      given,
      await delayOrder(db, given.id, given.act.form.get("until") ?? "", actingOf(given.context)),
      "Promised for that day. Its customer is asked to keep or to cancel it.",
    ),
  cancel: async (given) =>
    outcome(given, await cancelByStaff(db, given.id, actingOf(given.context)), "Canceled. Its customer is told."),
  async decline(given) {
    const reason = given.act.form.get("reason") ?? undefined;
    if (!isReason(DECLINE_REASONS, reason)) return field(given.act, "reason", "Choose a reason");
    const result = await declineByStaff(db, given.id, reason, actingOf(given.context));
    return outcome(given, result, "Declined. Its customer is told why.");
  },
  async "cancel-line"(given) {
    const { act, context, id } = given;
    const [itemId = "", keep = ""] = (act.form.get("keep") ?? "").split(":");
    const reason = act.form.get("reason") ?? undefined;
    if (!/^\d+$/.test(keep)) return field(act, "keep", "Choose what stays of which line");
    if (!isReason(LINE_REASONS, reason)) return field(act, "reason", "Choose a reason");
    const change = { itemId, keep: Number(keep), returnsStock: act.form.get("stock") === "back", reason };
    return outcome(given, await cancelLine(db, id, change, actingOf(context)), "Changed. Its customer is told.");
  },
  refund,
  "ask-payment": async (given) =>
    outcome(
      given,
      await askForPayment(db, paymentProvider(), given.id, actingOf(given.context)),
      "Its customer has the link to pay.",
    ),
  async settle({ act, context, id }) {
    const provider = paymentProvider();
    if (!provider) return refused(act, refusalWords({ reason: "provider" }));
    try {
      await settleOrder(db, provider, id);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return refused(act, "The provider does not answer. Try again in a minute.", { status: 503 });
    }
    await writeAudit(db, actingOf(context), { action: "order.settle", subject: `order:${id}` });
    return done(act, "Asked. What stands here is what the provider says now.");
  },
  async address(given) {
    const { act, context, id } = given;
    const read = addressSchema.safeParse(Object.fromEntries([...act.form].filter(([, value]) => value !== "")));
    if (!read.success) return invalid(act, read.error);
    const { shippingAddressLine2 = null, ...rest } = read.data;
    const seen = act.form.get("addressSeen") ?? "";
    const result = await correctAddress(
      db,
      id,
      { address: { ...rest, shippingAddressLine2 }, seen },
      actingOf(context),
    );
    return outcome(given, result, "The address is corrected.");
  },
  async email(given) {
    const { act, context, id, order } = given;
    const email = emailsOf(order).find(({ value }) => value === act.form.get("email"));
    if (!email) return field(act, "email", "Choose an email");
    return outcome(given, await resendEmail(db, id, email, actingOf(context)), "It is on its way once more.");
  },
};

async function hold(given: OrderAct, isOnHold: boolean) {
  const { act, context, id } = given;
  const read = z
    .object({ text: isOnHold ? requiredLine("Reason", 500, "Say why, for whoever looks next") : z.string().max(500) })
    .safeParse({ text: act.form.get("text") ?? "" });
  if (!read.success) return invalid(act, read.error);
  const result = await holdOrder(db, id, { isOnHold, text: read.data.text }, actingOf(context));
  return outcome(given, result, isOnHold ? "On hold: it does not ship until it is taken off." : "It can ship again.");
}

/** Null where there is no such order. */
export async function orderAct(request: Request, context: Context, id: string) {
  const act = await readAct(request, FIELDS, ["units"]);
  const order = await openOrder(db, id);
  const handler = handlers[act.name];
  if (!order || !handler) return null;
  return handler({ act, context, order, id });
}
