import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import * as served from "virtual:react-router/server-build";
import { config } from "#platform/config.server.ts";
import { networkOf } from "#shop/rate-limits/rate-limits.server.ts";
import { pageForAnyone } from "#app/http/page-for-anyone.server.ts";
import { callerContext, type Caller } from "#platform/client-address.ts";
import { failureContext } from "#platform/failure.ts";
import { admission, busy, gone, unavailable } from "./unavailable.ts";

/** Two seconds of work, well below the five-second wait for a connection. */
const MAX_UNDERWAY = 1_000;
const MAX_OF_NETWORK = 50;
const admit = admission(MAX_UNDERWAY, Math.ceil(MAX_OF_NETWORK * config().rateLimitScale));

const build: ServerBuild = served;
const handle = createRequestHandler(build, import.meta.env.PROD ? "production" : "development");

/** Renders a page, or says that the shop is busy. Renders for the page cache have no address and count for nobody. */
export const render = (request: Request, caller: Caller): Promise<Response> =>
  admit(caller.address === "" ? null : networkOf(caller.address), () => renderNow(request, caller), busy);

async function renderNow(request: Request, caller: Caller): Promise<Response> {
  const context = new RouterContextProvider();
  context.set(callerContext, caller);
  context.set(pageForAnyone, (path) => handle(new Request(new URL(path, request.url)), new RouterContextProvider()));
  const response = await handle(request, context);
  if (response.status >= 500 && request.signal.aborted) return gone();
  if (context.get(failureContext) === "database-down" && response.status >= 500) return unavailable();
  return response;
}
