import { data, type RouterContextProvider } from "react-router";
import { waitMessage } from "../../../shop/rate-limits/rate-limits.server.ts";
import { NO_STORE } from "../../http/cache-headers.ts";
import { refusedToOthers } from "../../http/log.server.ts";
import { callerNetwork, rateLimits } from "../../session/rate-limits.server.ts";

const HOUR = 3600;

export type NotShownData = { order: null; wait: string | null };

/** One answer for orders that do not exist, links that were forged or revoked, and orders of others; counted by network. */
export async function notShown(context: Readonly<RouterContextProvider>) {
  refusedToOthers("order");
  const subject = callerNetwork(context);
  const wait = await rateLimits.consume([{ name: "order link by network", subject, points: 60, seconds: HOUR }]);
  const body: NotShownData = { order: null, wait: wait === null ? null : waitMessage(wait) };
  return data(body, { status: wait === null ? 404 : 429, headers: NO_STORE });
}
