import { data, type RouterContextProvider } from "react-router";
import { db } from "../../../database.server.ts";
import { enqueueEmail } from "../../../../shop/mail/enqueue-email.server.ts";
import { findOrderSchema } from "../../../../shop/orders/find-form.ts";
import { waitMessage } from "../../../../shop/rate-limits/rate-limits.server.ts";
import { NO_STORE } from "../../../http/cache-headers.ts";
import { fieldErrors } from "../../../http/field-errors.ts";
import { readForm } from "../../../http/form.server.ts";
import { reportError, securityEvent } from "../../../http/log.server.ts";
import { consumeMailFor } from "../../../session/rate-limits.server.ts";
import { CONNECTION_LOST, type FindActionResult } from "./action-result.ts";

/**
 * Orders that are there and that are not are answered alike, and take as long: the email is written later. So they are
 * where the inbox has had enough of the shop's emails, which would tell that somebody has ordered.
 */
export async function sendOrderLink(request: Request, context: Readonly<RouterContextProvider>) {
  const form = await readForm(request, Object.keys(findOrderSchema.shape));
  const typed = Object.fromEntries(form);
  const respond = (body: FindActionResult, status: number) => data(body, { status, headers: NO_STORE });
  const read = findOrderSchema.safeParse(typed);
  if (!read.success) {
    const errors = fieldErrors<"number" | "email">(read.error);
    return respond({ sent: false, message: "Some fields need another look.", errors, typed }, 400);
  }
  const refuse = (message: string, status: number) => respond({ sent: false, message, errors: {}, typed }, status);
  const { number, email } = read.data;
  try {
    const decision = await consumeMailFor(context, email);
    if (decision.permit) await enqueueEmail(db, { template: "order-link", number, email }, decision.permit);
    else if (!decision.isInboxFull) return refuse(waitMessage(decision.wait), 429);
    securityEvent("order-link-asked", { outcome: "ok", email });
    return respond({ sent: true }, 200);
  } catch (error) {
    reportError(error, "no link to an order was sent");
    return refuse(CONNECTION_LOST, 503);
  }
}
