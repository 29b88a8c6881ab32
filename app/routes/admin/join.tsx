/** Staff invitations: an account, two-step sign-in, then the role. */
import type { ReactNode } from "react";
import { data, redirect } from "react-router";
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { findInvitation, joinPath, joinStaff } from "#shop/staff/invitations.server.ts";
import { ROLE_WORDS } from "#shop/roles.ts";
import { NO_STORE, privateHeaders } from "#platform/cache-headers.ts";
import { readForm, refused } from "#app/http/form.server.ts";
import { securityEvent } from "#platform/log.server.ts";
import { privateMeta } from "#app/http/page-meta.ts";
import { readSession } from "#app/session/customer.server.ts";
import { originOf } from "#app/session/staff.server.ts";
import { Form, Submit } from "#app/ui/form/form.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { Wordmark } from "#app/ui/chrome/wordmark.tsx";
import type { Route } from "./+types/join.ts";
import stylesUrl from "./admin.css?url";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesUrl }];
export const headers = privateHeaders;
export const meta: Route.MetaFunction = () => privateMeta("Join the back office");

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

export async function loader({ request }: Route.LoaderArgs) {
  const token = tokenOf(request);
  const invitation = await findInvitation(db, token);
  if (!invitation) throw data(null, { status: 404 });
  const { customer } = await readSession(request);
  const isTheirs = customer !== null && (invitation.email ?? customer.email) === customer.email;
  return data(
    {
      role: invitation.role,
      email: invitation.email,
      signedInAs: customer?.email ?? null,
      isTheirs,
      isVerified: isTheirs && customer.emailVerified,
      hasFactor: isTheirs && customer.hasSecondFactor && customer.aal === "aal2",
      here: joinPath(token),
    },
    { headers: NO_STORE },
  );
}

const REFUSALS = {
  gone: "This invitation has expired. Ask for a new one.",
  "other-email": "This invitation is for another email. Sign in with that account.",
  "no-factor": "Set up two-step sign-in first.",
} as const;

export async function action({ request, context }: Route.ActionArgs) {
  const submission = parseForm(await readForm(request, []), z.object({}));
  const { customer } = await readSession(request);
  const refuse = (reason: keyof typeof REFUSALS, status: number) => refused(submission, REFUSALS[reason], { status });
  if (!(await findInvitation(db, tokenOf(request)))) throw data(null, { status: 404 });
  if (!customer?.hasSecondFactor || customer.aal !== "aal2") return refuse("no-factor", 403);
  const { address, requestId } = originOf(request, context);
  const joined = await joinStaff(db, tokenOf(request), customer, { address, requestId });
  if (!joined.ok) return refuse(joined.reason, 409);
  securityEvent("staff-joined", { outcome: "ok", userId: customer.id });
  throw redirect("/admin/sign-in", { status: 303, headers: NO_STORE });
}

type StepProps = { isDone: boolean; isNext: boolean; title: string; children: ReactNode };

function Step({ isDone, isNext, title, children }: StepProps) {
  return (
    <li className={`grid gap-2 border-t border-line pt-4 ${isNext ? "" : "text-ink-soft"}`}>
      <h2 className="flex justify-between gap-4 font-semibold">
        <span>{title}</span>
        {isDone && <span className="font-normal text-good">Done</span>}
      </h2>
      {isNext && children}
    </li>
  );
}

export { clientAction } from "#app/ui/form/client-action.ts";

export default function JoinStaff({ loaderData }: Route.ComponentProps) {
  const { role, email, signedInAs, isTheirs, isVerified, hasFactor, here } = loaderData;
  const back = encodeURIComponent(here);
  return (
    <main className="mx-auto grid w-full max-w-md gap-6 px-5 pt-16 pb-24">
      <Wordmark className="h-6.5" />
      <h1 className="text-2xl font-semibold">{`Join the back office as ${ROLE_WORDS[role].name.toLowerCase()}`}</h1>
      <p className="text-ink-soft">{`${ROLE_WORDS[role].does}. It takes three steps and a few minutes.`}</p>
      <ol className="grid gap-4">
        <Step title="1. Your account" isDone={isTheirs} isNext={!isTheirs}>
          <p>
            <span>
              {email ? `This invitation is for ${email}.` : "Sign in or create an account to become the first owner."}
            </span>
            {signedInAs && <span>{` You are signed in as ${signedInAs}.`}</span>}
          </p>
          <p className="flex flex-wrap gap-3">
            <a href={`/auth?redirect=${back}`} className="button button-primary">
              Sign in
            </a>
            <a href={`/auth?tab=sign-up&redirect=${back}`} className="button button-quiet">
              Create an account
            </a>
          </p>
        </Step>
        <Step title="2. Two-step sign-in" isDone={hasFactor} isNext={isTheirs && !hasFactor}>
          <p>
            {isVerified
              ? "Turn on two-step sign-in in your settings, which lead back here. You will need a code from your authenticator app each time you sign in to the back office."
              : `Open the link in the email we sent to ${signedInAs}, which leads back here. No email? Your account sends it again.`}
          </p>
          <p>
            <a href={isVerified ? "/account?tab=settings#two-step" : "/account"} className="button button-primary">
              {isVerified ? "Open settings" : "Open your account"}
            </a>
          </p>
        </Step>
        <Step title="3. Join" isDone={false} isNext={hasFactor}>
          <Form id="join" className="grid justify-items-start gap-3">
            <Submit>{`Join as ${ROLE_WORDS[role].name.toLowerCase()}`}</Submit>
          </Form>
        </Step>
      </ol>
    </main>
  );
}
