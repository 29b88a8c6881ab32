/** Limits on the size of bodies, and on the time of all but picture uploads. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { findOrderFor } from "#app/session/order-access.server.ts";
import { readStaff } from "#app/session/staff.server.ts";
import { repeatedEvent } from "#platform/log.server.ts";
import { MAX_PICTURE_BYTES, MAX_PICTURES } from "#shop/catalog/back-office/product-form.ts";
import { MAX_UPLOAD_BYTES as MAX_UPLOADED_PHOTO_BYTES, TOO_LARGE } from "#shop/returns/photo.ts";
import { MAX_PHOTOS } from "#shop/returns/return.ts";
import { may, type Permission } from "#shop/staff/permissions.ts";

const MAX_FORM_BYTES = 64 * 1024;
const MAX_UPLOAD_BYTES = MAX_PICTURES * MAX_PICTURE_BYTES + 256 * 1024;
const MAX_RETURN_BYTES = MAX_PHOTOS * MAX_UPLOADED_PHOTO_BYTES + MAX_FORM_BYTES;

type Refuse = (c: Context) => Response;

/** The rest is read and discarded, since the server would otherwise close the connection during the next response. */
const limitSize = (maxSize: number, refuse: Refuse) =>
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
  return c.text("That’s more than this shop takes in one form.", 413);
}

const ACTIONS = ["create", "pictures"];
const UPLOADS = /^\/admin\/products\/(?:new|[0-9a-f-]{36})(?:\.data)?$/;
const TEXTS = /^\/admin\/texts\/[a-z0-9-]+(?:\.data|\/preview)?$/;

/** The permission to send pictures or long texts to an address; null where neither is taken. */
function permissionToUpload(request: Request): Permission | null {
  const { pathname, searchParams } = new URL(request.url);
  if (TEXTS.test(pathname)) return "texts:edit";
  const isUpload = UPLOADS.test(pathname) && ACTIONS.includes(searchParams.get("intent") ?? "");
  return isUpload && request.headers.get("Content-Type")?.startsWith("multipart/form-data") ? "products:edit" : null;
}

/** True for staff who may send as much. Runs before the body is read. */
async function mayUpload(request: Request): Promise<boolean> {
  const permission = permissionToUpload(request);
  const session = permission && (await readStaff(request));
  return permission !== null && session !== null && typeof session !== "string" && may(session.role, permission);
}

const RETURN = /^\/orders\/([0-9a-f-]{36})\/return(?:\.data)?$/;

/** True for customers who may send photos with a return. Runs before the body is read. */
async function maySendPhotos(request: Request): Promise<boolean> {
  const [, orderId] = RETURN.exec(new URL(request.url).pathname) ?? [];
  return orderId !== undefined && (await findOrderFor(request, orderId)) !== null;
}

function refusePhotos(c: Context): Response {
  repeatedEvent("form-too-large", { outcome: "refused" });
  const text = `These photos are too large. ${TOO_LARGE}. Go back: your text is still there. Then choose smaller photos.`;
  return c.text(text, 413);
}

const BODY_SECONDS = 10;
/** Three photos by a slow phone. */
const PHOTO_SECONDS = 240;
const LATE = "late" as const;

function refuseLate(c: Context): Response {
  repeatedEvent("form-too-slow", { outcome: "refused" });
  return c.text("The form did not arrive in time. Try again.", 408, { Connection: "close" });
}

async function readWhole(c: Context): Promise<void> {
  const request = c.req.raw;
  c.req.raw = new Request(request, { method: request.method, body: await request.arrayBuffer() });
}

/**
 * Refuses a body over `maxSize` bytes, and one that is not there after `seconds`. It is read before the request takes a
 * place among those underway, so that half-sent forms hold none.
 */
export function limitBody(maxSize: number, refuse: Refuse, seconds = BODY_SECONDS): MiddlewareHandler {
  const limit = limitSize(maxSize, refuse);
  return async (c, next) => {
    const timer = new AbortController();
    const late = sleep(seconds * 1000, LATE, { signal: timer.signal }).catch(() => LATE);
    const refusal = await Promise.race([limit(c, () => readWhole(c)), late]).finally(() => timer.abort());
    return refusal === LATE ? refuseLate(c) : (refusal ?? next());
  };
}

const limitForm = limitBody(MAX_FORM_BYTES, refuseLarge);
const limitUpload = limitSize(MAX_UPLOAD_BYTES, refuseLarge);
const limitPhotos = limitBody(MAX_RETURN_BYTES, refusePhotos, PHOTO_SECONDS);

export const limitWrites: MiddlewareHandler = async (c, next) => {
  if (await maySendPhotos(c.req.raw)) return limitPhotos(c, next);
  if (!(await mayUpload(c.req.raw))) return limitForm(c, next);
  // Pictures are encoded in silence.
  c.env?.incoming?.socket?.setTimeout(0);
  return limitUpload(c, next);
};
