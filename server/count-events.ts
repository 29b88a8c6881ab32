/** Analytics events, counted in memory without cookies or personal rows and written every few seconds. */
import type { Context, MiddlewareHandler } from "hono";
import { isbot } from "isbot";
import { db } from "#platform/database.server.ts";
import { reportError } from "#platform/log.server.ts";
import { readCampaign } from "#app/session/cookies.server.ts";
import { campaignOf, NO_CAMPAIGN, type Campaign } from "#shop/campaign.ts";
import { EventCounts } from "#shop/analytics/event-counts.server.ts";

const WRITE_MS = 5_000;
const counts = new EventCounts();

function isPerson({ req }: Context): boolean {
  if ((req.header("Sec-Purpose") ?? req.header("Purpose"))?.includes("prefetch")) return false;
  const agent = req.header("User-Agent") ?? "";
  return agent !== "" && !isbot(agent);
}

/** True for visits from another site, a bookmark or the address bar. */
function isArrival({ req }: Context): boolean {
  const site = req.header("Sec-Fetch-Site");
  if (site !== undefined) return site !== "same-origin";
  const referer = req.header("Referer");
  return !referer || !URL.canParse(referer) || new URL(referer).host !== req.header("Host");
}

function campaignFor({ req }: Context): Campaign {
  const named = req.url.includes("utm_") ? campaignOf(new URL(req.url).searchParams) : null;
  const cookie = req.header("Cookie") ?? "";
  return named ?? (cookie.includes("polara_visit") ? readCampaign(new Headers({ Cookie: cookie })) : NO_CAMPAIGN);
}

function isDocument({ req }: Context): boolean {
  const destination = req.header("Sec-Fetch-Dest");
  return destination === undefined
    ? (req.header("Accept")?.includes("text/html") ?? false)
    : destination === "document";
}

const NEVER = /^\/(?:assets|images|admin)(?:\/|$)/;

export const countViews: MiddlewareHandler = (c, next) => {
  const { method, path } = c.req;
  if (method !== "GET" || NEVER.test(path)) return next();
  const isData = path.endsWith(".data");
  if (!isData && !isDocument(c)) return next();
  const isProduct = path.startsWith("/product/");
  const isCheckout = path === "/checkout" || path === "/checkout.data";
  const isVisit = !isData && isArrival(c);
  if ((isProduct || isCheckout || isVisit) && isPerson(c)) {
    const campaign = campaignFor(c);
    if (isVisit) counts.add("visit", campaign);
    if (isProduct) counts.add("product-view", campaign);
    if (isCheckout) counts.add("checkout", campaign);
  }
  return next();
};

export const countAdds: MiddlewareHandler = async (c, next) => {
  await next();
  const { status } = c.res;
  const isRefused = status >= 400 || (status >= 300 && (c.res.headers.get("Location")?.includes("problem=") ?? false));
  if (!isRefused && isPerson(c)) counts.add("cart", campaignFor(c));
};

/** Counts orders that a limit refused, so that staff see when honest buyers meet one. */
export const countRefusals: MiddlewareHandler = async (c, next) => {
  await next();
  if (c.res.status === 429) counts.add("order-refused", NO_CAMPAIGN);
};

const write = () => counts.write(db).catch((error: unknown) => reportError(error, "counts were not written"));

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
