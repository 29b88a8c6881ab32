import { config } from "../../../config.server.ts";
import { data, Form, Link, redirect, useNavigation } from "react-router";
import { db } from "../../../database.server.ts";
import { claimOrder, readClaim, type Claim } from "../../../../shop/orders/claim.server.ts";
import { orderNumber } from "../../../../shop/orders/order.ts";
import { readCustomer, requireCustomer } from "../../../session/customer.server.ts";
import { readForm } from "../../../http/form.server.ts";
import { refusedToOthers, securityEvent } from "../../../http/log.server.ts";
import { addFlashMessage } from "../../../session/flash-message.server.ts";
import { privateMeta } from "../../../http/page-meta.ts";
import type { Route } from "./+types/route.ts";
import { NO_STORE } from "../../../http/cache-headers.ts";

type ClaimData = {
  state: Claim["state"] | "expired";
  /** Told only to whose order it is. */
  number?: string;
  /** Where signing in leads back to. */
  here: string;
};

const ORDERS = "/account?tab=orders";

export const meta: Route.MetaFunction = () => [
  ...privateMeta("Add an order to your account"),
  // The address of this page is a key.
  { name: "referrer", content: "same-origin" },
];

export const headers = () => NO_STORE;

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";
const secret = () => config().secret;

/** Opening the link changes nothing: mail scanners do it too. */
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
  await readForm(request, []);
  const customer = await readCustomer(request);
  const claim = await readClaim(db, tokenOf(request), customer, secret());
  const refuse = (status: number) => data(null, { status, headers: NO_STORE });
  if (!claim) {
    refusedToOthers("claim", customer?.id);
    return refuse(410);
  }
  const known = customer ?? (await requireCustomer(request));
  if (claim.state === "open" && !(await claimOrder(db, claim.orderId, known))) return refuse(409);
  if (claim.state !== "open" && claim.state !== "yours") {
    securityEvent("order-claim", { outcome: "refused", userId: known.id, reason: claim.state });
    return refuse(403);
  }
  const response = redirect(ORDERS, { status: 303, headers: NO_STORE });
  addFlashMessage(response.headers, "order-claimed");
  return response;
}

export default function ClaimOrder({ loaderData }: Route.ComponentProps) {
  const { state, number, here } = loaderData;
  const isPending = useNavigation().state === "submitting";
  const { title, text, link } = WORDS[state];
  return (
    <section className="page section grid min-h-[60vh] place-content-center justify-items-center gap-5 text-center">
      <h1 className="heading">{title}</h1>
      {number && (
        <p className="text-lg">
          Order number <strong className="font-semibold tabular-nums">{number}</strong>
        </p>
      )}
      <p className="max-w-md text-lg text-ink-soft">{text}</p>
      {link ? (
        <Link to={link.to ?? `/auth?redirect=${encodeURIComponent(here)}`} className="button button-primary mt-3">
          {link.label}
        </Link>
      ) : (
        <Form method="post" className="mt-3">
          <button type="submit" aria-disabled={isPending || undefined} className="button button-primary">
            Add to my account
          </button>
        </Form>
      )}
    </section>
  );
}

/** `to` is where to go on; without it, to sign in and back here. No link: the button. */
const WORDS: Record<ClaimData["state"], { title: string; text: string; link?: { to?: string; label: string } }> = {
  open: {
    title: "Is this order yours?",
    text: "Add it to your account only if you placed it: it then stands among your orders, and its address fills in your next checkout.",
  },
  yours: { title: "This order is in your account", text: "", link: { to: ORDERS, label: "My Orders" } },
  "sign-in": {
    title: "Add an order to your account",
    text: "Sign in to the account with the email address of this order, or sign up for one.",
    link: { label: "Sign In" },
  },
  "verify-email": {
    title: "Verify your email address first",
    text: "Open the link in the email we sent you, then come back to this page.",
    link: { to: "/account", label: "Go to My Account" },
  },
  "other-email": {
    title: "This order was placed with another email address",
    text: "Sign out, and sign in to the account with the address that the email about this order came to.",
    link: { to: "/account", label: "Go to My Account" },
  },
  expired: {
    title: "This link has expired",
    text: "Links work for 90 days, and once. Write to us, and we will find your order by its number.",
    link: { to: "/support#contact", label: "Go to Support" },
  },
};
