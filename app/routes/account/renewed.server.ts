/**
 * An action may renew the session, whose cookie a browser without JavaScript gets only with the page.
 * The page is made in the same request, so its loader must read the renewed one.
 */
import { createContext, type RouterContextProvider } from "react-router";
import { cookiesAfter } from "../../session/customer.server.ts";

const renewed = createContext<Headers | null>(null);

/** The Cookie header that a browser would send after this answer, for whoever acts within this request. */
export function keepRenewed(context: Readonly<RouterContextProvider>, response: Headers): Headers {
  const headers = cookiesAfter(response);
  context.set(renewed, headers);
  return headers;
}

/** The request as the browser would send it now. */
export function asRenewed(request: Request, context: Readonly<RouterContextProvider>): Request {
  const headers = context.get(renewed);
  return headers ? new Request(request.url, { headers }) : request;
}
