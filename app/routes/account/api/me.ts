import { db } from "#platform/database.server.ts";
import { isSessionLive } from "#shop/accounts/sessions.server.ts";
import { getAuth } from "#app/session/auth.server.ts";
import { repeatedEvent } from "#platform/log.server.ts";
import type { Route } from "./+types/me.ts";
import { NO_STORE } from "#platform/cache-headers.ts";

/** The account of a valid access token while its session lasts. */
export async function loader({ request }: Route.LoaderArgs) {
  const token = /^Bearer (\S+)$/.exec(request.headers.get("Authorization") ?? "")?.[1];
  const auth = await getAuth();
  const { payload } = token ? await auth.api.verifyJWT({ body: { token } }) : { payload: null };
  if (typeof payload?.sid === "string" && (await isSessionLive(db, payload.sub, payload.sid))) {
    return Response.json(payload, { headers: NO_STORE });
  }
  if (token) repeatedEvent("access-token", { outcome: "refused" });
  return Response.json(
    { type: "about:blank", title: "Unauthorized", status: 401, detail: "The access token is missing or not valid." },
    {
      status: 401,
      headers: {
        ...NO_STORE,
        "Content-Type": "application/problem+json",
        "WWW-Authenticate": 'Bearer error="invalid_token"',
      },
    },
  );
}
