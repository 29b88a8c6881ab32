import { db } from "../../../database.server.ts";
import { deleteAccount as forget } from "../../../../shop/privacy/erase-account.server.ts";
import { deleteSchema } from "../../../../shop/accounts/settings-forms.ts";
import { getAuth } from "../../../session/auth.server.ts";
import { fieldErrors } from "../../../http/field-errors.ts";
import { forgetGuest, guestIdOf } from "../../../session/guest.server.ts";
import { securityEvent } from "../../../http/log.server.ts";
import { requireRecentVerification } from "../../../session/verification/recent-verification.server.ts";
import { consumeMailFor } from "../../../session/rate-limits.server.ts";
import { addFlashMessage } from "../../../session/flash-message.server.ts";
import { leaveNothing, seeOther } from "../../../session/verification/refusal.server.ts";
import { refused, type Call, type HandlerResult } from "../handler.server.ts";

const WORKS_HERE = "You run this shop: an owner ends that under Staff first.";

export async function deleteAccount({ request, context, customer, form }: Call): Promise<HandlerResult | Response> {
  const read = deleteSchema.safeParse(Object.fromEntries(form));
  if (!read.success) return { ok: false, errors: fieldErrors(read.error) };
  const refusal = await requireRecentVerification(request, context, customer, form.get("password"), form.get("code"));
  if (refusal) return { ...refused(refusal), typed: { confirmation: read.data.confirmation } };
  const { permit } = await consumeMailFor(context, customer.email);
  const erased = await forget(db, customer, guestIdOf(request.headers), permit);
  if (!erased.ok)
    return { ok: false, status: 409, message: WORKS_HERE, typed: { confirmation: read.data.confirmation } };
  const auth = await getAuth();
  const { headers } = await auth.api.signOut({ headers: request.headers, returnHeaders: true });
  securityEvent("account-deleted", { outcome: "ok", userId: customer.id });
  for (const cookie of forgetGuest) headers.append("Set-Cookie", cookie);
  addFlashMessage(headers, "account-deleted");
  return leaveNothing(seeOther("/", headers));
}
