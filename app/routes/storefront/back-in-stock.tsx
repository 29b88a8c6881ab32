/** Asking for an email when a product can be bought, for visitors without JavaScript too. */
import { data, Link } from "react-router";
import { backInStockSchema } from "#shop/consents/back-in-stock-form.ts";
import { askForStock, findAsked } from "#shop/consents/back-in-stock.server.ts";
import { db } from "#platform/database.server.ts";
import { repeatedEvent, reportError } from "#platform/log.server.ts";
import { done, failed, invalid, readForm, refused } from "#app/http/form.server.ts";
import { privateMeta } from "#app/http/page-meta.ts";
import { callerNetwork, rateLimits } from "#app/session/rate-limits.server.ts";
import { HONEYPOT_FIELD } from "#app/ui/form/honeypot.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { BackInStockForm } from "#app/ui/product/back-in-stock-form.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import type { Route } from "./+types/back-in-stock.ts";

export { goingBackHeaders as headers } from "#platform/cache-headers.ts";

export const meta: Route.MetaFunction = () => privateMeta("Email me when it’s available");

const slugOf = (request: Request) => new URL(request.url).searchParams.get("product") ?? "";

export async function loader({ request }: Route.LoaderArgs) {
  const product = await findAsked(db, slugOf(request));
  if (!product) throw data(null, { status: 404 });
  const { name, slug, thumbnail } = product;
  return { name, slug, thumbnail };
}

const REFUSALS = { gone: "This product is no longer sold.", buyable: "It’s available now. You can order it." };

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, [HONEYPOT_FIELD, "email"]);
  const submission = parseForm(form, backInStockSchema);
  // Bots get a success.
  if (form.get(HONEYPOT_FIELD)) {
    repeatedEvent("form-of-a-program", { outcome: "refused" });
    return done(submission);
  }
  if (submission.status !== "success") return invalid(submission);
  try {
    const asked = { ...submission.value, slug: slugOf(request) };
    const result = await askForStock(db, rateLimits, asked, callerNetwork(context));
    if (result.ok) return done(submission);
    if (result.reason === "limited") return refused(submission, result.message, { status: 429 });
    return refused(submission, REFUSALS[result.reason]);
  } catch (error) {
    reportError(error, "nobody will be told that a product is available");
    return failed(submission);
  }
}

export { clientAction } from "#app/ui/form/client-action.ts";

export default function BackInStock({ loaderData: { name, slug, thumbnail } }: Route.ComponentProps) {
  return (
    <div className="page section grid items-center gap-x-16 gap-y-12 lg:grid-cols-2">
      <Picture
        name={thumbnail ?? ""}
        alt=""
        sizes="(min-width: 1320px) 580px, (min-width: 1024px) 46vw, 92vw"
        priority
        className="order-last lg:col-start-2 lg:row-start-1"
        imgClassName="aspect-4/3 w-full rounded-card object-cover lg:aspect-square"
      />
      <div className="grid w-full max-w-[440px] gap-6">
        <h1 className="heading">{name}</h1>
        <BackInStockForm slug={slug} />
        <Link to={`/product/${slug}`} className="text-link inline-flex min-h-11 items-center justify-self-start">
          Back to the product
        </Link>
      </div>
    </div>
  );
}
