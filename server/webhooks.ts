/** Requests by programs without Origin or cookies: webhooks of payments, carriers and mail, and one-click unsubscribe. */
import type { Context, MiddlewareHandler } from "hono";
import { NO_STORE } from "#platform/cache-headers.ts";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { repeatedEvent, reportError } from "#platform/log.server.ts";
import { carrierProvider } from "#shop/carriers/open-carrier.server.ts";
import { noteNews } from "#shop/carriers/watch-parcels.server.ts";
import { SUBSCRIPTIONS } from "#shop/consents/consents.server.ts";
import { storeEvents } from "#shop/payments/inbox.server.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import { ProviderError, type ProviderName } from "#shop/payments/provider.ts";
import { clock } from "#shop/clock.ts";
import { isSignedMail, looksSigned } from "#shop/support/inbox/mail-signature.server.ts";
import { inboxOf, MAX_MAIL_BYTES, receiveMail } from "#shop/support/inbox/receive.server.ts";
import { limitBody } from "./body-limit.ts";
import { consume, refuseMany, tooMany, type Served } from "./caller.ts";
import { RETRY_AFTER_SECONDS } from "./unavailable.ts";

const MAX_EVENT_BYTES = 512 * 1024;
const MAX_UNSUBSCRIBE_BYTES = 4 * 1024;
/** A large email over a slow line. */
const MAIL_SECONDS = 60;

type Handler = (c: Context<Served>) => Promise<Response>;
type Handlers = [MiddlewareHandler<Served>, MiddlewareHandler<Served>, Handler];

const limit = (bytes: number, seconds?: number) =>
  limitBody(bytes, (c) => c.text("Too large.", 413, NO_STORE), seconds);

type Webhook = {
  event: string;
  /** Completes "was not stored". */
  what: string;
  /** Completes "This was not signed by". */
  signer: string;
  maxBytes: number;
  seconds?: number;
  /** False for headers that no signature looks like, which leave the body unread. */
  looksSigned(headers: Headers): boolean;
  /** Stores what was sent. False if it is not signed. */
  store(headers: Headers, body: Buffer): Promise<boolean | string>;
};

/**
 * Takes what a program has signed. What nobody signed is counted by network: one over its limit is refused unread. What was
 * not stored is reported, so that its sender tries again.
 */
function webhook({ event, what, signer, maxBytes, seconds, looksSigned: looks, store }: Webhook): Handlers {
  function refuse(c: Context<Served>): Response {
    consume(c, "unsigned");
    repeatedEvent(event, { outcome: "refused" });
    return c.text(`This was not signed by ${signer}.`, 400, NO_STORE);
  }
  return [
    async (c, next) => {
      const wait = consume(c, "unsigned", 0);
      if (wait !== null) return tooMany(c, wait);
      return looks(c.req.raw.headers) ? next() : refuse(c);
    },
    limit(maxBytes, seconds),
    async (c) => {
      const { headers } = c.req.raw;
      try {
        const stored = await store(headers, Buffer.from(await c.req.raw.arrayBuffer()));
        return stored === false ? refuse(c) : c.text(stored === true ? "ok" : stored, 200, NO_STORE);
      } catch (error) {
        // So many are being verified that the shop asks the provider itself for what it has missed.
        if (error instanceof ProviderError && error.kind === "busy") repeatedEvent(event, { outcome: "limited" });
        else reportError(error, `${what} was not stored`);
        return c.text("Try again.", 503, { ...NO_STORE, "Retry-After": String(RETRY_AFTER_SECONDS) });
      }
    },
  ];
}

/** An email of a customer, whose sender the mail provider does not tell. */
export const incomingMail = (): [MiddlewareHandler<Served>, ...Handlers] => [
  async (c, next) => refuseMany(c) ?? next(),
  ...webhook({
    event: "inbox",
    what: "an email",
    signer: "the mail provider",
    maxBytes: MAX_MAIL_BYTES,
    seconds: MAIL_SECONDS,
    looksSigned: (headers) => looksSigned(headers.get("Polara-Signature") ?? "", clock.now()),
    async store(headers, raw) {
      const secret = config().inbox?.webhookSecret;
      const signature = headers.get("Polara-Signature") ?? "";
      if (!secret || !(await isSignedMail(signature, raw, secret, clock.now()))) return false;
      return receiveMail(db, inboxOf(config()), raw, reportError);
    },
  }),
];

