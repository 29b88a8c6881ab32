import { renderSVG } from "uqr";
import { z } from "#shop/zod.ts";
import { done, refused } from "#app/http/form.server.ts";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { db } from "#platform/database.server.ts";
import { codeSchema } from "#shop/accounts/account-forms.ts";
import { renewBackupCodes } from "#shop/accounts/second-factor.server.ts";
import { isStaff } from "#shop/staff/staff.server.ts";
import { consumeAttempt, emailOwnerOf } from "#app/session/rate-limits.server.ts";
import { getAuth } from "#app/session/auth.server.ts";
import { authHeaders } from "#app/session/customer.server.ts";
import { refusedToOthers, securityEvent } from "#platform/log.server.ts";
import {
  type CustomerForm,
  rememberRenewed,
  refusedVerification,
  requireRecentVerification,
} from "#app/session/recent-verification.server.ts";
import { refusalOf, withCookies } from "#app/session/auth-refusal.server.ts";
import { type Enrollment, type FactorData, TEAM_FACTOR } from "../tabs.ts";

const MAX_URI = 1_000;

/** The URI comes back from the form after a wrong code, so the secret stays the same. */
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

const plainSchema = z.object({});

export async function startFactor(call: CustomerForm) {
  const { request, context, customer, form } = call;
  const submission = parseForm(form, plainSchema);
  if (!customer.emailVerified) {
    refusedToOthers("unverified", customer.id);
    const message = "Please verify your email address before you set up a second step.";
    return refused(submission, message, { title: "Error", status: 403 });
  }
  const refusal = await requireRecentVerification(call);
  if (refusal) return refusedVerification(submission, refusal);
  const auth = await getAuth();
  try {
    const started = await auth.api.enableTwoFactor({ body: password(form), headers: authHeaders(request, context) });
    if (started.method !== "totp") throw new Error("not a TOTP factor");
    return done<FactorData>(submission, undefined, {
      data: { enrollment: enrollmentOf(started.totpURI) },
      clears: true,
    });
  } catch (error) {
    const { message, status } = refusalOf(error);
    return refused(submission, message, { title: "Error", status });
  }
}

export async function verifyFactor(call: CustomerForm) {
  const { request, context, customer, form } = call;
  const enrollment = enrollmentOf(form.get("uri"));
  const submission = parseForm(form, codeSchema);
  const refuse = (status: number, code?: string) =>
    refused<FactorData>(submission, "", { status, errors: { code }, data: { enrollment } });
  if (submission.status !== "success") return refuse(400);
  if (customer.hasSecondFactor || !customer.emailVerified)
    return refuse(409, "This step is already done, or not open yet.");
  const attempt = await consumeAttempt(context, "code", customer.id);
  if (attempt.refusal) return refuse(429, attempt.refusal);

  const auth = await getAuth();
  let cookies: Headers;
  try {
    const verified = await auth.api.verifyTOTP({
      body: { code: submission.value.code.replaceAll(/\s/g, "") },
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
  // The session has a new token; every other one was opened without the second factor.
  await auth.api.revokeOtherSessions({ headers: rememberRenewed(context, cookies) });
  const backupCodes = await renewBackupCodes(db, customer.id);
  securityEvent("second-factor-on", { outcome: "ok", userId: customer.id });
  await emailOwnerOf(context, customer.id, "second-factor-on");
  return done<FactorData>(submission, "Keep your backup codes where only you can find them.", {
    title: "Two-step sign-in is on",
    data: { backupCodes },
    headers: withCookies(cookies),
  });
}

export async function removeFactor(call: CustomerForm) {
  const { request, context, customer, form } = call;
  const submission = parseForm(form, plainSchema);
  if (await isStaff(db, customer.id)) return refused(submission, TEAM_FACTOR, { title: "Error" });
  const refusal = await requireRecentVerification(call);
  if (refusal) return refusedVerification(submission, refusal);
  const auth = await getAuth();
  const { headers: cookies } = await auth.api.disableTwoFactor({
    body: password(form),
    headers: authHeaders(request, context),
    returnHeaders: true,
  });
  rememberRenewed(context, cookies);
  securityEvent("second-factor-off", { outcome: "ok", userId: customer.id });
  await emailOwnerOf(context, customer.id, "second-factor-off");
  return done(submission, "Your password alone signs you in now.", {
    title: "Two-step sign-in is off",
    headers: withCookies(cookies),
    clears: true,
  });
}

export async function newBackupCodes(call: CustomerForm) {
  const { customer, form } = call;
  const submission = parseForm(form, plainSchema);
  if (!customer.hasSecondFactor) return refused(submission, "Two-step sign-in isn’t on.", { title: "Error" });
  const refusal = await requireRecentVerification(call);
  if (refusal) return refusedVerification(submission, refusal);
  const backupCodes = await renewBackupCodes(db, customer.id);
  securityEvent("backup-codes-renewed", { outcome: "ok", userId: customer.id });
  return done<FactorData>(submission, "Your old ones don’t work anymore.", {
    title: "New backup codes",
    data: { backupCodes },
    clears: true,
  });
}
