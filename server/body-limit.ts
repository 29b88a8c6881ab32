/** Limits on the size of forms and picture uploads, and on the time of forms. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { readStaff } from "#app/session/staff.server.ts";
import { repeatedEvent } from "#platform/log.server.ts";
import { MAX_PICTURE_BYTES, MAX_PICTURES } from "#shop/catalog/back-office/product-form.ts";
import { may } from "#shop/staff/permissions.ts";

const MAX_FORM_BYTES = 64 * 1024;
const MAX_UPLOAD_BYTES = MAX_PICTURES * MAX_PICTURE_BYTES + 256 * 1024;

/**
 * Refuses a body over `maxSize` bytes. The rest is read and discarded, since the server would otherwise close the
 * connection during the next response.
 */
export const limitBody = (maxSize: number, refuse: (c: Context) => Response) =>
  bodyLimit({
    maxSize,
    onError(c) {
      const { body } = c.req.raw;
      if (body && !body.locked) void body.pipeTo(new WritableStream()).catch(() => {});
      return refuse(c);
    },
  });

function refuseLarge(c: Context): Response {
  repeatedEvent("form-too-large", { outcome: "refused" });
  return c.text("That is more than this shop takes in one form.", 413);
}

const limitForm = limitBody(MAX_FORM_BYTES, refuseLarge);
const limitUpload = limitBody(MAX_UPLOAD_BYTES, refuseLarge);

const ACTIONS = ["create", "pictures"];
const UPLOADS = /^\/admin\/products\/(?:new|[0-9a-f-]{36})(?:\.data)?$/;

/** True for staff who may upload product pictures. Runs before the body is read. */
async function mayUpload(request: Request): Promise<boolean> {
  const { pathname, searchParams } = new URL(request.url);
  if (!UPLOADS.test(pathname) || !ACTIONS.includes(searchParams.get("intent") ?? "")) return false;
  if (!request.headers.get("Content-Type")?.startsWith("multipart/form-data")) return false;
  const session = await readStaff(request);
  return session !== null && session !== "ended" && may(session.role, "products:edit");
}

const FORM_SECONDS = 10;

/** Reads a form whole before it takes a place among the requests underway, so that half-sent forms hold none. */
async function readWhole(c: Context): Promise<Response | null> {
  const request = c.req.raw;
  const timer = new AbortController();
  const late = sleep(FORM_SECONDS * 1000, null, { signal: timer.signal }).catch(() => null);
  const body = await Promise.race([request.arrayBuffer(), late]);
  timer.abort();
  if (!body) {
    repeatedEvent("form-too-slow", { outcome: "refused" });
    return c.text("The form did not arrive in time. Try again.", 408, { Connection: "close" });
  }
  c.req.raw = new Request(request, { method: request.method, body });
  return null;
}

export const limitWrites: MiddlewareHandler = async (c, next) => {
  if (await mayUpload(c.req.raw)) return limitUpload(c, next);
  return limitForm(c, async () => {
    const refusal = await readWhole(c);
    if (refusal) c.res = refusal;
    else await next();
  });
};
