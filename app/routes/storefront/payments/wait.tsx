/** Waiting page: stock is reserved, the payment page cannot be opened yet, and this page retries. */
import { Clock } from "lucide-react";
import { data, redirect } from "react-router";
import { db } from "#platform/database.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { privateMeta } from "#app/http/page-meta.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import { openPage } from "#shop/payments/open-page.server.ts";
import { notFound, orderOf, pathOf } from "./order-of-token.server.ts";
import type { Route } from "./+types/wait.ts";

const RETRY_SECONDS = 5;

export const meta: Route.MetaFunction = () => privateMeta("We’re holding your order");

/** The Refresh header retries without JavaScript. */
export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders;

export async function loader({ request }: Route.LoaderArgs) {
  const order = await orderOf(request);
  if (!order) throw notFound();
  const providers = paymentProviders();
  const page = providers ? await openPage(db, providers, order.id) : null;
  if (page?.ok) throw redirect(page.url, { status: 303, headers: NO_STORE });
  if (page?.reason !== "busy" && page?.reason !== "away")
    throw redirect(pathOf(order), { status: 303, headers: NO_STORE });
  const { pathname, search } = new URL(request.url);
  const wait = { ...NO_STORE, Refresh: String(RETRY_SECONDS), "Referrer-Policy": "no-referrer" };
  return data({ isBusy: page.reason === "busy", again: pathname + search }, { headers: wait });
}

export default function Wait({ loaderData: { isBusy, again } }: Route.ComponentProps) {
  return (
    <section className="page section grid min-h-[70vh] place-content-center justify-items-center gap-6 text-center">
      <Clock size={40} strokeWidth={1.5} aria-hidden="true" className="text-leaf" />
      <h1 className="display">We’re holding your order</h1>
      <p className="max-w-md text-lg">
        {isBusy
          ? "You’re in line to pay. This page will update on its own in a moment."
          : "We can’t open the payment page right now. Nothing was charged. This page will keep trying."}
      </p>
      <p className="max-w-md text-ink-soft">We’ve reserved your items.</p>
      {/* A document navigation, because it redirects to another site. */}
      <a href={again} className="button button-primary mt-2">
        Try again
      </a>
    </section>
  );
}
