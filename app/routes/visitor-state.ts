import { data, type ShouldRevalidateFunctionArgs } from "react-router";
import { db } from "#platform/database.server.ts";
import { getProfile } from "#shop/accounts/customers.server.ts";
import { sumCart } from "#shop/cart/cart.server.ts";
import { settings } from "#shop/settings/settings.server.ts";
import { earlyWords, isInvited as holdsInvitation, listEarlyProducts } from "#shop/waitlist/invitations.server.ts";
import { listWishlistIds } from "#shop/wishlist/wishlist.server.ts";
import { readSession } from "#app/session/customer.server.ts";
import { guestIdOf, readFlashMessage, readInvitation, removeFlashMessage } from "#app/session/cookies.server.ts";
import type { VisitorState } from "#app/ui/chrome/visitor-state.tsx";
import type { Route } from "./+types/visitor-state.ts";
import { readForm } from "#app/http/form.server.ts";
import { clock, followServer } from "#shop/clock.ts";
import { NO_STORE } from "#platform/cache-headers.ts";

export { privateHeaders as headers } from "#platform/cache-headers.ts";

/** Visitor state: the only personal part of public pages. Every page loads it, so it also refreshes the session. */
export async function loader({ request }: Route.LoaderArgs) {
  const { customer, headers } = await readSession(request, { refresh: true });
  const invitation = readInvitation(request.headers);
  const isInvited = invitation !== null && (await holdsInvitation(db, invitation));
  headers.set("Cache-Control", NO_STORE["Cache-Control"]);
  const now = clock.now().getTime();
  if (!customer) {
    const guestId = guestIdOf(request.headers);
    const cart = await sumCart(db, guestId ? { guestId } : null);
    const ofVisitor = await shownOf(cart, request.headers);
    return data<VisitorState>({ ...ofVisitor, customer: null, wishlist: [], isInvited, now }, { headers });
  }
  const [cart, { firstName }, wishlist] = await Promise.all([
    sumCart(db, { customerId: customer.id }),
    getProfile(db, customer.id),
    listWishlistIds(db, customer.id),
  ]);
  const { emailVerified } = customer;
  const shown = { firstName, emailVerified };
  const ofVisitor = await shownOf(cart, request.headers);
  return data<VisitorState>({ ...ofVisitor, customer: shown, wishlist, isInvited, now }, { headers });
}

async function shownOf({ count, subtotalCents }: Awaited<ReturnType<typeof sumCart>>, headers: Headers) {
  const hasFreeShipping = count > 0 && subtotalCents >= settings().shipping.freeFromCents;
  return { cartCount: count, hasFreeShipping, flashMessage: await flashMessageOf(headers, count) };
}

async function flashMessageOf(headers: Headers, cartCount: number): Promise<VisitorState["flashMessage"]> {
  const message = readFlashMessage(headers);
  // The link of the email opens home, also for who only needed it to order.
  if (message?.name === "email-verified" && cartCount > 0)
    return { ...message, link: { to: "/checkout", text: "Continue to checkout" } };
  if (message?.name !== "invited") return message;
  const early = (await listEarlyProducts(db)).map(earlyWords).join("; ");
  return { ...message, description: `Your link is good for one order: ${early}.` };
}

let last: VisitorState | null = null;

/** A lost connection must not break the page: the last state stays, and the next page loads it again. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs): Promise<VisitorState | null> {
  try {
    last = await serverLoader();
    followServer(last.now);
  } catch {
    // The last state stays.
  }
  return last;
}

/** The router does not load fetchers after a write if a page that was asked for before it arrives first. */
export const shouldRevalidate = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  defaultShouldRevalidate || (actionStatus !== undefined && actionStatus < 400);

/** Confirms a shown flash message: one that was sent to a page just being left is shown again. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request, ["shown"]);
  const headers = new Headers(NO_STORE);
  removeFlashMessage(request.headers, form.get("shown"), headers);
  return new Response(null, { status: 204, headers });
}
