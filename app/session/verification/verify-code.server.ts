/** The second factor's part of a verification, and the new session token that follows a successful one. */
import { createContext, type RouterContextProvider } from "react-router";
import { codeSchema } from "../../../shop/accounts/account-forms.ts";
import { getAuth } from "../auth.server.ts";
import { authHeaders, type Customer } from "../customer.server.ts";
import { VERIFICATION_MESSAGES, type VerificationReason } from "./recent-verification.ts";
import { refusalOf } from "./refusal.server.ts";
import { consumeAttempt } from "../rate-limits.server.ts";
import { enterCode } from "./second-factor.server.ts";

type Context = Readonly<RouterContextProvider>;
export type CodeRefusal = { reason: VerificationReason; status: number; errors: { password?: string; code: string } };

const refuse = (
  reason: VerificationReason,
  status: number,
  code: string = VERIFICATION_MESSAGES[reason],
): CodeRefusal => ({
  reason,
  status,
  errors: { code },
});

/** What is wrong with the code as it was typed, before it is checked; null where nothing is. */
export function checkTypedCode({ hasSecondFactor }: Customer, password: string | null, code: string | null) {
  if (!hasSecondFactor) return null;
  const read = codeSchema.safeParse({ code: code ?? undefined });
  if (read.success) return null;
  const typed = refuse("code-missing", 400, read.error.issues[0]?.message);
  return password ? typed : { ...typed, errors: { ...typed.errors, password: VERIFICATION_MESSAGES.missing } };
}

/** Null where the code is right or none is needed. Attempts are counted by account and network. */
export async function checkCode(
  request: Request,
  context: Context,
  { id, hasSecondFactor }: Customer,
  code: string | null,
): Promise<CodeRefusal | null> {
  if (!hasSecondFactor) return null;
  const attempt = await consumeAttempt(context, "code", id);
  if (attempt.refusal) return refuse("code-wait", 429, attempt.refusal);
  try {
    await enterCode(request, context, code?.trim() ?? "", "step-up", id);
  } catch (error) {
    return refuse("code-wrong", 403, refusalOf(error).message);
  }
  await attempt.refund();
  return null;
}

const proved = createContext(false);

/** Marks this request as one in which the customer was verified. */
export const keepProof = (context: Context): void => context.set(proved, true);

/** The session's cookies under a new token, where the customer was verified in this request. */
export async function renewProved(request: Request, context: Context): Promise<Headers | undefined> {
  if (!context.get(proved)) return undefined;
  const auth = await getAuth();
  const { headers } = await auth.api.renewSession({ headers: authHeaders(request, context), returnHeaders: true });
  return headers;
}
