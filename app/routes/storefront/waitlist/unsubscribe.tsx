/** Unsubscribes from waitlist emails without sign-in, by a button, because programs open the links of emails too. */
import { data } from "react-router";
import { brand } from "#shop/brand.ts";
import { placeOfLink } from "#shop/waitlist/waitlist.server.ts";
import { config } from "#platform/config.server.ts";
import { NO_STORE, privateHeaders } from "#platform/cache-headers.ts";
import { privateMeta } from "#app/http/page-meta.ts";
import type { Route } from "./+types/unsubscribe.ts";

export const headers = privateHeaders;

export function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const key = searchParams.get("k") ?? "";
  const { secret, formerSecrets } = config();
  const isOurs = placeOfLink(key, [secret, ...formerSecrets]) !== null;
  return data({ key, isOurs, isDone: isOurs && searchParams.has("done") }, { headers: NO_STORE });
}

export const meta: Route.MetaFunction = () => privateMeta("Unsubscribe");

export default function Unsubscribe({ loaderData: { key, isOurs, isDone } }: Route.ComponentProps) {
  return (
    <div className="page section grid min-h-[60vh] content-center justify-items-center">
      <div className="grid w-full max-w-[440px] justify-items-start gap-4">
        <h1 className="heading">{isDone ? "You’re unsubscribed" : "Unsubscribe"}</h1>
        {!isOurs && <p>This link is incomplete. Open it from the email again, or write to us.</p>}
        {isDone && <p>You won’t get waitlist emails anymore. Your orders and your account stay as they are.</p>}
        {isOurs && !isDone && (
          <form method="post" action={`/waitlist/unsubscribe?k=${encodeURIComponent(key)}`} className="grid gap-6">
            <p>You won’t get emails about the {brand.name} waitlist anymore.</p>
            <button type="submit" className="button button-primary justify-self-start">
              Unsubscribe
            </button>
          </form>
        )}
      </div>
    </div>
  );
}
