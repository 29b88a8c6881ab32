/** Guard of the back office: staff with a valid session and permission. Everyone else gets a 404, or at `/admin` the sign-in. */
import { data, redirect, type MiddlewareFunction } from "react-router";
import { db } from "#platform/database.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { writeAudit } from "#shop/audit/audit.server.ts";
import { may } from "#shop/staff/permissions.ts";
import { actingOf, readStaff, renewedStaffCookie, setStaff } from "#app/session/staff.server.ts";
import { menuFor, permissionFor } from "./access.ts";

export const notFound = () => data(null, { status: 404 });

/** Loader of addresses that take only posts. */
export function noPage(): never {
  throw notFound();
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isId = (text: string | null | undefined): text is string => UUID.test(text ?? "");

/** Throws a 404 unless `text` is an id. */
export function requireId(text: string | undefined): string {
  if (!isId(text)) throw notFound();
  return text;
}

/**
 * Runs before every loader and action below the layout. Ended sessions and the address `/admin` redirect to sign-in,
 * elsewhere visitors get a 404, and actions that the role lacks are refused and audited. No response is cached, and a
 * code renews the session's cookie.
 */
export const guard: MiddlewareFunction<Response> = async ({ request, context, pattern }, next) => {
  const session = await readStaff(request);
  const url = new URL(request.url);
  if (session === null && pattern !== "admin") throw notFound();
  if (session === null || typeof session === "string") {
    const path = url.pathname.replace(/(?:\/_)?\.data$/, "") + (request.method === "GET" ? url.search : "");
    throw redirect(`/admin/sign-in?redirect=${encodeURIComponent(path)}`);
  }
  setStaff(context, session);
  const intent = url.searchParams.get("intent");
  const permission = permissionFor(`/${pattern}`, request.method, intent);
  if (!permission) throw notFound();
  if (!may(session.role, permission)) {
    await writeAudit(db, actingOf(context), { action: "refused", after: { path: url.pathname, intent, permission } });
    throw data({ signed: { name: session.name, role: session.role, menu: menuFor(session.role) } }, { status: 403 });
  }
  const response = await next();
  response.headers.set("Cache-Control", NO_STORE["Cache-Control"]);
  const renewed = renewedStaffCookie(context);
  if (renewed) response.headers.append("Set-Cookie", renewed);
  return response;
};
