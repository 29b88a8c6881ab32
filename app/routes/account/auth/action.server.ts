/** Sign in, sign up, and on to Google: the three forms of /auth. */
import { parseWithZod } from "@conform-to/zod/v4";
import type { RouterContextProvider } from "react-router";
import { signInSchema, signUpSchema } from "../../../../shop/accounts/account-forms.ts";
import { signInGate } from "../../../../shop/accounts/passwords/password-queue.ts";
import { withHashed } from "../../../../shop/accounts/passwords/password-hash.server.ts";
import { passwordProblem } from "../../../../shop/accounts/passwords/password-rules.server.ts";
import { consumeAttempt, consumeSignIn } from "../../../session/rate-limits.server.ts";
import { getAuth, isGoogleAddress, isGoogleReady, shopHost } from "../../../session/auth.server.ts";
import { authHeaders } from "../../../session/customer.server.ts";
import { readForm } from "../../../http/form.server.ts";
import { securityEvent } from "../../../http/log.server.ts";
import { addFlashMessage } from "../../../session/flash-message.server.ts";
import { redirectTarget } from "../../../session/redirect-target.ts";
import { UNVERIFIED } from "../../../session/auth-result.ts";
import { respondWith, refusalOf, seeOther } from "../../../session/verification/refusal.server.ts";

type Context = Readonly<RouterContextProvider>;
const hideFields = ["password", "confirmPassword"];
const OR_RESET = 'Or set a new password by email ("Forgot your password?"): you can then sign in at once.';
const FIELDS = ["intent", "redirect", ...Object.keys(signUpSchema.shape)];

export async function authAction(request: Request, context: Context) {
  const form = await readForm(request, FIELDS);
  const target = redirectTarget(form.get("redirect"));
  const intent = form.get("intent");
  if (intent === "google") return toGoogle(request, context, target);
  const isNew = intent === "sign-up";
  try {
    return await signInGate(() => (isNew ? signUp : signIn)(request, context, form, target));
  } catch (error) {
    const { message, status } = refusalOf(error);
    const submission = parseWithZod(form, { schema: isNew ? signUpSchema : signInSchema });
    const toast = { title: isNew ? "Signup failed" : "Login failed", description: message };
    return respondWith({ result: submission.reply({ hideFields }), toast }, status);
  }
}

async function signIn(request: Request, context: Context, form: URLSearchParams, target: string) {
  const submission = parseWithZod(form, { schema: signInSchema });
  if (submission.status !== "success") return respondWith({ result: submission.reply({ hideFields }) }, 400);
  const { email, password } = submission.value;
  const result = submission.reply({ hideFields });
  const failed = (description: string, status: number) =>
    respondWith({ result, toast: { title: "Login failed", description } }, status);

  const attempt = await consumeSignIn(context, request.headers, email);
  if (attempt.refusal) return failed(`${attempt.refusal} ${OR_RESET}`, 429);
  const auth = await getAuth();
  try {
    const { response, headers } = await auth.api.signInEmail({
      body: { email, password },
      headers: authHeaders(request, context),
      returnHeaders: true,
    });
    await attempt.refund();
    const needsCode = "twoFactorRedirect" in response;
    const who = needsCode ? { email, reason: "a second step follows" } : { userId: response.user.id };
    securityEvent("sign-in", { outcome: "ok", way: "password", ...who });
    return seeOther(needsCode ? `/auth/two-factor?redirect=${encodeURIComponent(target)}` : target, headers);
  } catch (error) {
    const { code, message, status } = refusalOf(error);
    // Nobody looked at the password: it was no guess.
    if (code === "BUSY") await attempt.refund();
    else securityEvent("sign-in", { outcome: "refused", way: "password", email, reason: code });
    if (code !== "EMAIL_NOT_VERIFIED") return failed(message, status);
    await attempt.refund();
    return respondWith({ result, formMessage: UNVERIFIED }, 403);
  }
}

async function signUp(request: Request, context: Context, form: URLSearchParams, target: string) {
  const submission = parseWithZod(form, { schema: signUpSchema });
  if (submission.status !== "success") return respondWith({ result: submission.reply({ hideFields }) }, 400);
  const { email, password, firstName, lastName } = submission.value;
  const result = submission.reply({ hideFields });
  const failed = (description: string, status: number) =>
    respondWith({ result, toast: { title: "Signup failed", description } }, status);

  const problem = await passwordProblem(password, { email, names: [firstName, lastName] }, shopHost());
  if (problem) {
    return respondWith({ result: submission.reply({ hideFields, fieldErrors: { password: [problem] } }) }, 400);
  }
  const { refusal } = await consumeAttempt(context, "sign-up", email);
  if (refusal) return failed(refusal, 429);
  const auth = await getAuth();
  try {
    const { response, headers } = await withHashed(password, () =>
      auth.api.signUpEmail({
        body: { email, password, firstName, lastName, name: `${firstName} ${lastName}` },
        headers: authHeaders(request, context),
        returnHeaders: true,
      }),
    );
    securityEvent("sign-up", { outcome: "ok", userId: response.user.id });
    addFlashMessage(headers, "signed-up");
    return seeOther(target, headers);
  } catch (error) {
    const { code, message, status } = refusalOf(error);
    if (code !== "BUSY") securityEvent("sign-up", { outcome: "refused", email, reason: code });
    return failed(message, status);
  }
}

const NOT_SET_UP = "Google sign-in is not set up in this shop. Please use your email and a password.";
const UNREACHABLE = "Google does not answer right now. Please try again, or use your email and a password.";

async function toGoogle(request: Request, context: Context, target: string) {
  const failed = (description: string, status = 503) =>
    respondWith({ result: { status: "error" }, toast: { title: "Error", description } }, status);
  if (!isGoogleReady()) return failed(NOT_SET_UP, 409);
  const auth = await getAuth();
  try {
    const { response, headers } = await auth.api.signInSocial({
      body: {
        provider: "google",
        callbackURL: target,
        errorCallbackURL: `/auth?redirect=${encodeURIComponent(target)}`,
        disableRedirect: true,
      },
      headers: authHeaders(request, context),
      returnHeaders: true,
    });
    if (!("url" in response) || !response.url || !isGoogleAddress(response.url)) return failed(UNREACHABLE);
    return seeOther(response.url, headers);
  } catch (error) {
    refusalOf(error);
    return failed(UNREACHABLE);
  }
}
