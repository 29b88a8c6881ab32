import { data, Form, Link, redirect, useNavigation } from "react-router";
import { consumeAttempt } from "../../../session/rate-limits.server.ts";
import { getAuth } from "../../../auth.server.ts";
import { authHeaders } from "../../../customer.server.ts";
import { readForm } from "../../../http/form.server.ts";
import { pageMeta } from "../../../page-meta.ts";
import { TextField } from "../../../ui/field.tsx";
import { NO_STORE, refusalOf, seeOther } from "../refusal.server.ts";
import type { Route } from "./+types/route.ts";

const VERIFIED = "/#type=signup";

type VerifyData = { state: "ask"; email: string; hasPassword: boolean } | { state: "invalid" | "expired" };

export const meta: Route.MetaFunction = () => [
  ...pageMeta({ title: "Verify your email", description: "Verify your email address.", path: "/auth/verify" }),
  { name: "robots", content: "noindex" },
  // The address of this page is a key.
  { name: "referrer", content: "no-referrer" },
];

export const headers = () => NO_STORE;

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

export async function loader({ request, context }: Route.LoaderArgs) {
  const auth = await getAuth();
  const { response, headers } = await auth.api.confirmEmail({
    body: { token: tokenOf(request) },
    headers: authHeaders(request, context),
    returnHeaders: true,
  });
  if (response.outcome === "confirmed") throw seeOther(VERIFIED, headers);
  if (response.outcome === "invalid" || response.outcome === "expired") {
    return data<VerifyData>({ state: response.outcome }, { status: 410 });
  }
  if (response.outcome !== "ask") throw new Error(response.outcome);
  return data<VerifyData>({ state: "ask", email: response.email, hasPassword: response.hasPassword });
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, ["intent", "email", "password"]);
  const auth = await getAuth();
  const token = tokenOf(request);
  const open = (more: { password?: string; takeOver?: boolean }) =>
    auth.api.confirmEmail({
      body: { token, ...more },
      headers: authHeaders(request, context),
      returnHeaders: true,
    });
  const refuse = (error: string, status: number) => data({ error }, { status, headers: NO_STORE });

  if (form.get("intent") === "take-over") {
    const { response, headers } = await open({ takeOver: true });
    if (response.outcome === "taken-over") {
      return redirect(`/reset-password?token=${response.resetToken}`, { status: 303, headers: NO_STORE });
    }
    return seeOther(response.outcome === "confirmed" ? VERIFIED : `/auth/verify?token=${token}`, headers);
  }
  const password = form.get("password");
  if (!password) return refuse("Password is required", 400);
  const { response: link } = await open({});
  if (link.outcome === "ask") {
    const { refusal } = await consumeAttempt(context, "sign-in", link.email);
    if (refusal) return refuse(refusal, 429);
  }
  let opened: Awaited<ReturnType<typeof open>>;
  try {
    opened = await open({ password });
  } catch (error) {
    const { message, status } = refusalOf(error);
    return refuse(message, status);
  }
  const { response, headers } = opened;
  if (response.outcome === "wrong-password") return refuse("That is not the password of this account", 400);
  return seeOther(response.outcome === "confirmed" ? VERIFIED : `/auth/verify?token=${token}`, headers);
}

export default function Verify({ loaderData, actionData }: Route.ComponentProps) {
  const isPending = useNavigation().state === "submitting";
  if (loaderData.state !== "ask") return <Spent expired={loaderData.state === "expired"} />;
  const { email, hasPassword } = loaderData;
  return (
    <div className="page max-w-xl! pt-12 pb-24 lg:pt-24">
      <h1 className="heading">Verify your email</h1>
      <p className="mt-4 text-lg text-ink-soft">
        An account was made with <strong className="font-semibold text-ink">{email}</strong>, on another device or in
        another browser.
      </p>
      {hasPassword && (
        <Form method="post" noValidate className="mt-9 grid gap-5 border-t border-line pt-9">
          <h2 className="text-xl font-semibold">It was me</h2>
          <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
          <TextField
            id="password"
            name="password"
            label="Password"
            type="password"
            autoComplete="current-password"
            hint="The one you chose when you signed up."
            error={actionData?.error}
            errorId="password-error"
          />
          <button
            type="submit"
            aria-disabled={isPending || undefined}
            className="button button-primary justify-self-start"
          >
            Verify email
          </button>
        </Form>
      )}
      <Form method="post" className="mt-9 grid gap-4 border-t border-line pt-9">
        <h2 className="text-xl font-semibold">
          {hasPassword ? "It was not me, or I forgot the password" : "Make it yours"}
        </h2>
        <p className="text-ink-soft">
          Choose a new password. Whoever else is signed in to this account, or knows its password, is out.
        </p>
        <button
          type="submit"
          name="intent"
          value="take-over"
          aria-disabled={isPending || undefined}
          className="button button-quiet justify-self-start"
        >
          Set a new password
        </button>
      </Form>
    </div>
  );
}

function Spent({ expired }: { expired: boolean }) {
  return (
    <section className="page section grid min-h-[60vh] place-content-center justify-items-center gap-5 text-center">
      <h1 className="heading">{expired ? "This link has expired" : "This link does not work"}</h1>
      <p className="max-w-md text-lg text-ink-soft">
        {expired
          ? "Links work for 24 hours. Sign in, and a fresh one is on its way."
          : "Part of it may be missing. Copy the whole link from the mail, or sign in for a fresh one."}
      </p>
      <Link to="/auth" className="button button-primary mt-3">
        Sign In
      </Link>
    </section>
  );
}
