/** Limits of bodies: their type and size, the time of each, and their sum in the process. */
import { setImmediate } from "node:timers/promises";
import type { Context, MiddlewareHandler } from "hono";
import { isForm, NO_FORM } from "#app/http/form.server.ts";
import { findOrderFor } from "#app/session/order-access.server.ts";
import { readStaff } from "#app/session/staff.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { repeatedEvent } from "#platform/log.server.ts";
import { MAX_PICTURE_BYTES, MAX_PICTURES } from "#shop/catalog/back-office/product-form.ts";
import { MAX_UPLOAD_BYTES as MAX_UPLOADED_PHOTO_BYTES, TOO_LARGE } from "#shop/returns/photo.ts";
import { MAX_PHOTOS } from "#shop/returns/return.ts";
import { singleton } from "#shop/singleton.ts";
import { may, type Permission } from "#shop/staff/permissions.ts";
import { bodyBudget } from "./body-budget.ts";
import { subjectOf, type Served } from "./caller.ts";
import { readBody } from "./read-body.ts";
import { busy, gone } from "./unavailable.ts";

const MAX_FORM_BYTES = 64 * 1024;
const MAX_UPLOAD_BYTES = MAX_PICTURES * MAX_PICTURE_BYTES + 256 * 1024;
const MAX_RETURN_BYTES = MAX_PHOTOS * MAX_UPLOADED_PHOTO_BYTES + MAX_FORM_BYTES;

type Refuse = (c: Context<Served>) => Response;

function refuseLarge(c: Context): Response {
  repeatedEvent("form-too-large", { outcome: "refused" });
  return c.text("That’s more than this shop takes in one form.", 413);
}

const ACTIONS = ["create", "pictures"];
const UPLOADS = /^\/admin\/products\/(?:new|[0-9a-f-]{36})(?:\.data)?$/;
const TEXTS = /^\/admin\/texts\/[a-z0-9-]+(?:\.data|\/preview)?$/;

const isMultipart = ({ headers }: Request) => headers.get("Content-Type")?.startsWith("multipart/form-data") ?? false;

/** The permission to send pictures or long texts to an address; null where neither is taken. */
function permissionToUpload(request: Request): Permission | null {
  const { pathname, searchParams } = new URL(request.url);
  if (TEXTS.test(pathname)) return "texts:edit";
  const isUpload = UPLOADS.test(pathname) && ACTIONS.includes(searchParams.get("intent") ?? "");
  return isUpload && isMultipart(request) ? "products:edit" : null;
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
  return orderId !== undefined && isMultipart(request) && (await findOrderFor(request, orderId)) !== null;
}

function refusePhotos(c: Context): Response {
  repeatedEvent("form-too-large", { outcome: "refused" });
  const text = `These photos are too large. ${TOO_LARGE}. Go back: your text is still there. Then choose smaller photos.`;
  return c.text(text, 413);
}

const BODY_SECONDS = 10;
/** Three photos by a slow phone, or six pictures by a slow line. */
const UPLOAD_SECONDS = 240;

function refuseLate(c: Context): Response {
  repeatedEvent("form-too-slow", { outcome: "refused" });
  return c.text("The form did not arrive in time. Try again.", 408, { Connection: "close" });
}

/** Its pieces could be bytes, each of which costs more to read than to send. */
function refuseWithoutLength(c: Context): Response {
  repeatedEvent("form-of-no-page", { outcome: "refused", reason: "no Content-Length" });
  return c.text("Send the length of the body with it, as Content-Length.", 411, { Connection: "close" });
}

function refuseFull(): Response {
  repeatedEvent("bodies-underway", { outcome: "limited" });
  return busy();
}

const open = singleton("bodies underway", bodyBudget);

const PAUSE_MS = 10;

/** Blocks are forgotten as they are read. Whoever reads many of them lets other requests through in between. */
function streamOf(blocks: Buffer[]): ReadableStream<Uint8Array> {
  let pauseAt = performance.now() + PAUSE_MS;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (performance.now() > pauseAt) {
          await setImmediate();
          pauseAt = performance.now() + PAUSE_MS;
        }
        const block = blocks.shift();
        if (block) controller.enqueue(block);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Refuses a body without a length, over `maxSize` bytes, or not there after `seconds`, and one that the process has no room
 * for. It is read before the request takes a place among those underway, so that half-sent forms hold none.
 */
export function limitBody(maxSize: number, refuse: Refuse, seconds = BODY_SECONDS): MiddlewareHandler<Served> {
  return async (c, next) => {
    const { headers, method, signal, url } = c.req.raw;
    const incoming = c.env?.incoming;
    if (headers.has("Transfer-Encoding")) return refuseWithoutLength(c);
    const length = Number(headers.get("Content-Length") ?? 0);
    if (length > maxSize) return refuse(c);
    const held = open(subjectOf(c), { isLarge: length > MAX_FORM_BYTES });
    if (!held.hasRoom(length)) return refuseFull();
    try {
      const read = length > 0 && incoming ? await readBody(incoming, length, held, seconds) : [];
      if (read === "late") return refuseLate(c);
      if (read === "full") return refuseFull();
      if (read === "gone") return gone();
      const init = { method, headers, signal, body: length > 0 ? streamOf(read) : null, duplex: "half" };
      c.req.raw = new Request(url, init);
      await next();
    } finally {
      held.release();
    }
  };
}

const limitForm = limitBody(MAX_FORM_BYTES, refuseLarge);
const limitUpload = limitBody(MAX_UPLOAD_BYTES, refuseLarge, UPLOAD_SECONDS);
const limitPhotos = limitBody(MAX_RETURN_BYTES, refusePhotos, UPLOAD_SECONDS);

export const limitWrites: MiddlewareHandler<Served> = async (c, next) => {
  const type = c.req.header("Content-Type");
  if (type !== undefined && !isForm(type)) {
    repeatedEvent("form-of-no-page", { outcome: "refused", reason: NO_FORM });
    return c.text(NO_FORM, 415, NO_STORE);
  }
  if (await maySendPhotos(c.req.raw)) return limitPhotos(c, next);
  if (!(await mayUpload(c.req.raw))) return limitForm(c, next);
  // Pictures are encoded in silence.
  c.env?.incoming?.socket?.setTimeout(0);
  return limitUpload(c, next);
};
