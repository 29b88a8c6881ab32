/** Unsubscribes from emails of the waitlist, or from letters, without sign-in, by a button, because programs open the links of emails too. */
import { data, Link, useLocation } from "react-router";
import { brand } from "#shop/brand.ts";
import { SUBSCRIPTIONS } from "#shop/consents/consents.server.ts";
import { config } from "#platform/config.server.ts";
import { NO_STORE, privateHeaders } from "#platform/cache-headers.ts";
import { privateMeta } from "#app/http/page-meta.ts";
import { MessagePage } from "#app/ui/feedback/message-page.tsx";
import type { Route } from "./+types/unsubscribe.ts";

export const headers = privateHeaders;

export function loader({ request }: Route.LoaderArgs) {
  const { searchParams, pathname } = new URL(request.url);
  const key = searchParams.get("k") ?? "";
  const { secret, formerSecrets } = config();
  const isOurs = (SUBSCRIPTIONS[pathname]?.find(key, [secret, ...formerSecrets]) ?? null) !== null;
  const [isDone, isOld] = ["done", "old"].map((name) => isOurs && searchParams.has(name));
  return data({ key, isOurs, isDone, isOld }, { headers: NO_STORE });
}

export const meta: Route.MetaFunction = () => privateMeta("Unsubscribe");

export default function Unsubscribe({ loaderData: { key, isOurs, isDone, isOld } }: Route.ComponentProps) {
  const { pathname } = useLocation();
  const what = pathname === "/unsubscribe" ? "emails of this kind" : `emails about the ${brand.name} waitlist`;
  if (!isOurs) {
    return (
      <MessagePage
        heading="This link is incomplete"
        text="Open it from the email again, or contact us."
        picture="filter-used"
      >
        <Link to="/support#contact" className="button button-primary">
          Contact us
        </Link>
      </MessagePage>
    );
  }
  if (isOld) {
    return (
      <MessagePage
        heading="This link is too old"
        text="It changed nothing. Use the link in our latest email, or your account settings."
        picture="filter-used"
      >
        <Link to="/account?tab=settings" className="button button-primary">
          Account settings
        </Link>
      </MessagePage>
    );
  }
  return (
    <div className="page section grid min-h-[60vh] content-center justify-items-center">
      <div className="grid w-full max-w-[440px] justify-items-start gap-4">
        <h1 className="heading">{isDone ? "You’re unsubscribed" : "Unsubscribe"}</h1>
        {isDone && <p>{`You won’t get ${what} anymore. Your orders and your account stay as they are.`}</p>}
        {!isDone && (
          <form method="post" action={`${pathname}?k=${encodeURIComponent(key)}`} className="grid gap-6">
            <p>{`You won’t get ${what} anymore.`}</p>
            <button type="submit" className="button button-primary justify-self-start">
              Unsubscribe
            </button>
          </form>
        )}
      </div>
    </div>
  );
}
