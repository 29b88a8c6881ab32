/** The only way into the back office: password and second factor together. */
import { data, Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { db } from "../../database.server.ts";
import { emailField } from "../../../shop/email-field.ts";
import { brand } from "../../../shop/brand.ts";
import { BusyError, signInGate } from "../../../shop/accounts/passwords/password-queue.ts";
import { PASSWORD_MAX } from "../../../shop/accounts/passwords/password-length.ts";
import { signInStaff } from "../../../shop/staff/sessions.server.ts";
import { NO_STORE, privateHeaders } from "../../http/cache-headers.ts";
import { fieldErrors } from "../../http/field-errors.ts";
import { readForm } from "../../http/form.server.ts";
import { writeToShop } from "../../http/browser-write.ts";
import { securityEvent } from "../../http/log.server.ts";
import { privateMeta } from "../../http/page-meta.ts";
import { CONNECTION_LOST } from "../../session/auth-result.ts";
import { consumeSignIn } from "../../session/rate-limits.server.ts";
import { redirectTarget } from "../../session/redirect-target.ts";
import { factorKey, originOf, readStaff, staffCookie } from "../../session/staff.server.ts";
import { Wordmark } from "../../ui/chrome/wordmark.tsx";
import { TextField } from "../../ui/form/field.tsx";
import type { Route } from "./+types/sign-in.ts";
import { typedInto } from "./act-in-browser.ts";
import stylesUrl from "./admin.css?url";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesUrl }];
export const headers = privateHeaders;
export const meta: Route.MetaFunction = () => privateMeta("Sign in to the back office");

const schema = z.object({
  email: emailField().toLowerCase(),
  password: z.string({ error: "Password is required" }).min(1, "Password is required").max(PASSWORD_MAX),
  code: z
    .string({ error: "Enter the code of your app" })
    .transform((code) => code.replaceAll(/\s/g, ""))
    .pipe(z.string().regex(/^\d{6}$/, "The code has six digits")),
});

type Refusal = { email: string; errors: Partial<Record<string, string>>; message?: string | undefined };

const WRONG = "That email, password or code is not right. Codes change every 30 seconds, and each works once.";

/** Where somebody was going: a screen of the back office. */
function targetOf(request: Request): string {
  const target = redirectTarget(new URL(request.url).searchParams.get("redirect"));
  return target === "/admin" || target.startsWith("/admin/") ? target : "/admin";
}

export async function loader({ request }: Route.LoaderArgs) {
  const session = await readStaff(request);
  if (session !== null && session !== "ended") throw redirect(targetOf(request));
  return data({ hasEnded: session === "ended" }, { headers: NO_STORE });
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, Object.keys(schema.shape));
  const email = form.get("email") ?? "";
  const refuse = (status: number, errors: Partial<Record<string, string>>, message?: string) =>
    data<Refusal>({ email, errors, message }, { status, headers: NO_STORE });
  const read = schema.safeParse(Object.fromEntries(form));
  if (!read.success) return refuse(400, fieldErrors(read.error));
  const attempt = await consumeSignIn(context, request.headers, read.data.email);
  if (attempt.refusal) return refuse(429, {}, attempt.refusal);
  try {
    const origin = originOf(request, context);
    const signedIn = await signInGate(async () => signInStaff(db, await factorKey(), read.data, origin));
    if (!signedIn) {
      securityEvent("staff-sign-in", { outcome: "refused", email: read.data.email });
      return refuse(403, {}, WRONG);
    }
    await attempt.refund();
    securityEvent("staff-sign-in", { outcome: "ok", userId: signedIn.session.staffId });
    throw redirect(targetOf(request), {
      status: 303,
      headers: { ...NO_STORE, "Set-Cookie": staffCookie(signedIn.token) },
    });
  } catch (error) {
    if (!(error instanceof BusyError)) throw error;
    await attempt.refund();
    return refuse(503, {}, error.message);
  }
}

export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop<Refusal>(call, {
    key: "errors",
    lost: (form) => ({ email: typedInto(form).email ?? "", errors: {}, message: CONNECTION_LOST }),
  });

export default function StaffSignIn({ loaderData, actionData }: Route.ComponentProps) {
  const isPending = useNavigation().state === "submitting";
  const errors = actionData?.errors;
  return (
    <main className="mx-auto grid w-full max-w-md gap-6 px-5 pt-16 pb-24">
      <Wordmark className="h-6.5" />
      <h1 className="text-2xl font-semibold">{brand.name}, back office</h1>
      {loaderData.hasEnded && !actionData && (
        <p role="status" className="text-ink-soft">
          You were signed out: a session ends after 30 minutes without work, and after 12 hours.
        </p>
      )}
      {actionData?.message && (
        <p role="alert" className="rounded-card bg-saving-soft p-4 font-medium text-saving">
          {actionData.message}
        </p>
      )}
      <Form method="post" noValidate className="grid gap-5">
        <TextField
          id="email"
          name="email"
          type="email"
          label="Email"
          autoComplete="username"
          defaultValue={actionData?.email}
          error={errors?.email}
          errorId="email-error"
        />
        <TextField
          id="password"
          name="password"
          type="password"
          label="Password"
          autoComplete="current-password"
          error={errors?.password}
          errorId="password-error"
        />
        <TextField
          id="code"
          name="code"
          label="Code"
          hint="The six digits that your authenticator app shows now."
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={10}
          error={errors?.code}
          errorId="code-error"
        />
        <button type="submit" aria-disabled={isPending || undefined} className="button button-primary w-full">
          {isPending ? "Checking..." : "Sign in"}
        </button>
      </Form>
    </main>
  );
}
