/** Asks a customer to prove that it is them, before what an open browser alone must not be able to do. */
import type { RouterContextProvider } from "react-router";
import { db } from "../db/connection.server.ts";
import { BusyError } from "../shop/accounts/password-queue.ts";
import { proofOf } from "../shop/accounts/identity.server.ts";
import { consumeAttempt } from "./session/rate-limits.server.ts";
import { getAuth } from "./auth.server.ts";
import { DOUBTS, type DoubtReason } from "./doubts.ts";
import { authHeaders, type Customer } from "./customer.server.ts";

export type Doubt = { reason: DoubtReason; status: number; message?: string; errors?: { password: string } };

/** Null where the customer has proved it: by their password, or, having none, by having signed in just now. */
export async function doubtIdentity(
  request: Request,
  context: Readonly<RouterContextProvider>,
  customer: Customer,
  password: string | null,
): Promise<Doubt | null> {
  const proof = await proofOf(db, customer);
  if (proof === "fresh") return null;
  if (proof === "stale") return { reason: "stale", status: 403, message: DOUBTS.stale };
  const doubt = (reason: DoubtReason, status: number, words: string = DOUBTS[reason]): Doubt => ({
    reason,
    status,
    errors: { password: words },
  });
  if (!password) return doubt("missing", 400);
  const attempt = await consumeAttempt(context, "sign-in", customer.email);
  if (attempt.refusal) return doubt("wait", 429, attempt.refusal);
  const auth = await getAuth();
  try {
    await auth.api.verifyPassword({ body: { password }, headers: authHeaders(request, context) });
  } catch (error) {
    if (error instanceof BusyError) {
      await attempt.refund();
      return doubt("busy", 503);
    }
    if ((error as { name?: string }).name !== "APIError") throw error;
    return doubt("wrong", 403);
  }
  await attempt.refund();
  return null;
}
