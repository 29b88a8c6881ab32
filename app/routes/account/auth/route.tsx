import { Link, redirect } from "react-router";
import { isGoogleReady } from "#app/session/auth.server.ts";
import { readSession } from "#app/session/customer.server.ts";
import { unlistedMeta } from "#app/http/page-meta.ts";
import { redirectTarget } from "#app/session/redirect-target.ts";
import type { Route } from "./+types/route.ts";
import { useEffect } from "react";
import { Picture } from "#app/ui/product/picture.tsx";
import { TabList } from "#app/ui/content/tab-list.tsx";
import { CONNECTION_LOST, cookiesBlocked } from "#app/ui/form/action-result.ts";
import { Form, Submit } from "#app/ui/form/form.tsx";
import { db } from "#platform/database.server.ts";
import { findInvitation } from "#shop/staff/invitations.server.ts";
import { addGuestWish } from "#app/ui/chrome/local-storage.ts";
import { useFreshOnReturn } from "#app/ui/chrome/page-state.ts";
import { notifyError } from "#app/ui/feedback/toast.ts";
import { SignIn, SignUp } from "./forms.tsx";
import { authAction, COOKIES_BLOCKED, wishIn } from "./action.server.ts";

export const meta: Route.MetaFunction = () =>
  unlistedMeta({ title: "Sign in", description: "Your orders, your wishlist, and your details.", path: "/auth" });

export { goingBackHeaders as headers } from "#platform/cache-headers.ts";

/** Messages of failed Google sign-ins, by error code. */
const GOOGLE_ERRORS: Record<string, string> = {
  access_denied: "Google sign-in was canceled.",
  account_not_linked:
    "This email already has an account here. Sign in with your password. If you haven’t verified it yet, open the link in your inbox first.",
  ACCOUNT_SUSPENDED:
    "This account is suspended. We emailed you the reason. If you think this is wrong, contact us at /support.",
  unable_to_link_account:
    "This email’s account is linked to another Google account. Sign in with that one, or with your password.",
};

function googleError(code: string | null): string | null {
  if (!code) return null;
  return Object.hasOwn(GOOGLE_ERRORS, code)
    ? (GOOGLE_ERRORS[code] ?? null)
    : "Google couldn’t sign you in. Please try again, or use your email and a password.";
}

/** The email of the invitation to the team that a sign-in leads back to. */
async function invitedEmail(target: string): Promise<string | undefined> {
  const [path, query] = target.split("?");
  if (path !== "/admin/join") return undefined;
  const invitation = await findInvitation(db, new URLSearchParams(query).get("token") ?? "");
  return invitation?.email ?? undefined;
}

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const target = redirectTarget(searchParams.get("redirect"));
  const { customer, awaitsSecondFactor } = await readSession(request);
  if (customer) throw redirect(target);
  if (awaitsSecondFactor) throw redirect(`/auth/two-factor?redirect=${encodeURIComponent(target)}`);
  const tab = searchParams.get("tab") === "sign-up" ? "sign-up" : "sign-in";
  const hasGoogle = isGoogleReady();
  const wish = wishIn(request);
  const error = searchParams.get("error");
  const isBlocked = error === COOKIES_BLOCKED && !request.headers.has("Cookie");
  const problem = isBlocked ? cookiesBlocked("signing in") : hasGoogle ? googleError(error) : null;
  return { target, tab, wish, hasGoogle, problem, email: await invitedEmail(target) };
}

export const action = ({ request, context }: Route.ActionArgs) => authAction(request, context);

export { clientAction } from "#app/ui/form/client-action.ts";

const TABS = [
  { id: "sign-in", label: "Sign In", heading: "Welcome back" },
  { id: "sign-up", label: "Sign Up", heading: "Create your account" },
] as const;

const GOOGLE_FAILED = { title: "Error", message: CONNECTION_LOST };

