/** The signed-in customer behind a request. */
import { redirect, type RouterContextProvider } from "react-router";
import { ACCOUNT_COOKIES, cookieName } from "../../shop/accounts/sessions/cookie.ts";
import { seenIn } from "../../shop/text.ts";
import { config } from "../config.server.ts";
import { callerContext } from "../http/client-address.ts";
import { getAuth } from "./auth.server.ts";
import { refusedToOthers } from "../http/log.server.ts";

const MAX_USER_AGENT_CHARACTERS = 400;

export type Customer = {
  id: string;
  email: string;
  emailVerified: boolean;
  sessionId: string;
  /** When this session began. For accounts without a password, a recent sign-in counts as a verification. */
  signedInAt: Date;
  hasSecondFactor: boolean;
  aal: "aal1" | "aal2";
};

export type SessionState = {
  customer: Customer | null;
  /** The id of an account whose first factor was right and whose second one is still to come. */
  awaitsSecondFactor: string | null;
  /** Cookies of a session that was refreshed. */
  headers: Headers;
};

const SESSION_COOKIE = `${cookieName(config().baseUrl, ACCOUNT_COOKIES)}.session_token=`;

/** The session behind a request. `refresh` extends it; whoever sets it has to send `headers` with the response. */
export async function readSession(request: Request, { refresh = false } = {}): Promise<SessionState> {
  const nobody = { customer: null, awaitsSecondFactor: null };
  if (!request.headers.get("Cookie")?.includes(SESSION_COOKIE)) return { ...nobody, headers: new Headers() };
  const auth = await getAuth();
  const { response, headers } = await auth.api
    .getSession({ headers: request.headers, query: { disableRefresh: !refresh }, returnHeaders: true })
    .catch((error: unknown) => {
      // It ended between being read and being extended.
      if ((error as { statusCode?: number }).statusCode === 401) return { response: null, headers: new Headers() };
      throw error;
    });
  // A cookie whose session has ended is left alone: the browser may hold the renewed one when this answer arrives.
  if (!response) return { ...nobody, headers: new Headers() };
  const { user, session } = response;
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

/** The customer behind a request, or null for a guest. */
export async function readCustomer(request: Request): Promise<Customer | null> {
  return (await readSession(request)).customer;
}

/** As readCustomer, but sends a guest to sign in, and back here afterwards. */
export async function requireCustomer(request: Request): Promise<Customer> {
  const { customer, awaitsSecondFactor } = await readSession(request);
  if (customer) return customer;
  // A guest's GET just leads to sign-in. A POST tried to change something, so it is logged.
  if (request.method === "POST") refusedToOthers("account", awaitsSecondFactor ?? undefined);
  const { pathname, search } = new URL(request.url);
  const path = pathname.replace(/\.data$/, "") + search;
  throw redirect(`${awaitsSecondFactor ? "/auth/two-factor" : "/auth"}?redirect=${encodeURIComponent(path)}`);
}

/** The Cookie header that a browser would send after this response. */
export function cookiesAfter(response: Headers): Headers {
  const cookies = response.getSetCookie().map((line) => line.split(";")[0]);
  return new Headers({ Cookie: cookies.join("; ") });
}

/** The request's headers for better-auth, with the caller's address and a bounded User-Agent, because it is stored. */
export function authHeaders(request: Request, context: Readonly<RouterContextProvider>): Headers {
  const headers = new Headers(request.headers);
  headers.set("x-caller-address", context.get(callerContext).address);
  const device = headers.get("User-Agent");
  if (device) headers.set("User-Agent", seenIn(device).slice(0, MAX_USER_AGENT_CHARACTERS));
  return headers;
}
