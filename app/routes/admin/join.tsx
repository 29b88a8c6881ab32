/** Where an invitation leads: an account, a second factor, and then the back office. */
import type { ReactNode } from "react";
import { data, Form, redirect } from "react-router";
import { db } from "../../database.server.ts";
import { findInvitation, joinStaff } from "../../../shop/staff/invitations.server.ts";
import { ROLE_WORDS } from "../../../shop/staff/roles.ts";
import { NO_STORE, privateHeaders } from "../../http/cache-headers.ts";
import { readForm } from "../../http/form.server.ts";
import { securityEvent } from "../../http/log.server.ts";
import { privateMeta } from "../../http/page-meta.ts";
import { readSession } from "../../session/customer.server.ts";
import { originOf } from "../../session/staff.server.ts";
import { Wordmark } from "../../ui/chrome/wordmark.tsx";
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
      hasFactor: isTheirs && customer.hasSecondFactor && customer.aal === "aal2",
      here: `/admin/join?token=${encodeURIComponent(token)}`,
    },
    { headers: NO_STORE },
  );
}

const REFUSALS = {
  gone: "This link works no more. Ask for a new one.",
  "other-email": "This invitation is for another email. Sign in with the account of that one.",
  "no-factor": "Set up two-step sign-in first.",
} as const;

export async function action({ request, context }: Route.ActionArgs) {
  await readForm(request, []);
  const { customer } = await readSession(request);
  const refuse = (reason: keyof typeof REFUSALS, status: number) =>
    data({ message: REFUSALS[reason] }, { status, headers: NO_STORE });
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
        {title}
        {isDone && <span className="font-normal text-good">Done</span>}
      </h2>
      {isNext && children}
    </li>
  );
}

export default function JoinStaff({ loaderData, actionData }: Route.ComponentProps) {
  const { role, email, signedInAs, isTheirs, hasFactor, here } = loaderData;
  const back = encodeURIComponent(here);
  return (
    <main className="mx-auto grid w-full max-w-md gap-6 px-5 pt-16 pb-24">
      <Wordmark className="h-6.5" />
      <h1 className="text-2xl font-semibold">Join the back office as {ROLE_WORDS[role].name.toLowerCase()}</h1>
      <p className="text-ink-soft">{ROLE_WORDS[role].does}. Three steps, a few minutes.</p>
      {actionData && (
        <p role="alert" className="rounded-card bg-saving-soft p-4 font-medium text-saving">
          {actionData.message}
        </p>
      )}
      <ol className="grid gap-4">
        <Step title="1. Your account" isDone={isTheirs} isNext={!isTheirs}>
          <p>
            {email ? `This invitation is for ${email}.` : "The first owner's account can be any."}
            {signedInAs && ` You are signed in as ${signedInAs}.`}
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
            Verify your email, then turn on two-step sign-in in your settings and come back here by the same link. The
            back office opens with a code of your app each time.
          </p>
          <p>
            <a href="/account?tab=settings" className="button button-primary">
              Open settings
            </a>
          </p>
        </Step>
        <Step title="3. Join" isDone={false} isNext={hasFactor}>
          <Form method="post">
            <button type="submit" className="button button-primary">
              Join as {ROLE_WORDS[role].name.toLowerCase()}
            </button>
          </Form>
        </Step>
      </ol>
    </main>
  );
}
