/** Requests by programs without Origin or cookies: webhooks of payments and carriers, and one-click unsubscribe. */
import type { Context, MiddlewareHandler } from "hono";
import { NO_STORE } from "#platform/cache-headers.ts";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { repeatedEvent, reportError } from "#platform/log.server.ts";
import { carrierProvider } from "#shop/carriers/open-carrier.server.ts";
import { noteNews } from "#shop/carriers/watch-parcels.server.ts";
import { storeEvents } from "#shop/payments/inbox.server.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import type { ProviderName } from "#shop/payments/provider.ts";
import { clock } from "#shop/clock.ts";
import { isSignedMail } from "#shop/support/inbox/mail-signature.server.ts";
import { inboxOf, MAX_MAIL_BYTES, receiveMail } from "#shop/support/inbox/receive.server.ts";
import { placeOfLink, unsubscribe } from "#shop/waitlist/waitlist.server.ts";
import { limitBody } from "./body-limit.ts";
import { RETRY_AFTER_SECONDS } from "./unavailable.ts";

const MAX_EVENT_BYTES = 512 * 1024;
const MAX_UNSUBSCRIBE_BYTES = 4 * 1024;

type Handler = (c: Context) => Promise<Response>;

const limit = (bytes: number, seconds?: number) =>
  limitBody(bytes, (c) => c.text("Too large.", 413, NO_STORE), seconds);

/** Reports what was not stored, so that its sender tries again. */
const orAgain =
  (what: string, store: Handler): Handler =>
  async (c) => {
    try {
      return await store(c);
    } catch (error) {
      reportError(error, what);
      return c.text("Try again.", 503, { ...NO_STORE, "Retry-After": String(RETRY_AFTER_SECONDS) });
    }
  };

/** Stores a signed event; the worker applies it. */
async function storeEvent(c: Context, sender: ProviderName): Promise<Response> {
  const provider = paymentProviders()?.[sender];
  // The signature covers the raw text.
  const event = await provider?.verify(c.req.raw.headers, await c.req.text());
  if (!provider || !event) {
    repeatedEvent("payment-event", { outcome: "refused" });
    return c.text("This was not signed by the payment provider.", 400, NO_STORE);
  }
  await storeEvents(db, provider, [event]);
  return c.text("ok", 200, NO_STORE);
}

/** Marks the parcel of a signed event; the worker reads it from the carrier. */
async function noteParcel(c: Context): Promise<Response> {
  const event = carrierProvider()?.verify(c.req.raw.headers, await c.req.text());
  if (!event) {
    repeatedEvent("carrier-event", { outcome: "refused" });
    return c.text("This was not signed by the provider of carriers.", 400, NO_STORE);
  }
  if (event.trackingNumber) await noteNews(db, event.trackingNumber);
  return c.text("ok", 200, NO_STORE);
}

/** Takes a signed email of a customer, whose sender the mail provider does not tell. */
async function takeMail(c: Context): Promise<Response> {
  const raw = new Uint8Array(await c.req.arrayBuffer());
  const secret = config().inbox?.webhookSecret;
  if (!secret || !isSignedMail(c.req.header("Polara-Signature") ?? "", raw, secret, clock.now())) {
    repeatedEvent("inbox", { outcome: "refused" });
    return c.text("This was not signed by the mail provider.", 400, NO_STORE);
  }
  return c.text(await receiveMail(db, inboxOf(config()), raw), 200, NO_STORE);
}

/** A large email over a slow line. */
const MAIL_SECONDS = 60;

export const incomingMail = (
  refuseMany: (c: Context) => Response | null,
): [MiddlewareHandler, MiddlewareHandler, Handler] => [
  async (c, next) => refuseMany(c) ?? next(),
  limit(MAX_MAIL_BYTES, MAIL_SECONDS),
  orAgain("an email was not stored", takeMail),
];

export const carrierEvents = (): [MiddlewareHandler, Handler] => [
  limit(MAX_EVENT_BYTES),
  orAgain("news of a parcel was not stored", noteParcel),
];

export const paymentEvents = (sender: ProviderName): [MiddlewareHandler, Handler] => [
  limit(MAX_EVENT_BYTES),
  orAgain("an event of a payment was not stored", (c) => storeEvent(c, sender)),
];

/** Unsubscribes by the page's button or a mail program (RFC 8058). */
async function endSubscription(c: Context): Promise<Response> {
  const key = c.req.query("k") ?? "";
  const { secret, formerSecrets } = config();
  const placeId = placeOfLink(key, [secret, ...formerSecrets]);
  if (!placeId) return c.text("This link is incomplete. Open it from the email again.", 404, NO_STORE);
  await unsubscribe(db, placeId);
  if (!c.req.header("Accept")?.includes("text/html")) return c.text("You’re unsubscribed.", 200, NO_STORE);
  c.header("Cache-Control", NO_STORE["Cache-Control"]);
  return c.redirect(`/waitlist/unsubscribe?k=${encodeURIComponent(key)}&done=1`, 303);
}

/** `refuseMany` consumes the limit and returns the refusal, if any. */
export const unsubscribing = (
  refuseMany: (c: Context) => Response | null,
): [MiddlewareHandler, MiddlewareHandler, Handler] => [
  limit(MAX_UNSUBSCRIBE_BYTES),
  async (c, next) => refuseMany(c) ?? next(),
  endSubscription,
];
