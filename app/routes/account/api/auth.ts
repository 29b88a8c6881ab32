import { getAuth } from "#app/session/auth.server.ts";
import { securityEvent } from "#platform/log.server.ts";
import { authHeaders, cookiesAfter, readSession } from "#app/session/customer.server.ts";
import type { Route } from "./+types/auth.ts";
import { NO_STORE } from "#platform/cache-headers.ts";

const JWKS_MAX_AGE_SECONDS = 15 * 60;

/**
 * Public endpoints of better-auth: Google's callback, the signing keys and access tokens. Everything else goes through
 * the shop's own forms and limits.
 */
const OPEN = new Set(["callback/google", "jwks", "token"]);

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const path = params["*"];
  if (!OPEN.has(path)) return new Response("Not found", { status: 404 });
  if (path === "token" && !(await readSession(request)).customer) {
    return Response.json({ message: "Sign in first" }, { status: 401, headers: NO_STORE });
  }
  const auth = await getAuth();
  const response = await auth.handler(new Request(request.url, { headers: authHeaders(request, context) }));
  if (path === "jwks") response.headers.set("Cache-Control", `public, max-age=${JWKS_MAX_AGE_SECONDS}`);
  if (path === "token") response.headers.set("Cache-Control", NO_STORE["Cache-Control"]);
  return path === "callback/google" ? askForSecondFactor(response, request.url) : response;
}

/** Google proves the first factor only. */
async function askForSecondFactor(response: Response, url: string): Promise<Response> {
  const { customer, awaitsSecondFactor } = await readSession(
    new Request(url, { headers: cookiesAfter(response.headers) }),
  );
  const userId = awaitsSecondFactor ?? customer?.id;
  securityEvent("sign-in", { outcome: userId ? "ok" : "refused", way: "google", userId });
  const location = response.headers.get("Location");
  if (!location) return response;
  if (!awaitsSecondFactor) return response;
  const { pathname, search, hash } = new URL(location, url);
  const headers = new Headers(response.headers);
  headers.set("Location", `/auth/two-factor?redirect=${encodeURIComponent(pathname + search + hash)}`);
  return new Response(null, { status: response.status, headers });
}
