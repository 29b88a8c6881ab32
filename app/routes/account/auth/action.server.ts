/** Actions of /auth: sign in, sign up, continue with Google. */
import { redirectDocument, type RouterContextProvider } from "react-router";
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { addToWishlist } from "#shop/wishlist/wishlist.server.ts";
import { signInSchema, signUpSchema } from "#shop/accounts/account-forms.ts";
import { signInGate, withHashed } from "#shop/accounts/passwords/password-hash.server.ts";
import { passwordProblem } from "#shop/accounts/passwords/password-rules.server.ts";
import { consumeAttempt, consumeSignIn } from "#app/session/rate-limits.server.ts";
import { getAuth, isGoogleAddress, isGoogleReady, shopHost } from "#app/session/auth.server.ts";
import { authHeaders } from "#app/session/customer.server.ts";
import { invalid, readForm, refused } from "#app/http/form.server.ts";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { securityEvent } from "#platform/log.server.ts";
import { addFlashMessage } from "#app/session/cookies.server.ts";
import { redirectTarget } from "#app/session/redirect-target.ts";
import { refusalOf, seeOther, withCookies } from "#app/session/auth-refusal.server.ts";

type Context = Readonly<RouterContextProvider>;
const UNVERIFIED = "Please verify your email address before signing in. Check your inbox for the verification link.";
const OR_RESET = 'Or set a new password by email ("Forgot your password?") and sign in right away.';
const FIELDS = ["intent", "redirect", ...Object.keys(signUpSchema.shape)];

/** The error in the address of a sign-in page that shows it. */
export const COOKIES_BLOCKED = "cookies";

/** A browser that has sent no cookie yet may block them: the sign-in page leads on, or says so. */
const pageAfter = (request: Request, target: string) =>
  request.headers.has("Cookie") ? target : `/auth?error=${COOKIES_BLOCKED}&redirect=${encodeURIComponent(target)}`;

/** The product whose heart led to the sign-in. */
export const wishIn = (request: Request): string | undefined =>
  z.uuid().safeParse(new URL(request.url).searchParams.get("wish")).data;

/** A heart pressed without JavaScript joins the wishlist here, others once the page has run. */
async function rememberWish(request: Request, userId: string): Promise<void> {
  const wish = wishIn(request);
  if (wish) await addToWishlist(db, userId, [wish]);
}

export async function authAction(request: Request, context: Context) {
  const form = await readForm(request, FIELDS);
  const target = redirectTarget(form.get("redirect"));
  const intent = form.get("intent");
  if (intent === "google") return toGoogle(request, context, form, target);
  const isNew = intent === "sign-up";
  try {
    return await signInGate(() => (isNew ? signUp : signIn)(request, context, form, target));
  } catch (error) {
    const { message, status } = refusalOf(error);
    const submission = parseForm(form, isNew ? signUpSchema : signInSchema);
    return refused(submission, message, { title: isNew ? "Signup failed" : "Login failed", status });
  }
}

async function signIn(request: Request, context: Context, form: URLSearchParams, target: string) {
  const submission = parseForm(form, signInSchema);
  if (submission.status !== "success") return invalid(submission);
  const { email, password } = submission.value;
  const failed = (message: string, status: number) => refused(submission, message, { title: "Login failed", status });

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
    if (!needsCode) await rememberWish(request, response.user.id);
    return seeOther(
      needsCode ? `/auth/two-factor?redirect=${encodeURIComponent(target)}` : pageAfter(request, target),
      headers,
    );
  } catch (error) {
    const { code, message, status } = refusalOf(error);
    // The password was not checked, so this does not count as an attempt.
    if (code === "BUSY") await attempt.refund();
    else securityEvent("sign-in", { outcome: "refused", way: "password", email, reason: code });
    if (code !== "EMAIL_NOT_VERIFIED") return failed(message, status);
    await attempt.refund();
    return refused(submission, UNVERIFIED, { status: 403 });
  }
}

async function signUp(request: Request, context: Context, form: URLSearchParams, target: string) {
  const submission = parseForm(form, signUpSchema);
  if (submission.status !== "success") return invalid(submission);
  const { email, password, firstName, lastName } = submission.value;
  const failed = (message: string, status: number) => refused(submission, message, { title: "Signup failed", status });

  const problem = await passwordProblem(password, { email, names: [firstName, lastName] }, shopHost());
  if (problem) {
    return refused(submission, "A few fields need fixing.", { status: 400, errors: { password: problem } });
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
    await rememberWish(request, response.user.id);
    addFlashMessage(headers, "signed-up");
    return seeOther(pageAfter(request, target), headers);
  } catch (error) {
    const { code, message, status } = refusalOf(error);
    if (code !== "BUSY") securityEvent("sign-up", { outcome: "refused", email, reason: code });
    return failed(message, status);
  }
}

const NOT_SET_UP = "Google sign-in isn’t set up in this shop. Please use your email and a password.";
const UNREACHABLE = "Google isn’t answering right now. Please try again, or use your email and a password.";

async function toGoogle(request: Request, context: Context, form: URLSearchParams, target: string) {
  const failed = (message: string, status = 503) =>
    refused(parseForm(form, z.object({})), message, { title: "Error", status });
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
    // The sandbox is at the shop's own origin, where the router would look for a page of its own.
    return redirectDocument(response.url, { status: 303, headers: withCookies(headers) });
  } catch (error) {
    refusalOf(error);
    return failed(UNREACHABLE);
  }
}
