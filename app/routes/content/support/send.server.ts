import { data, type RouterContextProvider } from "react-router";
import { db } from "../../../database.server.ts";
import { brand } from "../../../../shop/brand.ts";
import { waitTime } from "../../../../shop/rate-limits/rate-limits.server.ts";
import { contactSchema, HONEYPOT_FIELD, type ContactField } from "../../../../shop/support/contact-form.ts";
import { sendMessage } from "../../../../shop/support/contact.server.ts";
import { fieldErrors } from "../../../http/field-errors.ts";
import { readForm } from "../../../http/form.server.ts";
import { repeatedEvent, reportError } from "../../../http/log.server.ts";
import { callerNetwork, rateLimits } from "../../../session/rate-limits.server.ts";
import { CONNECTION_LOST, type ContactActionResult } from "./action-result.ts";
import { NO_STORE } from "../../../http/cache-headers.ts";

const FIELDS = [HONEYPOT_FIELD, ...Object.keys(contactSchema.shape)];

/** Reads the contact form, stores the message, and says what came of it. */
export async function send(request: Request, context: Readonly<RouterContextProvider>) {
  const form = await readForm(request, FIELDS);
  const typed = Object.fromEntries(form);
  const respond = (body: ContactActionResult, status: number) => data(body, { status, headers: NO_STORE });
  const refuse = (status: number, message: string, errors: Partial<Record<ContactField, string>> = {}) =>
    respond({ sent: false, message, errors, typed }, status);

  // A program is told what it wants to hear.
  if (typed[HONEYPOT_FIELD]) {
    repeatedEvent("form-of-a-program", { outcome: "refused" });
    return respond({ sent: true }, 200);
  }
  const read = contactSchema.safeParse(typed);
  if (!read.success) {
    return refuse(400, "Some fields need another look.", fieldErrors(read.error));
  }
  try {
    const result = await sendMessage(db, rateLimits, read.data, callerNetwork(context));
    if (result.ok) return respond({ sent: true }, 200);
    if (result.reason === "limited") {
      return refuse(
        429,
        `Too many messages from your connection or with this address. Please wait ${waitTime(result.wait)}, or write to ${brand.supportEmail}.`,
      );
    }
    return refuse(
      429,
      "You have written several times within an hour. We have those messages. Please wait a little before you write again.",
    );
  } catch (error) {
    reportError(error, "a message was not stored");
    return refuse(503, CONNECTION_LOST);
  }
}
