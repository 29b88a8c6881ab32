import { config } from "#platform/config.server.ts";
import { data, Link, redirect } from "react-router";
import { z } from "#shop/zod.ts";
import { MessagePage } from "#app/ui/feedback/message-page.tsx";
import { Form, Submit } from "#app/ui/form/form.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { db } from "#platform/database.server.ts";
import { type Claim, claimOrder, readClaim } from "#shop/orders/order-link.server.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { readCustomer, requireCustomer } from "#app/session/customer.server.ts";
import { readForm, refused } from "#app/http/form.server.ts";
import { refusedToOthers, securityEvent } from "#platform/log.server.ts";
import { addFlashMessage } from "#app/session/cookies.server.ts";
import { privateMeta } from "#app/http/page-meta.ts";
import type { Route } from "./+types/route.ts";
import { NO_STORE } from "#platform/cache-headers.ts";

type ClaimData = {
  state: Claim["state"] | "expired";
  /** Shown to the order's owner only. */
  number?: string;
  /** Redirect target of the sign-in. */
  here: string;
};

const ORDERS = "/account?tab=orders";

export const meta: Route.MetaFunction = () => privateMeta("Add an order to your account");

export const headers = () => NO_STORE;

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";
const secret = () => config().secret;

/** The link changes nothing until the button is pressed, because mail scanners open links. */
export async function loader({ request }: Route.LoaderArgs) {
  const token = tokenOf(request);
  const customer = await readCustomer(request);
  const claim = await readClaim(db, token, customer, secret());
  if (!claim) {
    refusedToOthers("claim", customer?.id);
    return data<ClaimData>({ state: "expired", here: "" }, { status: 410 });
  }
  const { state, orderId } = claim;
  const number = state === "open" || state === "yours" ? orderNumber(orderId) : undefined;
  return data<ClaimData>({ state, number, here: `/orders/claim?token=${token}` });
}

export async function action({ request }: Route.ActionArgs) {
  const submission = parseForm(await readForm(request, []), z.object({}));
  const customer = await readCustomer(request);
  const claim = await readClaim(db, tokenOf(request), customer, secret());
  const refuse = (state: ClaimData["state"], status: number) => refused(submission, WORDS[state].title, { status });
  if (!claim) {
    refusedToOthers("claim", customer?.id);
    return refuse("expired", 410);
  }
  const known = customer ?? (await requireCustomer(request));
  if (claim.state === "open" && !(await claimOrder(db, claim.orderId, known))) return refuse("expired", 409);
  if (claim.state !== "open" && claim.state !== "yours") {
    securityEvent("order-claim", { outcome: "refused", userId: known.id, reason: claim.state });
    return refuse(claim.state, 403);
  }
  const response = redirect(ORDERS, { status: 303, headers: NO_STORE });
  addFlashMessage(response.headers, "order-claimed");
  return response;
}

export { clientAction } from "#app/ui/form/client-action.ts";

export default function ClaimOrder({ loaderData }: Route.ComponentProps) {
  const { state, number, here } = loaderData;
  const { title, text, link } = WORDS[state];
  return (
    <MessagePage
      heading={title}
      text={
        <>
          {number && (
            <span className="mb-3 block text-ink">
              Order number <strong className="font-semibold tabular-nums">{number}</strong>
            </span>
          )}
          <span>{text}</span>
        </>
      }
      picture={state === "expired" ? "filter-used" : "in-the-box"}
    >
      {link ? (
        <Link to={link.to ?? `/auth?redirect=${encodeURIComponent(here)}`} className="button button-primary">
          {link.label}
        </Link>
      ) : (
        <Form id="claim" className="grid gap-4">
          <Submit>Add to my account</Submit>
        </Form>
      )}
    </MessagePage>
  );
}

/** A link without `to` leads to sign-in and back; without a link the page shows the button. */
const WORDS: Record<ClaimData["state"], { title: string; text: string; link?: { to?: string; label: string } }> = {
  open: {
    title: "Is this order yours?",
    text: "Add it only if you placed it. You’ll see it with your orders, and its address will fill in your next checkout.",
  },
  yours: { title: "This order is in your account", text: "", link: { to: ORDERS, label: "My Orders" } },
  "sign-in": {
    title: "Add an order to your account",
    text: "Sign in with the email address of this order, or sign up with it.",
    link: { label: "Sign In" },
  },
  "verify-email": {
    title: "Verify your email address first",
    text: "Open the link in the email we sent you, then come back to this page.",
    link: { to: "/account", label: "Go to My Account" },
  },
  "other-email": {
    title: "This order was placed with another email address",
    text: "Sign out, then sign in with the address we emailed about this order.",
    link: { to: "/account", label: "Go to My Account" },
  },
  expired: {
    title: "This link has expired",
    text: "Each link works once and expires after 90 days. Contact us and we’ll find your order by its number.",
    link: { to: "/support#contact", label: "Go to Support" },
  },
};
