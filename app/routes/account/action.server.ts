/** Actions of the account page, by intent. */
import { redirect, type RouterContextProvider } from "react-router";
import { z } from "#shop/zod.ts";
import { done, invalid, readForm, refused, refusedSignedOut } from "#app/http/form.server.ts";
import { getAuth, shopHost } from "#app/session/auth.server.ts";
import { endSessionInBrowser, seeOther } from "#app/session/auth-refusal.server.ts";
import { addFlashMessage, forgetGuest, guestIdOf } from "#app/session/cookies.server.ts";
import { authHeaders, readCustomer, requireCustomer } from "#app/session/customer.server.ts";
import { consumeMailFor, emailOwnerOf } from "#app/session/rate-limits.server.ts";
import {
  type CustomerForm,
  rememberRenewed,
  refusedVerification,
  renewVerified,
  requireRecentVerification,
} from "#app/session/recent-verification.server.ts";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { refusedToOthers, reportError, securityEvent } from "#platform/log.server.ts";
import { changeEmailSchema, changePasswordSchema, deleteSchema, profileSchema } from "#shop/accounts/account-forms.ts";
import { updateProfile } from "#shop/accounts/customers.server.ts";
import { endResetLinks } from "#shop/accounts/email-links.server.ts";
import { BusyError } from "#shop/accounts/passwords/password-hash.server.ts";
import { getPerson, passwordProblem } from "#shop/accounts/passwords/password-rules.server.ts";
import { endOtherSessions, isOpenSession } from "#shop/accounts/sessions.server.ts";
import { enqueueEmail } from "#shop/mail/enqueue-email.server.ts";
import { lettersSchema } from "#shop/consents/consent.ts";
import { chooseLetters } from "#shop/consents/consents.server.ts";
import { askForEmail } from "#shop/privacy/change-email.server.ts";
import { deleteAccount } from "#shop/privacy/erase-account.server.ts";
import { writtenRequestSchema } from "#shop/privacy/request.ts";
import { registerRequest } from "#shop/privacy/requests.server.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { dayText } from "#shop/policy-text.ts";
import { waitMessage } from "#shop/rate-limits/rate-limits.server.ts";
import { endSessionsOf, isSessionOfAnother } from "#shop/staff/sessions.server.ts";
import { leaveWaitlist } from "#shop/waitlist/waitlist.server.ts";
import { newBackupCodes, removeFactor, startFactor, verifyFactor } from "./settings/second-factor.server.ts";
import { INTENTS, type Intent } from "./tabs.ts";

type Answer = ReturnType<typeof done<unknown>> | Response;

const handlers: Record<Intent, (call: CustomerForm) => Promise<Answer>> = {
  profile: changeProfile,
  email: askForAnotherEmail,
  password: changePassword,
  "set-password": sendPasswordLink,
  "factor-start": startFactor,
  "factor-verify": verifyFactor,
  "factor-remove": removeFactor,
  "factor-codes": newBackupCodes,
  "sign-out-one": signOutOne,
  "sign-out-others": signOutOthers,
  letters: changeLetters,
  "leave-waitlist": leavePlace,
  "privacy-request": askForPrivacy,
  delete: deleteOwnAccount,
};

/** Fields of all forms of the page; password managers fill in `username`. */
const FIELDS = [
  "intent",
  "username",
  "uri",
  "code",
  "confirmation",
  "session",
  ...Object.keys(profileSchema.shape),
  ...Object.keys(changeEmailSchema.shape),
  ...Object.keys(changePasswordSchema.shape),
  ...Object.keys(writtenRequestSchema.shape),
  ...Object.keys(lettersSchema.shape),
];

export async function accountAction(request: Request, context: Readonly<RouterContextProvider>): Promise<Answer> {
  const form = await readForm(request, FIELDS);
  const submission = parseForm(form, z.object({}));
  const refuse = (message: string, status: number) => refused(submission, message, { title: "Error", status });
  const intent = INTENTS.find((known) => known === form.get("intent"));
  const customer = await readCustomer(request);
  if (!customer && intent === "profile") {
    refusedToOthers("account");
    return refusedSignedOut(submission, "You must be logged in to update your profile");
  }
  const known = customer ?? (await requireCustomer(request));
  if (!intent) throw redirect("/account", { status: 303 });
  let answer: Answer;
  try {
    answer = await handlers[intent]({ request, context, form, customer: known });
  } catch (error) {
    if (!(error instanceof BusyError)) {
      // A session or an account that ended meanwhile leads to the sign-in.
      await requireCustomer(request);
      throw error;
    }
    answer = refuse(error.message, 503);
  }
  if (!(answer instanceof Response)) await renewSession(request, context, answer.init?.headers as Headers);
  return answer;
}