const ONLY_HERE =
  "The mailbox takes mail from the machine that the shop runs on, at http://localhost, or from everybody with MAILBOX=open.";
const NO_MAIL = "Send one email as it travels (RFC 5322), with Content-Type: message/rfc822.";

/**
 * Takes an email of a customer, without a signature, in a shop that keeps its mail itself and from who may read that. Its
 * type is one that a page of another site cannot send.
 */
export const trialMail = (mayRead: (c: Context<Served>) => boolean): Handlers => [
  async (c, next) => {
    if (!mayRead(c)) {
      repeatedEvent("mailbox", { outcome: "refused" });
      return c.json({ message: ONLY_HERE }, 403, NO_STORE);
    }
    const isMail = /^message\/rfc822\b/i.test(c.req.header("Content-Type") ?? "");
    return isMail ? (refuseMany(c) ?? next()) : c.json({ message: NO_MAIL }, 415, NO_STORE);
  },
  limit(MAX_MAIL_BYTES, MAIL_SECONDS),
  async (c) => {
    const raw = Buffer.from(await c.req.raw.arrayBuffer());
    return c.json({ received: await receiveMail(db, inboxOf(config()), raw, reportError) }, 200, NO_STORE);
  },
];

/** Marks the parcel of an event; the worker reads it from the carrier. */
export const carrierEvents = (): Handlers =>
  webhook({
    event: "carrier-event",
    what: "news of a parcel",
    signer: "the provider of carriers",
    maxBytes: MAX_EVENT_BYTES,
    looksSigned: (headers) => carrierProvider()?.looksSigned(headers) ?? false,
    async store(headers, body) {
      const event = carrierProvider()?.verify(headers, body.toString());
      if (event?.trackingNumber) await noteNews(db, event.trackingNumber);
      return Boolean(event);
    },
  });

/** Stores an event; the worker applies it. */
export const paymentEvents = (sender: ProviderName): Handlers =>
  webhook({
    event: "payment-event",
    what: "an event of a payment",
    signer: "the payment provider",
    maxBytes: MAX_EVENT_BYTES,
    looksSigned: (headers) => paymentProviders()?.[sender]?.looksSigned(headers) ?? false,
    async store(headers, body) {
      const provider = paymentProviders()?.[sender];
      // The signature covers the raw text.
      const event = await provider?.verify(headers, body.toString());
      if (provider && event) await storeEvents(db, provider, [event]);
      return Boolean(event);
    },
  });

/** Unsubscribes by the page's button or a mail program (RFC 8058). */
async function endSubscription(c: Context<Served>): Promise<Response> {
  const key = c.req.query("k") ?? "";
  const { secret, formerSecrets } = config();
  const subscription = SUBSCRIPTIONS[c.req.path];
  const id = subscription?.find(key, [secret, ...formerSecrets]);
  if (!subscription || !id) return c.text("This link is incomplete. Open it from the email again.", 404, NO_STORE);
  const isEnded = await subscription.end(db, id);
  if (!c.req.header("Accept")?.includes("text/html"))
    return isEnded
      ? c.text("You’re unsubscribed.", 200, NO_STORE)
      : c.text("This link is too old. Use the one in the newest email, or your account’s settings.", 410, NO_STORE);
  c.header("Cache-Control", NO_STORE["Cache-Control"]);
  return c.redirect(`${c.req.path}?k=${encodeURIComponent(key)}&${isEnded ? "done" : "old"}=1`, 303);
}

export const unsubscribing = (): Handlers => [
  async (c, next) => refuseMany(c) ?? next(),
  limit(MAX_UNSUBSCRIBE_BYTES),
  endSubscription,
];
