import { db } from "../../../database.server.ts";
import { isSessionLive } from "../../../../shop/accounts/sessions/sessions.server.ts";
import { getAuth } from "../../../session/auth.server.ts";
import { repeatedEvent } from "../../../http/log.server.ts";
import type { Route } from "./+types/me.ts";
import { NO_STORE } from "../../../http/cache-headers.ts";

/** Who an access token speaks for, once its signature is verified, and for as long as its session lasts. */
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