/** A verification renews the session's token, also for the page of this response. */
async function renewSession(request: Request, context: Readonly<RouterContextProvider>, headers: Headers) {
  // Changes of the second factor renew the session themselves.
  if (headers.getSetCookie().length > 0) return;
  const cookies = await renewVerified(request, context);
  if (!cookies) return;
  rememberRenewed(context, cookies);
  for (const cookie of cookies.getSetCookie()) headers.append("Set-Cookie", cookie);
}

async function changeProfile({ customer, form }: CustomerForm) {
  const submission = parseForm(form, profileSchema);
  if (submission.status !== "success") return invalid(submission);
  try {
    await updateProfile(db, customer.id, submission.value);
  } catch (error) {
    reportError(error, "a profile was not changed");
    const message = "We couldn’t update your profile. Please try again.";
    return refused(submission, message, { title: "Error", status: 503 });
  }
  return done(submission, "Your profile has been successfully updated.", { title: "Profile updated" });
}

/** The answer is the same for an address with an account, and at the inbox's limit. */
async function askForAnotherEmail(call: CustomerForm) {
  const { context, customer, form } = call;
  const submission = parseForm(form, changeEmailSchema);
  if (submission.status !== "success") return invalid(submission);
  const { newEmail } = submission.value;
  if (newEmail === customer.email)
    return refused(submission, "", { status: 400, errors: { newEmail: "That’s already your email" } });
  const refusal = await requireRecentVerification(call);
  if (refusal) return refusedVerification(submission, refusal);
  const mail = await consumeMailFor(context, newEmail);
  if (mail.permit) await askForEmail(db, customer.id, newEmail, mail.permit);
  else if (!mail.isInboxFull) return refused(submission, waitMessage(mail.wait), { title: "Error", status: 429 });
  securityEvent("email-change-asked", { outcome: "ok", userId: customer.id });
  const message = `Open the link we sent to ${newEmail}. Nothing changes until then.`;
  return done(submission, message, { title: "Check your inbox", clears: true });
}

async function changePassword(call: CustomerForm) {
  const { request, context, customer, form } = call;
  const submission = parseForm(form, changePasswordSchema);
  if (submission.status !== "success") return invalid(submission);
  const { currentPassword, password } = submission.value;
  const problem = await passwordProblem(password, await getPerson(db, customer.id), shopHost());
  if (problem) return refused(submission, "", { status: 400, errors: { password: problem } });
  const refusal = await requireRecentVerification(call, currentPassword);
  if (refusal) {
    const { password: wrong, ...others } = refusal.errors ?? {};
    return refusedVerification(submission, { ...refusal, errors: { ...others, currentPassword: wrong } });
  }
  const auth = await getAuth();
  // The revokeOtherSessions option would replace this session by one without the second factor.
  await auth.api.changePassword({
    body: { currentPassword, newPassword: password },
    headers: authHeaders(request, context),
  });
  await endResetLinks(db, customer.id);
  await endOtherSessions(db, customer.id, customer.sessionId);
  securityEvent("password-changed", { outcome: "ok", userId: customer.id });
  await emailOwnerOf(context, customer.id, "password");
  return done(submission, "Your other devices are signed out.", { title: "Password updated", clears: true });
}

/** Accounts without a password set one through an email link. */
async function sendPasswordLink({ context, customer, form }: CustomerForm) {
  const submission = parseForm(form, z.object({}));
  const email = await consumeMailFor(context, customer.email);
  if (!email.permit) return refused(submission, waitMessage(email.wait), { title: "Error", status: 429 });
  await enqueueEmail(db, { template: "reset-password", email: customer.email }, email.permit);
  securityEvent("password-reset-asked", { outcome: "ok", userId: customer.id });
  return done(submission, "Open the link in it to set a password.", { title: "Email sent!" });
}

const sessionSchema = z.object({ session: z.string().optional() });

