/** Enrolling, renewing and removing a second factor. */
import { renderSVG } from "uqr";
import { db } from "../../../database.server.ts";
import { codeSchema } from "../../../../shop/accounts/account-forms.ts";
import { renewBackupCodes } from "../../../../shop/accounts/second-factor/backup-codes.server.ts";
import { consumeAttempt, emailOwnerOf } from "../../../session/rate-limits.server.ts";
import { getAuth } from "../../../session/auth.server.ts";
import { authHeaders } from "../../../session/customer.server.ts";
import { refusedToOthers, securityEvent } from "../../../http/log.server.ts";
import { requireRecentVerification } from "../../../session/verification/recent-verification.server.ts";
import { refusalOf } from "../../../session/verification/refusal.server.ts";
import { keepRenewed } from "../renewed.server.ts";
import { refused, type Call, type HandlerResult } from "../handler.server.ts";
import type { Enrollment } from "../action-result.ts";

const MAX_URI = 1_000;

/** What the authenticator app reads; from the text that it was given before, where a code was wrong. */
function enrollmentOf(uri: string | null): Enrollment | undefined {
  if (!uri?.startsWith("otpauth://totp/") || uri.length > MAX_URI || !URL.canParse(uri)) return undefined;
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  const qr = `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`;
  return { uri, secret, qr };
}

const password = (form: URLSearchParams) => {
  const typed = form.get("password");
  return typed ? { password: typed } : {};
};

export async function startFactor({ request, context, customer, form }: Call): Promise<HandlerResult> {
  if (!customer.emailVerified) {
    refusedToOthers("unverified", customer.id);
    return { ok: false, status: 403, message: "Please verify your email address before you set up a second step." };
  }
  const refusal = await requireRecentVerification(request, context, customer, form.get("password"), form.get("code"));
  if (refusal) return refused(refusal);
  const auth = await getAuth();
  try {
    const started = await auth.api.enableTwoFactor({ body: password(form), headers: authHeaders(request, context) });
    if (started.method !== "totp") throw new Error("not a TOTP factor");
    return { ok: true, enrollment: enrollmentOf(started.totpURI) };
  } catch (error) {
    const { message, status } = refusalOf(error);
    return { ok: false, status, message };
  }
}

export async function verifyFactor({ request, context, customer, form }: Call): Promise<HandlerResult> {
  const enrollment = enrollmentOf(form.get("uri"));
  const refuse = (status: number, code: string): HandlerResult => ({ ok: false, status, errors: { code }, enrollment });
  const read = codeSchema.safeParse({ code: form.get("code") ?? undefined });
  if (!read.success) return refuse(400, read.error.issues[0]?.message ?? "Enter the code");
  if (customer.hasSecondFactor || !customer.emailVerified) return refuse(409, "This step is done or not open yet.");
  const attempt = await consumeAttempt(context, "code", customer.id);
  if (attempt.refusal) return refuse(429, attempt.refusal);

  const auth = await getAuth();
  let cookies: Headers;
  try {
    const verified = await auth.api.verifyTOTP({
      body: { code: read.data.code.replaceAll(/\s/g, "") },
      headers: authHeaders(request, context),
      returnHeaders: true,
    });
    cookies = verified.headers;
  } catch (error) {
    const { code, message, status } = refusalOf(error);
    securityEvent("second-factor-on", { outcome: "refused", userId: customer.id, reason: code });
    return refuse(status, message);
  }
  await attempt.refund();
  // The session has a new token now; every other one was opened without the second factor.
  await auth.api.revokeOtherSessions({ headers: keepRenewed(context, cookies) });
  const backupCodes = await renewBackupCodes(db, customer.id);
  securityEvent("second-factor-on", { outcome: "ok", userId: customer.id });
  await emailOwnerOf(context, customer.id, "second-factor-on");
  return {
    ok: true,
    title: "Two-step sign-in is on",
    message: "Keep your backup codes where only you can find them.",
    backupCodes,
    cookies,
  };
}

export async function removeFactor({ request, context, customer, form }: Call): Promise<HandlerResult> {
  const refusal = await requireRecentVerification(request, context, customer, form.get("password"), form.get("code"));
  if (refusal) return refused(refusal);
  const auth = await getAuth();
  const { headers: cookies } = await auth.api.disableTwoFactor({
    body: password(form),
    headers: authHeaders(request, context),
    returnHeaders: true,
  });
  keepRenewed(context, cookies);
  securityEvent("second-factor-off", { outcome: "ok", userId: customer.id });
  await emailOwnerOf(context, customer.id, "second-factor-off");
  return { ok: true, title: "Two-step sign-in is off", message: "Your password alone signs you in now.", cookies };
}

export async function newBackupCodes({ request, context, customer, form }: Call): Promise<HandlerResult> {
  if (!customer.hasSecondFactor) return { ok: false, status: 409, message: "Two-step sign-in is not on." };
  const refusal = await requireRecentVerification(request, context, customer, form.get("password"), form.get("code"));
  if (refusal) return refused(refusal);
  const backupCodes = await renewBackupCodes(db, customer.id);
  securityEvent("backup-codes-renewed", { outcome: "ok", userId: customer.id });
  return { ok: true, title: "New backup codes", message: "The ones you had before no longer work.", backupCodes };
}
