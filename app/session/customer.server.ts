import { redirect, type RouterContextProvider } from "react-router";
import { callerContext } from "#platform/client-address.ts";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { refusedToOthers } from "#platform/log.server.ts";
import { ACCOUNT_COOKIES, cookieName } from "#shop/accounts/sessions.server.ts";
import { mergeCart } from "#shop/cart/cart.server.ts";
import type { Buyer } from "#shop/cart/cart.ts";
import { seenIn } from "#shop/text.ts";
import { getAuth } from "./auth.server.ts";
import { addFlashMessage, guestIdOf, newGuest } from "./cookies.server.ts";

const MAX_USER_AGENT_CHARACTERS = 400;

export type Customer = {
  id: string;
  email: string;
  emailVerified: boolean;
  sessionId: string;
  /** A recent sign-in is the verification of accounts without a password. */
  signedInAt: Date;
  hasSecondFactor: boolean;
  aal: "aal1" | "aal2";
};

type SessionState = {
  customer: Customer | null;
  /** User id between first and second factor. */
  awaitsSecondFactor: string | null;
  headers: Headers;
};

const SESSION_COOKIE = `${cookieName(config().baseUrl, ACCOUNT_COOKIES)}.session_token=`;

/** The session of a request. `refresh` extends it; the caller must then send `headers` with the response. */
export async function readSession(request: Request, { refresh = false } = {}): Promise<SessionState> {
  const nobody = { customer: null, awaitsSecondFactor: null };
  if (!request.headers.get("Cookie")?.includes(SESSION_COOKIE)) return { ...nobody, headers: new Headers() };
  const auth = await getAuth();
  const { response, headers } = await auth.api
    .getSession({ headers: request.headers, query: { disableRefresh: !refresh }, returnHeaders: true })
    .catch((error: unknown) => {
      // The session ended between read and refresh.
      if ((error as { statusCode?: number }).statusCode === 401) return { response: null, headers: new Headers() };
      throw error;
    });
  // The stale cookie is not cleared: the browser may already hold a renewed one.
  if (!response) return { ...nobody, headers: new Headers() };
  const { user, session } = response;
  // A session that was opened while its account was being suspended.
  if (user.suspensionReason) return { ...nobody, headers: new Headers() };
  const hasSecondFactor = Boolean(user.twoFactorEnabled);
  const aal = session.aal === "aal2" ? "aal2" : "aal1";
  if (hasSecondFactor && aal === "aal1") return { customer: null, awaitsSecondFactor: user.id, headers };
  const customer: Customer = {
    id: user.id,
    email: user.email,
    emailVerified: user.emailVerified,
    sessionId: session.id,
    signedInAt: session.createdAt,
    hasSecondFactor,
    aal,
  };
  return { customer, awaitsSecondFactor: null, headers };
}

/** Null for a guest. */
export async function readCustomer(request: Request): Promise<Customer | null> {
  return (await readSession(request)).customer;
}

/** Throws a redirect to sign-in, and back here, for a guest. */
export async function requireCustomer(request: Request): Promise<Customer> {
  const { customer, awaitsSecondFactor } = await readSession(request);
  if (customer) return customer;
  // A guest's POST tried to change something, so it is logged.
  if (request.method === "POST") refusedToOthers("account", awaitsSecondFactor ?? undefined);
  const { pathname, search } = new URL(request.url);
  const path = pathname.replace(/\.data$/, "") + search;
  throw redirect(`${awaitsSecondFactor ? "/auth/two-factor" : "/auth"}?redirect=${encodeURIComponent(path)}`);
}

/** The Cookie header that a browser sends after this response. */
export function cookiesAfter(response: Headers): Headers {
  const cookies = response.getSetCookie().map((line) => line.split(";")[0]);
  return new Headers({ Cookie: cookies.join("; ") });
}

/** Request headers for better-auth, with the client address and a bounded User-Agent, because it is stored. */
export function authHeaders(request: Request, context: Readonly<RouterContextProvider>): Headers {
  const headers = new Headers(request.headers);
  headers.set("x-caller-address", context.get(callerContext).address);
  const device = headers.get("User-Agent");
  if (device) headers.set("User-Agent", seenIn(device).slice(0, MAX_USER_AGENT_CHARACTERS));
  return headers;
}

/** Returns null if the visitor is neither a customer nor a guest with an id. */
export function buyerOf(request: Request, customer: Customer | null): Buyer | null {
  return buyersOf(request, customer)[0] ?? null;
}

/**
 * buyerOf for a page that shows the cart. The order of a guest who signed in may have expired since, which returned its
 * lines to the guest's cart; `headers` then say if quantities were lowered.
 */
export async function cartOwner(request: Request, customer: Customer | null, headers: Headers): Promise<Buyer | null> {
  const guestId = guestIdOf(request.headers);
  const { capped } = customer && guestId ? await mergeCart(db, guestId, customer.id) : { capped: 0 };
  if (capped > 0) addFlashMessage(headers, "cart-capped");
  return buyerOf(request, customer);
}

/** The customer, and the guest of the same browser, who may have ordered before signing in. */
export function buyersOf(request: Request, customer: Customer | null): Buyer[] {
  const guestId = guestIdOf(request.headers);
  return [...(customer ? [{ customerId: customer.id }] : []), ...(guestId ? [{ guestId }] : [])];
}

/** buyerOf that makes a new visitor a guest; `headers` then set the cookie. */
export async function ensureBuyer(
  request: Request,
): Promise<{ buyer: Buyer; customer: Customer | null; headers: Headers }> {
  const customer = await readCustomer(request);
  const known = buyerOf(request, customer);
  const headers = new Headers();
  if (known) return { buyer: known, customer, headers };
  const { guestId, setCookie } = newGuest();
  headers.append("Set-Cookie", setCookie);
  return { buyer: { guestId }, customer, headers };
}
