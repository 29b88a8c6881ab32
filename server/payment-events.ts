/** What the payment provider tells of: taken where its signature is right, kept in one statement, and worked off by the jobs. */
import type { Context, MiddlewareHandler } from "hono";
import { db } from "../app/database.server.ts";
import { NO_STORE } from "../app/http/cache-headers.ts";
import { repeatedEvent, reportError } from "../app/http/log.server.ts";
import { keepEvents } from "../shop/payments/jobs/inbox.server.ts";
import { paymentProvider } from "../shop/payments/open-provider.server.ts";
import { limitBody } from "./limited-body.ts";
import { RETRY_AFTER_SECONDS } from "./unavailable.ts";

const MAX_BYTES = 512 * 1024;

async function take(c: Context): Promise<Response> {
  const provider = paymentProvider();
  // As it was sent: another spelling of the same would not fit the signature.
  const event = await provider?.verify(c.req.raw.headers, await c.req.text());
  if (!provider || !event) {
    repeatedEvent("payment-event", { outcome: "refused" });
    return c.text("This was not signed by the payment provider.", 400, NO_STORE);
  }
  try {
    await keepEvents(db, provider, [event]);
    return c.text("ok", 200, NO_STORE);
  } catch (error) {
    reportError(error, "an event of a payment was not kept");
    // It is sent again.
    return c.text("Try again.", 503, { ...NO_STORE, "Retry-After": String(RETRY_AFTER_SECONDS) });
  }
}

export const paymentEvents = (): [MiddlewareHandler, (c: Context) => Promise<Response>] => [
  limitBody(MAX_BYTES, (c) => c.text("Too large.", 413, NO_STORE)),
  take,
];
