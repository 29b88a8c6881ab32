/** Asks customers to prove who they are before changes that an open browser alone must not be able to make. */
import type { RouterContextProvider } from "react-router";
import { db } from "../../database.server.ts";
import { BusyError } from "../../../shop/accounts/passwords/password-queue.ts";
import { proofOf } from "../../../shop/accounts/sessions/recent-verification.server.ts";
import { stepUpLimits } from "../../../shop/accounts/account-limits.ts";
import { checkCode, checkTypedCode, keepProof } from "./verify-code.server.ts";
import { consumeLimits } from "../rate-limits.server.ts";
import { getAuth } from "../auth.server.ts";
import { VERIFICATION_MESSAGES, type VerificationReason } from "./recent-verification.ts";
import { authHeaders, type Customer } from "../customer.server.ts";
import { securityEvent } from "../../http/log.server.ts";

export type VerificationRefusal = {
  reason: VerificationReason;
  status: number;
  message?: string;
  errors?: { password?: string; code?: string };
};

/**
 * Null where the customer is verified: by the password or, for an account without one, by a sign-in within the last ten
 * minutes. An account with a second factor needs a code beside the password; a sign-in has asked for it already.
 */
export async function requireRecentVerification(
  request: Request,
  context: Readonly<RouterContextProvider>,
  customer: Customer,
  password: string | null,
  code: string | null,
): Promise<VerificationRefusal | null> {
  const proof = await proofOf(db, customer);
  if (proof === "fresh") return null;
  const userId = customer.id;
  if (proof === "stale") {
    securityEvent("step-up", { outcome: "refused", userId, reason: "stale" });
    return { reason: "stale", status: 403, message: VERIFICATION_MESSAGES.stale };
  }
  const refuse = (
    reason: VerificationReason,
    status: number,
    words: string = VERIFICATION_MESSAGES[reason],
  ): VerificationRefusal => ({
    reason,
    status,
    errors: { password: words },
  });
  const typed = checkTypedCode(customer, password, code);
  if (typed) return typed;
  if (!password) return refuse("missing", 400);
  const attempt = await consumeLimits(stepUpLimits(customer.id, customer.sessionId));
  if (attempt.refusal) return refuse("wait", 429, attempt.refusal);
  const auth = await getAuth();
  try {
    await auth.api.verifyPassword({ body: { password }, headers: authHeaders(request, context) });
  } catch (error) {
    if (error instanceof BusyError) {
      await attempt.refund();
      return refuse("busy", 503);
    }
    if ((error as { name?: string }).name !== "APIError") throw error;
    securityEvent("step-up", { outcome: "refused", way: "password", userId });
    return refuse("wrong", 403);
  }
  securityEvent("step-up", { outcome: "ok", way: "password", userId });
  await attempt.refund();
  const wrong = await checkCode(request, context, customer, code);
  if (!wrong) keepProof(context);
  return wrong;
}
