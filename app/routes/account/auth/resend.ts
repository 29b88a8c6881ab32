import { data, redirect } from "react-router";
import { db } from "../../../database.server.ts";
import { enqueueEmail } from "../../../../shop/mail/enqueue-email.server.ts";
import { reportError } from "../../../http/log.server.ts";
import { consumeMailFor } from "../../../session/rate-limits.server.ts";
import { waitMessage } from "../../../../shop/rate-limits/rate-limits.server.ts";
import { readCustomer } from "../../../session/customer.server.ts";
import { writeToShop } from "../../../http/browser-write.ts";
import type { Route } from "./+types/resend.ts";
import { NO_STORE } from "../../../http/cache-headers.ts";

const RESEND_FAILED = "Failed to resend verification email";

export type ResendActionResult = { ok: boolean; title: string; description: string };

export const loader = () => redirect("/account");

/** Sends the signed-in customer a fresh verification link. */
export async function action({ request, context }: Route.ActionArgs) {
  const wantsDocument = request.headers.get("Accept")?.includes("text/html") ?? false;
  const respond = (ok: boolean, title: string, description: string, status: number) =>
    wantsDocument
      ? redirect(`/account?resend=${ok ? "sent" : "failed"}`, { status: 303 })
      : data<ResendActionResult>({ ok, title, description }, { status, headers: NO_STORE });
  const customer = await readCustomer(request);
  if (!customer) return respond(false, "Error", "No user email found", 401);
  const email = await consumeMailFor(context, customer.email);
  if (!email.permit) return respond(false, "Error", waitMessage(email.wait), 429);
  try {
    await enqueueEmail(db, { template: "verify-email", userId: customer.id }, email.permit);
    return respond(true, "Email sent!", "Please check your inbox for the verification link.", 200);
  } catch (error) {
    reportError(error, "a verification link was not queued");
    return respond(false, "Error", RESEND_FAILED, 503);
  }
}

export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop<ResendActionResult>(call, {
    key: "ok",
    lost: () => ({ ok: false, title: "Error", description: RESEND_FAILED }),
  });
