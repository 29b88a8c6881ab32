import { parseWithZod } from "@conform-to/zod/v4";
import { createContext, data, redirect, type RouterContextProvider } from "react-router";
import { z } from "zod";
import { db } from "../../../database.server.ts";
import { checkoutSchema } from "../../../../shop/checkout/checkout-form.ts";
import { placeLimitedOrder } from "../../../../shop/checkout/limited-order.server.ts";
import { parseSeenLines } from "../../../../shop/checkout/seen-lines.ts";
import { mustVerifyEmail } from "../../../../shop/checkout/who-may-order.server.ts";
import { readCampaign } from "../../../session/campaign.server.ts";
import { ensureBuyer } from "../../../session/buyer.server.ts";
import { readInvitation } from "../../../session/invitation.server.ts";
import { orderedHere } from "../../../session/guest.server.ts";
import { readForm } from "../../../http/form.server.ts";
import { refusedToOthers, reportError } from "../../../http/log.server.ts";
import { callerNetwork, rateLimits } from "../../../session/rate-limits.server.ts";
import { ORDER_FAILED, refusalMessage, type CheckoutActionResult } from "./action-result.ts";
import { paymentProvider } from "../../../../shop/payments/open-provider.server.ts";
import { addressToPay } from "./pay.server.ts";
import { tooMany } from "./too-many.server.ts";

/** The lines as posted, for a page that has to come back while the cart cannot be read. */
export const seenContext = createContext<string | null>(null);

/** Set once the order stands: the page then shows nothing of the cart. */
export const placedContext = createContext(false);

const checkoutKeySchema = z.uuid();
const FIELDS = ["seen", "checkoutKey", ...Object.keys(checkoutSchema.shape)];

/** Reads the form and places the order; whatever comes of it, the answer gives back what was typed. */
export async function place(request: Request, context: Readonly<RouterContextProvider>) {
  const { buyer, customer, headers } = await ensureBuyer(request);
  const respond = (body: CheckoutActionResult, status: number) => data(body, { status, headers });
  const unverified = () => {
    refusedToOthers("unverified", customer?.id);
    return respond({ outcome: "unverified" }, 403);
  };
  if (mustVerifyEmail(customer)) return unverified();
  const form = await readForm(request, FIELDS);
  const seen = form.get("seen") ?? "";
  const submission = parseWithZod(form, { schema: checkoutSchema });
  const key = checkoutKeySchema.safeParse(form.get("checkoutKey"));
  const checkoutKey = key.data ?? crypto.randomUUID();

  if (submission.status !== "success") {
    return respond({ outcome: "invalid", checkoutKey, result: submission.reply() }, 400);
  }
  const back = (message: string) => submission.reply({ formErrors: [message] });
  try {
    const caller = { buyer, network: callerNetwork(context), accountEmail: customer?.email ?? null };
    const provider = paymentProvider();
    const asked = {
      checkoutKey,
      seenLines: parseSeenLines(seen),
      form: submission.value,
      campaign: readCampaign(request.headers),
      invitation: readInvitation(request.headers),
    };
    const order = await placeLimitedOrder(db, rateLimits, caller, asked, provider !== null);
    context.set(placedContext, order.ok);
    if (order.ok && "guestId" in buyer) headers.append("Set-Cookie", orderedHere(buyer.guestId));
    if (order.ok && provider) {
      const url = await addressToPay(provider, buyer, order);
      // The page's script goes there by itself; a browser without it is sent.
      if (request.headers.get("Accept") === "application/json") return respond({ outcome: "held", url }, 200);
      return redirect(url, { status: 303, headers });
    }
    if (order.ok) return respond({ outcome: "placed", orderId: order.orderId, email: submission.value.email }, 200);
    if (order.reason === "too-many") {
      const { message, ...more } = tooMany(order);
      return respond({ outcome: "refused", checkoutKey, ...more, result: back(message) }, 429);
    }
    const { reason, problems } = order;
    if (reason === "unverified") return unverified();
    if (reason === "expired") refusedToOthers("order-key", customer?.id);
    // A key that belongs to somebody else can never place this order.
    const nextKey = reason === "expired" ? crypto.randomUUID() : checkoutKey;
    return respond({ outcome: "refused", checkoutKey: nextKey, problems, result: back(refusalMessage(reason)) }, 409);
  } catch (error) {
    reportError(error, "an order was not placed");
    context.set(seenContext, seen);
    return respond({ outcome: "failed", message: ORDER_FAILED, checkoutKey, result: back(ORDER_FAILED) }, 503);
  }
}
