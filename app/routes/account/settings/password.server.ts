import { db } from "../../../database.server.ts";
import { endResetLinks } from "../../../../shop/accounts/passwords/reset-token.server.ts";
import { getPerson, passwordProblem } from "../../../../shop/accounts/passwords/password-rules.server.ts";
import { endOtherSessions } from "../../../../shop/accounts/sessions/sessions.server.ts";
import { changePasswordSchema } from "../../../../shop/accounts/settings-forms.ts";
import { enqueueEmail } from "../../../../shop/mail/enqueue-email.server.ts";
import { waitMessage } from "../../../../shop/rate-limits/rate-limits.server.ts";
import { consumeMailFor, emailOwnerOf } from "../../../session/rate-limits.server.ts";
import { getAuth, shopHost } from "../../../session/auth.server.ts";
import { authHeaders } from "../../../session/customer.server.ts";
import { securityEvent } from "../../../http/log.server.ts";
import { requireRecentVerification } from "../../../session/verification/recent-verification.server.ts";
import { fieldErrors } from "../../../http/field-errors.ts";
import { refused, type Call, type HandlerResult } from "../handler.server.ts";

export async function changePassword({ request, context, customer, form }: Call): Promise<HandlerResult> {
  const read = changePasswordSchema.safeParse(Object.fromEntries(form));
  if (!read.success) return { ok: false, errors: fieldErrors(read.error) };
  const { currentPassword, password } = read.data;
  const problem = await passwordProblem(password, await getPerson(db, customer.id), shopHost());
  if (problem) return { ok: false, errors: { password: problem } };
  const refusal = await requireRecentVerification(request, context, customer, currentPassword, form.get("code"));
  if (refusal) {
    const { errors, ...rest } = refused(refusal);
    const { password: wrong, ...others } = errors ?? {};
    return { ...rest, errors: errors && { ...others, ...(wrong && { currentPassword: wrong }) } };
  }
  const auth = await getAuth();
  // Its own way of ending the others would replace this session by one without the second factor.
  await auth.api.changePassword({
    body: { currentPassword, newPassword: password },
    headers: authHeaders(request, context),
  });
  await endResetLinks(db, customer.id);
  await endOtherSessions(db, customer.id, customer.sessionId);
  securityEvent("password-changed", { outcome: "ok", userId: customer.id });
  await emailOwnerOf(context, customer.id, "password");
  return { ok: true, title: "Password updated", message: "Your other devices are signed out." };
}

/** For an account without a password: the link that sets one goes to the mailbox. */
export async function sendPasswordLink({ context, customer }: Call): Promise<HandlerResult> {
  const email = await consumeMailFor(context, customer.email);
  if (!email.permit) return { ok: false, status: 429, message: waitMessage(email.wait) };
  await enqueueEmail(db, { template: "reset-password", email: customer.email }, email.permit);
  securityEvent("password-reset-asked", { outcome: "ok", userId: customer.id });
  return { ok: true, title: "Email sent!", message: "Open the link in it to set a password." };
}
