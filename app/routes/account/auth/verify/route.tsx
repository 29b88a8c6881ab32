import { data, redirect, type RouterContextProvider } from "react-router";
import { linkLimits } from "../../../../../shop/accounts/account-limits.ts";
import { consumeLimits } from "../../../../session/rate-limits.server.ts";
import { getAuth } from "../../../../session/auth.server.ts";
import { authHeaders, cookiesAfter, readSession } from "../../../../session/customer.server.ts";
import { readForm } from "../../../../http/form.server.ts";
import { securityEvent } from "../../../../http/log.server.ts";
import { pageMeta } from "../../../../http/page-meta.ts";
import { refusalOf, seeOther } from "../../../../session/verification/refusal.server.ts";
import { addFlashMessage } from "../../../../session/flash-message.server.ts";
import { writeToShop } from "../../../../http/browser-write.ts";
import { CONNECTION_LOST } from "../../../../session/auth-result.ts";
import type { Route } from "./+types/route.ts";
import { Ask, Confirm, Spent, Verified } from "./verify-page.tsx";
import { NO_STORE } from "../../../../http/cache-headers.ts";

const VERIFIED = "/#type=signup";

type Outcome =
  | { state: "ask"; email: string; hasPassword: boolean }
  | { state: "press" | "press-for-place"; email: string }
  | { state: "confirmed-for-other"; email: string; signedInAs: string }
  | { state: "used" | "invalid" | "expired" };
/** What came of a form, where it is not a redirect. */
type VerifyActionResult = { error?: string; outcome?: Outcome };

/** Only a verification that has happened says so, on the page that it leads to. */
function verified(headers: Headers) {
  addFlashMessage(headers, "email-verified");
  return seeOther(VERIFIED, headers);
}

export const meta: Route.MetaFunction = () => [
  ...pageMeta({ title: "Verify your email", description: "Verify your email address.", path: "/auth/verify" }),
  { name: "robots", content: "noindex" },
  // The address of this page is a key. (With no-referrer, a form without JavaScript would not say where it comes from.)
  { name: "referrer", content: "same-origin" },
];

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
  switch (response.outcome) {
    case "confirmed":
      throw verified(headers);
    case "ask":
      return data<Outcome>({ state: "ask", email: response.email, hasPassword: response.hasPassword });
    case "press":
    case "press-for-place":
      return data<Outcome>({ state: response.outcome, email: response.email });
    case "confirmed-for-other":
      return data<Outcome>({ state: response.outcome, email: response.email, signedInAs: response.signedInAs });
    case "used":
    case "invalid":
    case "expired":
      return data<Outcome>({ state: response.outcome }, { status: 410 });
    default:
      throw new Error(response.outcome);
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, ["intent", "email", "password"]);
  const respond = (body: VerifyActionResult, status: number) => data(body, { status, headers: NO_STORE });
  const intent = form.get("intent");
  const pressed: Pressed = {};
  if (intent === "confirm") pressed.press = true;
  else if (intent === "take-over") pressed.takeOver = true;
  else {
    const password = form.get("password");
    if (!password) return respond({ error: "Password is required" }, 400);
    const { response: link } = await openLink(request, context);
    const attempt = link.outcome === "ask" && (await consumeLimits(linkLimits(link.email)));
    if (attempt && attempt.refusal) return respond({ error: attempt.refusal }, 429);
    pressed.password = password;
  }
  let opened: Awaited<ReturnType<typeof openLink>>;
  try {
    opened = await openLink(request, context, pressed);
  } catch (error) {
    const { message, status } = refusalOf(error);
    return respond({ error: message }, status);
  }
  const { response, headers } = opened;
  switch (response.outcome) {
    case "confirmed":
      await logSignIn(request, headers);
      return verified(headers);
    case "confirmed-for-other":
      return respond(
        { outcome: { state: response.outcome, email: response.email, signedInAs: response.signedInAs } },
        200,
      );
    case "used":
      securityEvent("sign-in", { outcome: "refused", way: "mail-link", reason: response.outcome });
      return respond({ outcome: { state: response.outcome } }, 410);
    case "wrong-password":
      securityEvent("sign-in", { outcome: "refused", way: "mail-link", email: response.email });
      return respond({ error: "That is not the password of this account" }, 400);
    case "taken-over":
      securityEvent("account-taken-back", { outcome: "ok", email: response.email });
      return redirect(`/reset-password?token=${response.resetToken}`, { status: 303, headers: NO_STORE });
    default:
      return seeOther(`/auth/verify?token=${encodeURIComponent(tokenOf(request))}`, headers);
  }
}

/** Whoever was signed in here before has confirmed an email, and nothing else. */
async function logSignIn(request: Request, response: Headers): Promise<void> {
  const [before, now] = await Promise.all([
    readSession(request),
    readSession(new Request(request.url, { headers: cookiesAfter(response) })),
  ]);
  if (now.customer && !before.customer) {
    securityEvent("sign-in", { outcome: "ok", way: "mail-link", userId: now.customer.id });
  }
}

export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop<VerifyActionResult>(call, { key: ["error", "outcome"], lost: () => ({ error: CONNECTION_LOST }) });

export default function Verify({ loaderData, actionData }: Route.ComponentProps) {
  const actionResult = actionData as VerifyActionResult | undefined;
  const outcome = actionResult?.outcome ?? loaderData;
  if (outcome.state === "ask") return <Ask {...outcome} error={actionResult?.error} />;
  if (outcome.state === "press") return <Confirm email={outcome.email} signsIn />;
  if (outcome.state === "press-for-place") return <Confirm email={outcome.email} signsIn={false} />;
  if (outcome.state === "confirmed-for-other") return <Verified {...outcome} />;
  return <Spent state={outcome.state} />;
}
