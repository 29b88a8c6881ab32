/** Unsubscribing, by the button of its page or by a mail program's own (RFC 8058), which sends no Origin and no cookie. */
import type { Context, MiddlewareHandler } from "hono";
import { config } from "../app/config.server.ts";
import { db } from "../app/database.server.ts";
import { NO_STORE } from "../app/http/cache-headers.ts";
import { placeOfLink, unsubscribe } from "../shop/waitlist/unsubscribe.server.ts";
import { limitBody } from "./limited-body.ts";

const MAX_BYTES = 4 * 1024;

async function end(c: Context): Promise<Response> {
  const key = c.req.query("k") ?? "";
  const { secret, formerSecrets } = config();
  const placeId = placeOfLink(key, [secret, ...formerSecrets]);
  if (!placeId) return c.text("This link is not whole. Open it from the mail again.", 404, NO_STORE);
  await unsubscribe(db, placeId);
  if (!c.req.header("Accept")?.includes("text/html")) return c.text("You are unsubscribed.", 200, NO_STORE);
  c.header("Cache-Control", NO_STORE["Cache-Control"]);
  return c.redirect(`/waitlist/unsubscribe?k=${encodeURIComponent(key)}&done=1`, 303);
}

/** `mayWrite` counts the request and answers where it is too many. */
export const unsubscribing = (
  mayWrite: (c: Context) => Response | null,
): [MiddlewareHandler, MiddlewareHandler, (c: Context) => Promise<Response>] => [
  limitBody(MAX_BYTES, (c) => c.text("Too large.", 413, NO_STORE)),
  async (c, next) => mayWrite(c) ?? next(),
  end,
];