export default function Auth({ loaderData }: Route.ComponentProps) {
  const { target, tab, wish, hasGoogle, problem, email } = loaderData;
  const Fields = tab === "sign-in" ? SignIn : SignUp;
  useEffect(() => {
    if (problem) notifyError(problem);
  }, [problem]);

  // A heart that was pressed before hydration joins the wishlist at sign-in, like others.
  useEffect(() => {
    if (wish) addGuestWish(wish);
  }, [wish]);
  useFreshOnReturn();
  useEffect(forgetPasswordsOnLeaving, []);

  return (
    <div className="page grid gap-16 pt-8 pb-24 lg:grid-cols-2 lg:items-start lg:gap-24 lg:pt-14">
      <Picture
        name="lifestyle-breakfast"
        alt=""
        sizes="(min-width: 1024px) 46vw, 1px"
        className="hidden overflow-hidden rounded-card lg:block"
        imgClassName="aspect-[4/5] max-h-[760px] w-full object-cover"
      />
      <div className="mx-auto w-full max-w-md">
        <h1 className="heading">{TABS.find(({ id }) => id === tab)?.heading}</h1>
        <AuthTabs tab={tab} target={target} wish={wish} />
        <div role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`} className="grid gap-5 pt-7">
          {problem && (
            <p className="hidden rounded-card border border-error/30 bg-card p-5 font-medium text-error noscript:block">
              {`Error. ${problem}`}
            </p>
          )}
          {hasGoogle && <Google target={target} tab={tab} />}
          <Fields target={target} email={email} />
        </div>
      </div>
    </div>
  );
}

function tabPath(tab: string, target: string, wish?: string): string {
  const query = new URLSearchParams(tab === "sign-up" ? { tab } : {});
  if (target !== "/") query.set("redirect", target);
  if (wish) query.set("wish", wish);
  return query.size > 0 ? `/auth?${query}` : "/auth";
}

type AuthTabsProps = { tab: string; target: string; wish: string | undefined };

function AuthTabs({ tab, target, wish }: AuthTabsProps) {
  return (
    <TabList label="Sign in or sign up" opensOnFocus className="mt-7 grid grid-cols-2 rounded-full bg-[#eae7df] p-1">
      {TABS.map(({ id, label }) => (
        <Link
          key={id}
          to={tabPath(id, target, wish)}
          replace
          preventScrollReset
          role="tab"
          id={`tab-${id}`}
          aria-selected={tab === id}
          aria-controls={`panel-${tab}`}
          tabIndex={tab === id ? 0 : -1}
          className="grid min-h-11 place-items-center rounded-full font-semibold text-ink-soft aria-selected:bg-card aria-selected:text-ink"
        >
          {label}
        </Link>
      ))}
    </TabList>
  );
}

function Google({ target, tab }: { target: string; tab: string }) {
  return (
    <>
      <Form id="google" action={tabPath(tab, target)} failure={GOOGLE_FAILED} needsCookie="signing in">
        <input type="hidden" name="redirect" value={target} />
        <Submit intent="google" className="button button-quiet w-full gap-3 [&:not(:hover)]:bg-card">
          <GoogleMark />
          Continue with Google
        </Submit>
      </Form>
      <p className="flex items-center gap-4 text-sm text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or with your email
      </p>
    </>
  );
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 18 18" width="18" height="18" aria-hidden="true">
      <path
        fill="#4285F4"
        d="M17.64 9.2c0-.64-.06-1.25-.16-1.84H9v3.48h4.84a4.14 4.14 0 0 1-1.8 2.72v2.26h2.92c1.7-1.57 2.68-3.88 2.68-6.62z"
      />
      <path
        fill="#34A853"
        d="M9 18c2.43 0 4.47-.8 5.96-2.18l-2.92-2.26c-.8.54-1.84.86-3.04.86-2.34 0-4.33-1.58-5.04-3.7H.96v2.33A9 9 0 0 0 9 18z"
      />
      <path fill="#FBBC05" d="M3.96 10.72a5.4 5.4 0 0 1 0-3.44V4.95H.96a9 9 0 0 0 0 8.1l3-2.33z" />
      <path
        fill="#EA4335"
        d="M9 3.58c1.32 0 2.5.45 3.44 1.35l2.58-2.58A9 9 0 0 0 .96 4.95l3 2.33C4.67 5.16 6.66 3.58 9 3.58z"
      />
    </svg>
  );
}

/** Clears passwords on leaving: the back button would restore them. */
function forgetPasswordsOnLeaving() {
  const stop = new AbortController();
  const forget = () => {
    for (const field of document.querySelectorAll<HTMLInputElement>("main [type=password]")) field.value = "";
  };
  addEventListener("pagehide", forget, stop);
  return () => stop.abort();
}
