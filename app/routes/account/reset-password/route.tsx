import { data, type HeadersArgs, Link, type RouterContextProvider } from "react-router";
import { db } from "#platform/database.server.ts";
import { forgotSchema, newPasswordSchema } from "#shop/accounts/account-forms.ts";
import { findResetUser } from "#shop/accounts/email-links.server.ts";
import { getPerson, passwordProblem } from "#shop/accounts/passwords/password-rules.server.ts";
import { enqueueEmail } from "#shop/mail/enqueue-email.server.ts";
import { addFlashMessage, newDevice } from "#app/session/cookies.server.ts";
import { consumeAttempt, consumeMailFor, emailOwnerOf } from "#app/session/rate-limits.server.ts";
import { waitMessage } from "#shop/rate-limits/rate-limits.server.ts";
import { getAuth, shopHost } from "#app/session/auth.server.ts";
import { done, invalid, readForm, refused } from "#app/http/form.server.ts";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { securityEvent } from "#platform/log.server.ts";
import { unlistedMeta } from "#app/http/page-meta.ts";
import { endSessionInBrowser, refusalOf, seeOther, SPENT_LINK } from "#app/session/auth-refusal.server.ts";
import type { Route } from "./+types/route.ts";
import { useEffect, useRef } from "react";
import { TextField } from "#app/ui/form/field.tsx";
import { Form, Submit, useActionResult } from "#app/ui/form/form.tsx";
import { PasswordFields, Username } from "#app/ui/form/password-fields.tsx";
import { FOR_GOING_BACK, NO_STORE } from "#platform/cache-headers.ts";

export const meta: Route.MetaFunction = () =>
  unlistedMeta({ title: "Reset your password", description: "Set a new password.", path: "/reset-password" });

/** Pages with a token are not cached. */
export const headers = ({ loaderHeaders, actionHeaders }: HeadersArgs) =>
  loaderHeaders.has("Cache-Control") && !actionHeaders.has("Cache-Control") ? loaderHeaders : NO_STORE;

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token");

export async function loader({ request }: Route.LoaderArgs) {
  const token = tokenOf(request);
  if (token === null) return data({ step: "ask" as const }, { headers: FOR_GOING_BACK });
  const userId = await findResetUser(db, token);
  if (userId) return data({ step: "set" as const, email: (await getPerson(db, userId)).email });
  return data({ step: "expired" as const }, { status: 410 });
}

export async function action({ request, context }: Route.ActionArgs) {
  const token = tokenOf(request);
  const { shape } = token === null ? forgotSchema : newPasswordSchema;
  const form = await readForm(request, ["username", ...Object.keys(shape)]);
  return token === null ? sendLink(form, context) : setPassword(form, token, context);
}

/**
 * Known and unknown addresses get the same response, also at the inbox's limit, and the email is queued, so neither
 * text nor timing reveals an account.
 */
async function sendLink(form: URLSearchParams, context: Readonly<RouterContextProvider>) {
  const submission = parseForm(form, forgotSchema);
  if (submission.status !== "success") return invalid(submission);
  const { email } = submission.value;
  const refuse = (message: string) => refused(submission, message, { status: 429 });
  const { refusal } = await consumeAttempt(context, "email", email);
  if (refusal) return refuse(refusal);
  const decision = await consumeMailFor(context, email, "reset");
  if (decision.permit) await enqueueEmail(db, { template: "reset-password", email }, decision.permit);
  else if (!decision.isInboxFull) return refuse(waitMessage(decision.wait));
  securityEvent("password-reset-asked", { outcome: "ok", email });
  return done<ResetData>(submission, undefined, { data: { sentTo: email } });
}