async function signOutOne(call: CustomerForm) {
  const { customer, form } = call;
  const submission = parseForm(form, sessionSchema);
  const session = form.get("session");
  if (!session) return refused(submission, "Choose a device first.", { title: "Error", status: 400 });
  const refusal = await requireRecentVerification(call);
  if (refusal) return refusedVerification(submission, refusal);
  const { id, sessionId } = customer;
  const isId = z.uuid().safeParse(session).success;
  const isEnded =
    isId &&
    ((await endOtherSessions(db, id, sessionId, session)) > 0 || (await endSessionsOf(db, id, "self", session)) > 0);
  const isOthers =
    isId && !isEnded && ((await isOpenSession(db, session)) || (await isSessionOfAnother(db, id, session)));
  if (!isId || isOthers) {
    refusedToOthers("session", id);
    // The id of another account's session is not returned.
    form.delete("session");
    return refused(parseForm(form, sessionSchema), "That isn’t one of your other devices.", {
      title: "Error",
      status: 404,
    });
  }
  if (isEnded) securityEvent("sessions-ended", { outcome: "ok", way: "one", userId: id });
  return done(submission, "That device is signed out.", { title: "Signed out", clears: true });
}

async function signOutOthers(call: CustomerForm) {
  const { customer, form } = call;
  const submission = parseForm(form, sessionSchema);
  const refusal = await requireRecentVerification(call);
  if (refusal) return refusedVerification(submission, refusal);
  await endOtherSessions(db, customer.id, customer.sessionId);
  await endSessionsOf(db, customer.id, "self");
  securityEvent("sessions-ended", { outcome: "ok", way: "all others", userId: customer.id });
  return done(submission, "You’re signed in on this device only.", { title: "Signed out", clears: true });
}

async function leavePlace({ customer, form }: CustomerForm) {
  await leaveWaitlist(db, customer.id);
  return done(parseForm(form, z.object({})), "You won’t get waitlist emails anymore.", {
    title: "You left the waitlist",
  });
}

async function changeLetters({ customer, form }: CustomerForm) {
  const submission = parseForm(form, lettersSchema);
  if (submission.status !== "success") return invalid(submission);
  if (!customer.emailVerified) {
    refusedToOthers("unverified", customer.id);
    return refused(submission, "Please verify your email address first.", { title: "Error", status: 403 });
  }
  await chooseLetters(db, customer.email, submission.value, "/account");
  return done(submission, "Your choice applies from now on.", { title: "Preferences saved", clears: true });
}

/** A request under privacy law, proven by the session. The shorter clock counts, because nobody asks where one lives. */
async function askForPrivacy({ customer, form }: CustomerForm) {
  const submission = parseForm(form, writtenRequestSchema);
  if (submission.status !== "success") return invalid(submission);
  if (!customer.emailVerified) {
    refusedToOthers("unverified", customer.id);
    return refused(submission, "Please verify your email address first.", { title: "Error", status: 403 });
  }
  const { kind, details: note } = submission.value;
  const request = { kind, note, email: customer.email, law: "gdpr", channel: "account", proof: "account" } as const;
  const received = await registerRequest(db, null, { ...request, receivedOn: clock.now() }, config().secret);
  const until = dayText(newYorkDay(received.dueAt));
  if (!received.isNew)
    return refused(submission, `We already have this request from you, and we’ll answer by ${until}.`);
  return done(submission, `We’ll answer by ${until}.`, { title: "Request received", clears: true });
}

const NOT_ERASED = {
  "is-staff": "This account is on the team. An owner must disable it under Staff first.",
  unsettled:
    "A payment, refund, or return for one of your orders is still in progress. Please try again in a few days, or contact us.",
};

async function deleteOwnAccount(call: CustomerForm) {
  const { request, context, customer, form } = call;
  const submission = parseForm(form, deleteSchema);
  if (submission.status !== "success") return invalid(submission);
  const refusal = await requireRecentVerification(call);
  if (refusal) return refusedVerification(submission, refusal);
  const { permit } = await consumeMailFor(context, customer.email);
  const erased = await deleteAccount(db, customer, guestIdOf(request.headers), permit);
  if (!erased.ok) {
    return refused(submission, NOT_ERASED[erased.reason], { title: "Error" });
  }
  const auth = await getAuth();
  const { headers } = await auth.api.signOut({ headers: request.headers, returnHeaders: true });
  securityEvent("account-deleted", { outcome: "ok", userId: customer.id });
  for (const cookie of forgetGuest) headers.append("Set-Cookie", cookie);
  addFlashMessage(headers, "account-deleted");
  return endSessionInBrowser(seeOther("/", headers));
}
