/** The link mailed to a new address. Opening it changes nothing, since mail scanners do it; its button does, for its customer. */
import { data, Link, redirect } from "react-router";
import { z } from "#shop/zod.ts";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { securityEvent } from "#platform/log.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { changeEmail, readEmailChange } from "#shop/privacy/change-email.server.ts";
import { Form, Submit } from "#app/ui/form/form.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { readForm, refused } from "#app/http/form.server.ts";
import { privateMeta } from "#app/http/page-meta.ts";
import { addFlashMessage } from "#app/session/cookies.server.ts";
import { requireCustomer } from "#app/session/customer.server.ts";
import { consumeMailFor } from "#app/session/rate-limits.server.ts";
import type { Route } from "./+types/change-email.ts";

export const meta: Route.MetaFunction = () => privateMeta("Change your email");

export const headers = () => NO_STORE;

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

export async function loader({ request }: Route.LoaderArgs) {
  const { id, email } = await requireCustomer(request);
  const newEmail = await readEmailChange(db, tokenOf(request), id, config());
  const hasGoogle = config().google !== null;
  return data({ email, newEmail, hasGoogle }, { status: newEmail ? 200 : 410 });
}

const REFUSALS = {
  expired: { message: "This link has expired. Ask for a new one in Settings.", status: 410 },
  taken: { message: "This email has an account of its own. Sign in with it, or use another email here.", status: 409 },
};

export async function action({ request, context }: Route.ActionArgs) {
  const submission = parseForm(await readForm(request, []), z.object({}));
  const { id: userId, email, sessionId } = await requireCustomer(request);
  const { permit } = await consumeMailFor(context, email);
  const changed = await changeEmail(db, { token: tokenOf(request), userId, sessionId, permit }, config());
  if (!changed.ok) {
    const { message, status } = REFUSALS[changed.reason];
    return refused(submission, message, { status });
  }
  securityEvent("email-changed", { outcome: "ok", userId });
  const response = redirect("/account?tab=settings", { status: 303, headers: NO_STORE });
  addFlashMessage(response.headers, "email-changed");
  return response;
}

export { clientAction } from "#app/ui/form/client-action.ts";

export default function ChangeEmail({ loaderData: { email, newEmail, hasGoogle } }: Route.ComponentProps) {
  return (
    <section className="page section grid min-h-[60vh] place-content-center justify-items-center gap-5 text-center">
      <h1 className="heading">{newEmail ? "Change your email" : "This link doesn’t work"}</h1>
      {newEmail ? (
        <>
          <p className="max-w-md text-lg text-ink-soft">
            Your account moves from <strong className="font-semibold wrap-anywhere text-ink">{email}</strong> to{" "}
            <strong className="font-semibold wrap-anywhere text-ink">{newEmail}</strong>, and so do emails about your
            orders. Your other devices are signed out
            <span>{hasGoogle ? ", and Google signs you in with the new address only." : "."}</span>
          </p>
          <Form id="change-email" className="mt-3 grid justify-items-center gap-4">
            <Submit>Change email</Submit>
          </Form>
        </>
      ) : (
        <>
          <p className="max-w-md text-lg text-ink-soft">{`Links work for 24 hours, in the account that asked for them. You’re signed in as ${email}.`}</p>
          <Link to="/account?tab=settings#email" className="button button-primary mt-3">
            Go to Settings
          </Link>
        </>
      )}
    </section>
  );
}