async function setPassword(form: URLSearchParams, token: string, context: Readonly<RouterContextProvider>) {
  const submission = parseForm(form, newPasswordSchema);
  if (submission.status !== "success") return invalid(submission);
  const { password } = submission.value;
  const userId = await findResetUser(db, token);
  if (!userId) {
    securityEvent("password-reset", { outcome: "refused", reason: "spent link" });
    return refused(submission, SPENT_LINK, { status: 400 });
  }
  const problem = await passwordProblem(password, await getPerson(db, userId), shopHost());
  if (problem) {
    return refused(submission, "A few fields need fixing.", { status: 400, errors: { password: problem } });
  }
  const auth = await getAuth();
  try {
    const { headers } = await auth.api.resetPassword({
      body: { token, newPassword: password },
      returnHeaders: true,
    });
    securityEvent("password-reset", { outcome: "ok", userId });
    await emailOwnerOf(context, userId, "password");
    addFlashMessage(headers, "password-set");
    // The device becomes known: the mailbox's owner signs in despite a stranger's failed attempts.
    headers.append("Set-Cookie", newDevice(userId));
    return endSessionInBrowser(seeOther("/auth", headers));
  } catch (error) {
    const { message, status } = refusalOf(error);
    return refused(submission, message, { status });
  }
}

export { clientAction } from "#app/ui/form/client-action.ts";

export default function ResetPassword({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page max-w-lg! pt-12 pb-24 lg:pt-24">
      {loaderData.step === "set" ? (
        <NewPassword email={loaderData.email} />
      ) : (
        <Forgot expired={loaderData.step === "expired"} />
      )}
    </div>
  );
}

type ResetData = { sentTo: string };

function Forgot({ expired }: { expired: boolean }) {
  const sentTo = useActionResult<ResetData>("forgot")?.data?.sentTo;
  if (sentTo) return <Sent to={sentTo} />;
  return (
    <>
      <h1 className="heading">{expired ? "This link has expired" : "Reset your password"}</h1>
      <p className="mt-4 text-lg text-ink-soft">
        {expired
          ? "Each link works once and expires after an hour. Enter your email to get a new one."
          : "Enter your email and we’ll send you a reset link."}
      </p>
      <Form
        id="forgot"
        action="/reset-password"
        validate={(form) => parseForm(form, forgotSchema)}
        className="mt-9 grid gap-5"
      >
        {({ fields }) => (
          <>
            <TextField field={fields.email} label="Email" type="email" autoComplete="username" />
            <Submit busy="Sending..." className="button button-primary w-full">
              Send Link
            </Submit>
          </>
        )}
      </Form>
      <Link to="/auth" className="text-link mt-4 inline-flex min-h-11 items-center">
        Back to Sign In
      </Link>
    </>
  );
}

function Sent({ to }: { to: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} role="status" tabIndex={-1} className="outline-none">
      <h1 className="heading">Check your inbox</h1>
      <p className="mt-4 text-lg text-ink-soft">
        If there’s an account for <strong className="font-semibold text-ink">{to}</strong>, a reset link is on its way.
        It works for one hour.
      </p>
      <Link to="/auth" className="button button-quiet mt-8">
        Back to Sign In
      </Link>
    </div>
  );
}

function NewPassword({ email }: { email: string }) {
  return (
    <>
      <h1 className="heading">Set a new password</h1>
      <p className="mt-4 text-lg text-ink-soft">This signs you out everywhere else.</p>
      <Form id="new-password" validate={(form) => parseForm(form, newPasswordSchema)} className="mt-9 grid gap-5">
        {({ fields, result }) => (
          <>
            {result?.message && (
              <Link to="/reset-password" className="text-link inline-flex min-h-11 items-center">
                Get a new link
              </Link>
            )}
            <Username email={email} />
            <PasswordFields
              password={{ field: fields.password, label: "New password" }}
              confirmPassword={{ field: fields.confirmPassword, label: "Confirm password" }}
            />
            <Submit busy="Saving..." className="button button-primary w-full">
              Save Password
            </Submit>
          </>
        )}
      </Form>
    </>
  );
}
