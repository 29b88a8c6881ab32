/** Who comes in: staff with a session that holds, for what their role may do. Everybody else finds nothing here. */
import { data, redirect, type MiddlewareFunction } from "react-router";
import { db } from "../../database.server.ts";
import { writeAudit } from "../../../shop/staff/audit.server.ts";
import { may } from "../../../shop/staff/permissions.ts";
import { actingOf, readStaff, setStaff } from "../../session/staff.server.ts";
import { permissionFor } from "./access.ts";
import { menuFor } from "./menu.ts";

const nothingHere = () => data(null, { status: 404 });

/**
 * Runs before every loader and action below the layout. A session that has ended leads to sign-in, and back here; without
 * one this answers as an address that the shop does not have. What a role may not do is refused and written down.
 */
export const guard: MiddlewareFunction<Response> = async ({ request, context, pattern }, next) => {
  const session = await readStaff(request);
  const url = new URL(request.url);
  if (session === null) throw nothingHere();
  if (session === "ended") {
    const path = url.pathname.replace(/(?:\/_)?\.data$/, "") + (request.method === "GET" ? url.search : "");
    throw redirect(`/admin/sign-in?redirect=${encodeURIComponent(path)}`);
  }
  setStaff(context, session);
  const act = url.searchParams.get("act");
  const permission = permissionFor(`/${pattern}`, request.method, act);
  if (!permission) throw nothingHere();
  if (!may(session.role, permission)) {
    await writeAudit(db, actingOf(context), { action: "refused", after: { path: url.pathname, act, permission } });
    throw data({ signed: { name: session.name, role: session.role, menu: menuFor(session.role) } }, { status: 403 });
  }
  return next();
};
