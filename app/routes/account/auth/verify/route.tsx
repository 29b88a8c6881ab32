import { data, redirect, type RouterContextProvider } from "react-router";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { joinPathOf } from "#shop/staff/invitations.server.ts";
import { z } from "#shop/zod.ts";
import type { Confirmation } from "#shop/accounts/confirm-email.server.ts";
import { linkLimits } from "#shop/accounts/account-limits.ts";
import { consumeLimits } from "#app/session/rate-limits.server.ts";
import { getAuth } from "#app/session/auth.server.ts";
import { authHeaders, cookiesAfter, readSession } from "#app/session/customer.server.ts";
import { done, invalid, readForm, refused } from "#app/http/form.server.ts";
import { securityEvent } from "#platform/log.server.ts";
import { unlistedMeta } from "#app/http/page-meta.ts";
import { refusalOf, seeOther } from "#app/session/auth-refusal.server.ts";
import { addFlashMessage } from "#app/session/cookies.server.ts";
import { useActionResult } from "#app/ui/form/form.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import type { Route } from "./+types/route.ts";
import { Ask, Confirm, Spent, Verified } from "./verify-page.tsx";
import { NO_STORE } from "#platform/cache-headers.ts";

const VERIFIED = "/#type=signup";

/** Outcomes of the link that have a page; the others redirect. */
type Shown = Extract<Confirmation, { outcome: keyof typeof PAGE_STATUS }>;

const PAGE_STATUS = {
  ask: 200,
  press: 200,
  "press-for-place": 200,
  "confirmed-for-other": 200,
  used: 410,
  invalid: 410,
  expired: 410,
};

const isShown = (response: Confirmation): response is Shown => response.outcome in PAGE_STATUS;

/** Goes home, or on with the invitation to the team that brought somebody here. */
async function verified({ signedIn }: { signedIn: string | null }, headers: Headers) {
  const invitation = signedIn && (await joinPathOf(db, signedIn, config().secret));
  addFlashMessage(headers, "email-verified");
  return seeOther(invitation || VERIFIED, headers);
}

export const meta: Route.MetaFunction = () =>
  unlistedMeta({ title: "Verify your email", description: "Verify your email address.", path: "/auth/verify" });

export const headers = () => NO_STORE;

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

type Pressed = { press?: boolean; password?: string; takeOver?: boolean };

async function openLink(request: Request, context: Readonly<RouterContextProvider>, pressed: Pressed = {}) {
  const auth = await getAuth();
  return auth.api.confirmEmail({
    body: { token: tokenOf(request), ...pressed },
    headers: authHeaders(request, context),
    returnHeaders: true,
  });
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { response, headers } = await openLink(request, context);
  if (response.outcome === "confirmed") throw await verified(response, headers);
  if (!isShown(response)) throw new Error(response.outcome);
  return data(response, { status: PAGE_STATUS[response.outcome] });
}

const passwordSchema = z.object({ password: z.string({ error: "Password is required" }) });

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, ["intent", "username", "password"]);
  const intent = form.get("intent");
  const submission = parseForm(form, intent ? z.object({}) : passwordSchema);
  if (submission.status !== "success") return invalid(submission);
  const refuse = (error: string, status: number) =>
    intent ? refused(submission, error, { status }) : refused(submission, "", { status, errors: { password: error } });
  const show = (shown: Shown) =>
    done<Shown>(submission, undefined, { data: shown, status: PAGE_STATUS[shown.outcome] });
  const pressed: Pressed = {};
  if (intent === "confirm") pressed.press = true;
  else if (intent === "take-over") pressed.takeOver = true;
  else {
    const { response: link } = await openLink(request, context);
    const attempt = link.outcome === "ask" && (await consumeLimits(linkLimits(link.email)));
    if (attempt && attempt.refusal) return refuse(attempt.refusal, 429);
    pressed.password = form.get("password") ?? "";
  }
  let opened: Awaited<ReturnType<typeof openLink>>;
  try {
    opened = await openLink(request, context, pressed);
  } catch (error) {
    const { message, status } = refusalOf(error);
    return refuse(message, status);
  }
  const { response, headers } = opened;
  switch (response.outcome) {
    case "confirmed":
      await logSignIn(request, headers);
      return verified(response, headers);
    case "confirmed-for-other":
      return show(response);
    case "used":
      securityEvent("sign-in", { outcome: "refused", way: "mail-link", reason: response.outcome });
      return show(response);
    case "wrong-password":
      securityEvent("sign-in", { outcome: "refused", way: "mail-link", email: response.email });
      return refuse("That isn’t the password of this account", 400);
    case "taken-over":
      securityEvent("account-taken-back", { outcome: "ok", email: response.email });
      return redirect(`/reset-password?token=${response.resetToken}`, { status: 303, headers: NO_STORE });
    default:
      return seeOther(`/auth/verify?token=${encodeURIComponent(tokenOf(request))}`, headers);
  }
}

/** A customer who was signed in already has only confirmed an email. */
async function logSignIn(request: Request, response: Headers): Promise<void> {
  const [before, now] = await Promise.all([
    readSession(request),
    readSession(new Request(request.url, { headers: cookiesAfter(response) })),
  ]);
  if (now.customer && !before.customer) {
    securityEvent("sign-in", { outcome: "ok", way: "mail-link", userId: now.customer.id });
  }
}

export { clientAction } from "#app/ui/form/client-action.ts";

export default function Verify({ loaderData }: Route.ComponentProps) {
  const answers = [
    useActionResult<Shown>("confirm"),
    useActionResult<Shown>("verify"),
    useActionResult<Shown>("take-over"),
  ];
  const shown = answers.find((answer) => answer?.data)?.data ?? loaderData;
  if (shown.outcome === "ask") return <Ask {...shown} />;
  if (shown.outcome === "press") return <Confirm email={shown.email} signsIn />;
  if (shown.outcome === "press-for-place") return <Confirm email={shown.email} signsIn={false} />;
  if (shown.outcome === "confirmed-for-other") return <Verified {...shown} />;
  return <Spent reason={shown.outcome} />;
}
