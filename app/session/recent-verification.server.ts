/** Recent verification, for changes that an unattended browser must not be able to make. */
import { createContext, type RouterContextProvider } from "react-router";
import { refused } from "#app/http/form.server.ts";
import { db } from "#platform/database.server.ts";
import { securityEvent } from "#platform/log.server.ts";
import { codeSchema } from "#shop/accounts/account-forms.ts";
import { stepUpLimits } from "#shop/accounts/account-limits.ts";
import { BusyError } from "#shop/accounts/passwords/password-hash.server.ts";
import { proofOf } from "#shop/accounts/sessions.server.ts";
import { getAuth } from "./auth.server.ts";
import { refusalOf } from "./auth-refusal.server.ts";
import { authHeaders, cookiesAfter, type Customer } from "./customer.server.ts";
import { consumeAttempt, consumeLimits } from "./rate-limits.server.ts";
import { VERIFICATION_MESSAGES, type VerificationReason } from "./verification-messages.ts";

type Context = Readonly<RouterContextProvider>;

/** A form that a customer sent. */
export type CustomerForm = { request: Request; context: Context; customer: Customer; form: URLSearchParams };

type VerificationRefusal = {
  reason: VerificationReason;
  status: number;
  message?: string;
  errors?: Partial<Record<string, string>>;
};

const STATUS: Record<VerificationReason, number> = {
  missing: 400,
  wrong: 403,
  wait: 429,
  "code-missing": 400,
  "code-wrong": 403,
  "code-wait": 429,
  busy: 503,
  stale: 403,
};

function refuse(reason: VerificationReason, message: string = VERIFICATION_MESSAGES[reason]): VerificationRefusal {
  const status = STATUS[reason];
  if (reason === "stale") return { reason, status, message };
  return { reason, status, errors: { [reason.startsWith("code-") ? "code" : "password"]: message } };
}

/**
 * Null if verified: by password or, for an account without one, by a sign-in within ten minutes. An account with a
 * second factor also needs a code with the password; a sign-in already required one.
 */
export async function requireRecentVerification(
  { request, context, customer, form }: CustomerForm,
  password = form.get("password"),
): Promise<VerificationRefusal | null> {
  const { id: userId, hasSecondFactor } = customer;
  const proof = await proofOf(db, customer);
  if (proof === "fresh") return null;
  if (proof === "stale") {
    securityEvent("step-up", { outcome: "refused", userId, reason: "stale" });
    return refuse("stale");
  }
  const code = codeSchema.safeParse({ code: form.get("code") ?? undefined });
  const noCode = hasSecondFactor && !code.success ? refuse("code-missing", code.error.issues[0]?.message) : null;
  if (!password) {
    const noPassword = refuse("missing");
    return { ...noPassword, ...noCode, errors: { ...noCode?.errors, ...noPassword.errors } };
  }
  if (noCode) return noCode;
  const attempt = await consumeLimits(stepUpLimits(userId, customer.sessionId));
  if (attempt.refusal) return refuse("wait", attempt.refusal);
  const auth = await getAuth();
  try {
    await auth.api.verifyPassword({ body: { password }, headers: authHeaders(request, context) });
  } catch (error) {
    if (error instanceof BusyError) {
      await attempt.refund();
      return refuse("busy");
    }
    if ((error as { name?: string }).name !== "APIError") throw error;
    securityEvent("step-up", { outcome: "refused", way: "password", userId });
    return refuse("wrong");
  }
  securityEvent("step-up", { outcome: "ok", way: "password", userId });
  await attempt.refund();
  const wrongCode = hasSecondFactor ? await checkCode(request, context, userId, code.data?.code ?? "") : null;
  if (!wrongCode) context.set(verified, true);
  return wrongCode;
}

/** Attempts count by account and network. */
async function checkCode(request: Request, context: Context, userId: string, code: string) {
  const attempt = await consumeAttempt(context, "code", userId);
  if (attempt.refusal) return refuse("code-wait", attempt.refusal);
  try {
    await enterCode(request, context, code, "step-up", userId);
  } catch (error) {
    return refuse("code-wrong", refusalOf(error).message);
  }
  await attempt.refund();
  return null;
}

/** Returns the cookies set by a right code; throws better-auth's refusal of a wrong one. */
export async function enterCode(
  request: Request,
  context: Context,
  code: string,
  event: "sign-in" | "step-up",
  userId?: string | null,
): Promise<Headers> {
  const auth = await getAuth();
  const call = { headers: authHeaders(request, context), returnHeaders: true } as const;
  const digits = code.replaceAll(/\s/g, "");
  const isDigits = /^\d{6}$/.test(digits);
  const way = isDigits ? "totp" : "backup-code";
  try {
    const { response, headers } = isDigits
      ? await auth.api.verifyTOTP({ body: { code: digits }, ...call })
      : await auth.api.verifyBackupCode({ body: { code }, ...call });
    securityEvent(event, { outcome: "ok", way, userId: response.user.id });
    return headers;
  } catch (error) {
    securityEvent(event, { outcome: "refused", way, userId: userId ?? undefined, reason: refusalOf(error).code });
    throw error;
  }
}

export const refusedVerification = (
  submission: Parameters<typeof refused>[0],
  { status, message = "", errors }: VerificationRefusal,
) => refused(submission, message, { status, title: message ? "Error" : undefined, errors });

const verified = createContext(false);
const renewed = createContext<Headers | null>(null);

/** Session cookies with a new token if this request was verified. */
export async function renewVerified(request: Request, context: Context): Promise<Headers | undefined> {
  if (!context.get(verified)) return undefined;
  const auth = await getAuth();
  const { headers } = await auth.api.renewSession({ headers: authHeaders(request, context), returnHeaders: true });
  return headers;
}

/** Remembers and returns the Cookie header that the browser will send after this response. */
export function rememberRenewed(context: Context, response: Headers): Headers {
  const headers = cookiesAfter(response);
  context.set(renewed, headers);
  return headers;
}

/** The request with the renewed session, for the page of the same response. */
export function asRenewed(request: Request, context: Context): Request {
  const headers = context.get(renewed);
  return headers ? new Request(request.url, { headers }) : request;
}
