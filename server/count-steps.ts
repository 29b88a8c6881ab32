/**
 * Counts how many come in, see a product, fill a cart and go to the checkout: without cookies and without a row of anybody.
 * Nothing waits for it: a request adds one to a number in memory, which is written every few seconds and at the end.
 */
import type { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { isbot } from "isbot";
import { LRUCache } from "lru-cache";
import { db } from "../app/database.server.ts";
import { reportError } from "../app/http/log.server.ts";
import { readCampaign } from "../app/session/campaign.server.ts";
import { campaignOf, NO_CAMPAIGN, type Campaign } from "../shop/campaign.ts";
import { StepCounts, writeCounts } from "../shop/numbers/counts.server.ts";

type Bindings = { Bindings: { incoming?: IncomingMessage } };

const WRITE_MS = 5_000;
const counts = new StepCounts();
/** Whether it is a bot takes microseconds to tell, and browsers that come have few names. */
const bots = new LRUCache<string, boolean>({ max: 500 });

/** A header of a request, by its name in small letters. Node has read them already: asking `Headers` takes microseconds. */
type Read = (name: string) => string | undefined;
const reader = ({ env, req }: Context<Bindings>): Read => {
  const known = env?.incoming?.headers;
  return known ? (name) => known[name] as string | undefined : (name) => req.raw.headers.get(name) ?? undefined;
};

function isPerson(read: Read): boolean {
  if ((read("sec-purpose") ?? read("purpose"))?.includes("prefetch")) return false;
  const agent = read("user-agent") ?? "";
  const known = bots.get(agent);
  if (known !== undefined) return !known;
  const bot = agent === "" || isbot(agent);
  bots.set(agent, bot);
  return !bot;
}

/** From another site, a bookmark or the address bar; not from a page of the shop. */
function comesIn(read: Read): boolean {
  const site = read("sec-fetch-site");
  if (site !== undefined) return site !== "same-origin";
  const referer = read("referer");
  return !referer || !URL.canParse(referer) || new URL(referer).host !== read("host");
}

function campaignFor(url: string, read: Read): Campaign {
  const named = url.includes("utm_") ? campaignOf(new URL(url).searchParams) : null;
  const cookie = read("cookie");
  return named ?? (cookie?.includes("polara_visit") ? readCampaign(new Headers({ Cookie: cookie })) : NO_CAMPAIGN);
}

function isDocument(read: Read): boolean {
  const wanted = read("sec-fetch-dest");
  return wanted === undefined ? (read("accept")?.includes("text/html") ?? false) : wanted === "document";
}

const NEVER = /^\/(?:assets|images|admin)(?:\/|$)/;

/** Counts who comes in and what is looked at, also where a page's data alone are asked for. */
export const countSeen: MiddlewareHandler<Bindings> = (c, next) => {
  const { method, url, path } = c.req;
  if (method !== "GET" || NEVER.test(path)) return next();
  const read = reader(c);
  const isData = path.endsWith(".data");
  if (!isData && !isDocument(read)) return next();
  const isProduct = path.startsWith("/product/");
  const isCheckout = path === "/checkout" || path === "/checkout.data";
  const isVisit = !isData && comesIn(read);
  if ((isProduct || isCheckout || isVisit) && isPerson(read)) {
    const campaign = campaignFor(url, read);
    if (isVisit) counts.add("visit", campaign);
    if (isProduct) counts.add("product-view", campaign);
    if (isCheckout) counts.add("checkout", campaign);
  }
  return next();
};

/** Counts what is put into carts. */
export const countFilled: MiddlewareHandler<Bindings> = async (c, next) => {
  await next();
  const { status } = c.res;
  // Only a redirect is asked for its headers: looking at them makes an object of those that are sent as they are.
  const isRefused = status >= 400 || (status >= 300 && (c.res.headers.get("Location")?.includes("problem=") ?? false));
  const read = reader(c);
  if (!isRefused && isPerson(read)) counts.add("cart", campaignFor(c.req.url, read));
};

const write = () => writeCounts(db, counts).catch((error: unknown) => reportError(error, "counts were not written"));

/** Writes what was counted until it is stopped; what is left is written then. */
export function startWritingCounts(): { stop(): Promise<void> } {
  const timer = setInterval(() => void write(), WRITE_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await write();
    },
  };
}
