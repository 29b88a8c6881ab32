/**
 * A saved version of a text on its real page, such as /about?preview=pages-about.7, for staff who may write texts.
 * Everyone else sees the page without it.
 */
import type { MiddlewareFunction } from "react-router";
import { readStaff } from "#app/session/staff.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { db } from "#platform/database.server.ts";
import { getVersion } from "#shop/content/edit-text.server.ts";
import { withPreview } from "#shop/content/published.server.ts";
import { isFinished } from "#shop/content/texts.server.ts";
import { may } from "#shop/staff/permissions.ts";

const PREVIEW = /^([a-z0-9-]{1,100})\.(\d{1,9})$/;

export const previewing: MiddlewareFunction<Response> = async ({ request }, next) => {
  const [, key, version] = PREVIEW.exec(new URL(request.url).searchParams.get("preview") ?? "") ?? [];
  if (!key) return next();
  const session = await readStaff(request);
  if (session === null || typeof session === "string" || !may(session.role, "texts:edit")) return next();
  const text = await getVersion(db, key, Number(version));
  if (!text || !isFinished(text)) return next();
  const response = await withPreview(text, next);
  response.headers.set("Cache-Control", NO_STORE["Cache-Control"]);
  return response;
};
