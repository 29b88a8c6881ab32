import { redirect } from "react-router";
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { enqueueEmail } from "#shop/mail/enqueue-email.server.ts";
import { reportError } from "#platform/log.server.ts";
import { consumeMailFor } from "#app/session/rate-limits.server.ts";
import { waitMessage } from "#shop/rate-limits/rate-limits.server.ts";
import { readCustomer } from "#app/session/customer.server.ts";
import { done, readForm, refused, wantsDocument } from "#app/http/form.server.ts";
import { parseForm } from "#app/ui/form/parse-form.ts";
import type { Route } from "./+types/resend.ts";

export const loader = () => redirect("/account");

export async function action({ request, context }: Route.ActionArgs) {
  const submission = parseForm(await readForm(request, []), z.object({}));
  const backTo = (outcome: "sent" | "failed") => redirect(`/account?resend=${outcome}`, { status: 303 });
  const refuse = (message: string, status: number) =>
    wantsDocument(request) ? backTo("failed") : refused(submission, message, { title: "Error", status });
  const customer = await readCustomer(request);
  if (!customer) return refuse("No user email found", 401);
  const email = await consumeMailFor(context, customer.email);
  if (!email.permit) return refuse(waitMessage(email.wait), 429);
  try {
    await enqueueEmail(db, { template: "verify-email", userId: customer.id }, email.permit);
    if (wantsDocument(request)) return backTo("sent");
    return done(submission, "Please check your inbox for the verification link.", { title: "Email sent!" });
  } catch (error) {
    reportError(error, "a verification link was not queued");
    return refuse("Failed to resend verification email", 503);
  }
}

export { clientAction } from "#app/ui/form/client-action.ts";
