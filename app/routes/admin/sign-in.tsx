/** Back office sign-in: password and second factor in one step. */
import { data, redirect } from "react-router";
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { emailField } from "#shop/email-field.ts";
import { brand } from "#shop/brand.ts";
import { BusyError, signInGate } from "#shop/accounts/passwords/password-hash.server.ts";
import { PASSWORD_MAX } from "#shop/accounts/account-forms.ts";
import type { SessionEnd } from "#shop/staff/sessions.server.ts";
import { checkStaffPassword, signInStaff } from "#shop/staff/sign-in.server.ts";
import { NO_STORE, privateHeaders } from "#platform/cache-headers.ts";
import { invalid, readForm, refused } from "#app/http/form.server.ts";
import { securityEvent } from "#platform/log.server.ts";
import { privateMeta } from "#app/http/page-meta.ts";
import { consumeAttempt, consumeSignIn, emailOwnerOf } from "#app/session/rate-limits.server.ts";
import { redirectTarget } from "#app/session/redirect-target.ts";
import { factorKey, heldSession, originOf, readStaff, staffCookie } from "#app/session/staff.server.ts";
import { Wordmark } from "#app/ui/chrome/wordmark.tsx";
import { TextField } from "#app/ui/form/field.tsx";
import { Form, Submit, useActionResult } from "#app/ui/form/form.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import type { Route } from "./+types/sign-in.ts";
import stylesUrl from "./admin.css?url";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesUrl }];
export const headers = privateHeaders;
export const meta: Route.MetaFunction = () => privateMeta("Sign in to the back office");

export { clientAction } from "#app/ui/form/client-action.ts";

const schema = z.object({
  email: emailField().toLowerCase(),
  password: z.string({ error: "Password is required" }).min(1, "Password is required").max(PASSWORD_MAX),
  code: z
    .string({ error: "Enter the code from your authenticator app" })
    .transform((code) => code.replaceAll(/\s/g, ""))
    .pipe(z.string().regex(/^\d{6}$/, "The code has 6 digits")),
});

const WRONG = "Incorrect email, password or code. Each code works once and changes every 30 seconds.";

function targetOf(request: Request): string {
  const target = redirectTarget(new URL(request.url).searchParams.get("redirect"));
  return target === "/admin" || target.startsWith("/admin/") ? target : "/admin";
}

export async function loader({ request }: Route.LoaderArgs) {
  const session = await readStaff(request);
  if (session !== null && typeof session !== "string") throw redirect(targetOf(request));
  return data({ ended: session }, { headers: NO_STORE });
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, Object.keys(schema.shape));
  const submission = parseForm(form, schema);
  if (submission.status !== "success") return invalid(submission);
  const { value } = submission;
  const attempt = await consumeSignIn(context, request.headers, value.email);
  if (attempt.refusal) return refused(submission, attempt.refusal, { status: 429 });
  const wrong = (userId?: string) => {
    securityEvent("staff-sign-in", {
      outcome: "refused",
      email: value.email,
      userId,
      way: userId ? "totp" : "password",
    });
    return refused(submission, WRONG, { status: 403 });
  };
  try {
    const member = await signInGate(() => checkStaffPassword(db, value));
    if (!member) return wrong();
    const { staffId } = member;
    const codeAttempt = await consumeAttempt(context, "code", staffId);
    if (codeAttempt.refusal) return refused(submission, codeAttempt.refusal, { status: 429 });
    const former = heldSession(request.headers)?.token;
    const signedIn = await signInStaff(db, await factorKey(), member, value.code, originOf(request, context), former);
    if (!signedIn.ok) {
      if (signedIn.isAlarming) await emailOwnerOf(context, staffId, "wrong-codes");
      return wrong(staffId);
    }
    await Promise.all([attempt.refund(), codeAttempt.refund()]);
    securityEvent("staff-sign-in", { outcome: "ok", userId: staffId });
    throw redirect(targetOf(request), {
      status: 303,
      headers: { ...NO_STORE, "Set-Cookie": staffCookie(staffId, signedIn.token) },
    });
  } catch (error) {
    if (!(error instanceof BusyError)) throw error;
    await attempt.refund();
    return refused(submission, error.message, { status: 503 });
  }
}

const ENDED: Record<SessionEnd, string> = {
  expired: "You were signed out. Sessions end after 30 minutes of inactivity, and after 12 hours.",
  self: "You signed out, here or in your account's settings.",
  replaced: "You have signed in again since. Sign in to continue here.",
  password: "You were signed out, because your password was changed.",
  owner: "An owner signed you out. You can sign in again.",
  disabled: "An owner has ended your access to the back office.",
  reset: "Your two-step sign-in was reset. Set it up again with the link that we emailed you.",
  factor:
    "Your two-step sign-in was changed. Ask an owner to reset it under Staff, then use the link that we email you.",
};

const FORM = "sign-in";

export default function StaffSignIn({ loaderData }: Route.ComponentProps) {
  const result = useActionResult(FORM);
  return (
    <main className="mx-auto grid w-full max-w-md gap-6 px-5 pt-16 pb-24">
      <Wordmark className="h-6.5" />
      <h1 className="text-2xl font-semibold">{`${brand.name} back office`}</h1>
      {loaderData.ended && !result && (
        <p role="status" className="text-ink-soft">
          {ENDED[loaderData.ended]}
        </p>
      )}
      <Form id={FORM} validate={(form) => parseForm(form, schema)} needsCookie="the back office" className="grid gap-5">
        {({ fields }) => (
          <>
            <TextField field={fields.email} type="email" label="Email" autoComplete="username" />
            <TextField field={fields.password} type="password" label="Password" autoComplete="current-password" />
            <TextField
              field={fields.code}
              label="Code"
              hint="The 6-digit code from your authenticator app."
              autoComplete="one-time-code"
              inputMode="numeric"
              maxLength={10}
            />
            <Submit className="button button-primary w-full" busy="Checking…">
              Sign in
            </Submit>
          </>
        )}
      </Form>
      <div className="grid gap-2 text-[15px] text-ink-soft">
        <p>
          Forgot your password?{" "}
          <a href="/reset-password" className="text-link">
            Reset it
          </a>
          , then sign in here with the new one.
        </p>
        <p>
          Lost your phone? Ask an owner to reset your two-step sign-in under Staff. If you’re the only owner, ask
          whoever runs the server.
        </p>
      </div>
    </main>
  );
}
