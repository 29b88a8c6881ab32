/**
 * What the page's script sends most often, writes to the cart and orders, is answered in JSON by the action of its route,
 * without the router in between. Whoever asks for anything else than JSON gets the same from the router: decision 026.
 */
import { Hono, type Context, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import { secureHeaders } from "hono/secure-headers";
import { RouterContextProvider, type ActionFunction, type ServerBuild } from "react-router";
import { NO_STORE } from "../app/http/cache-headers.ts";
import { callerContext, type Caller } from "../app/http/client-address.ts";
import { failureContext, reportFailure } from "../app/http/failure.ts";
import type { Admit } from "./admission.ts";
import { headerSettings, NO_PAGE_POLICY } from "./answer-headers.ts";
import { isMalformed } from "./malformed.ts";
import { busy, RETRY_AFTER_SECONDS, unavailable } from "./unavailable.ts";

const ADDRESSES = ["/cart/add", "/cart/update", "/cart/remove", "/cart/clear", "/checkout"];
const LONG_CHARACTERS = 1024;

/** What `data` of the router makes. */
type Result = { data: unknown; init: { status?: number; headers?: Headers } | null };

type Options = {
  build: ServerBuild;
  baseUrl: string;
  bodyLimit: number;
  callerOf(c: Context): Caller;
  /** As for every write: null, or why it is not carried out. */
  refuse(c: Context): Response | null;
  admit: Admit;
};

export async function directWrites({ build, baseUrl, bodyLimit, ...shop }: Options): Promise<MiddlewareHandler> {
  const actions = actionsOf(build);
  const headers = await headersOf(baseUrl);
  const jsonHeaders = { ...headers, "content-type": "application/json", vary: "Accept-Encoding" };
  const compressed = compress();

  function withHeaders(response: Response): Response {
    for (const [name, value] of Object.entries(headers)) {
      if (!response.headers.has(name)) response.headers.set(name, value);
    }
    return response;
  }

  async function inJson({ data, init }: Result, c: Context): Promise<Response> {
    const status = init?.status ?? 200;
    const cookies = init?.headers?.getSetCookie() ?? [];
    const body = JSON.stringify(data);
    const [cookie, ...moreCookies] = cookies;
    // A plain object of headers is sent as it is, and holds each name once.
    const response = new Response(body, {
      status,
      headers: {
        ...jsonHeaders,
        ...(cookie && { "set-cookie": cookie }),
        ...(status === 503 && { "retry-after": String(RETRY_AFTER_SECONDS) }),
      },
    });
    for (const another of moreCookies) response.headers.append("Set-Cookie", another);
    if (body.length < LONG_CHARACTERS) return response;
    c.res = response;
    await compressed(c, async () => {});
    return c.res;
  }

  async function carryOut(action: ActionFunction, c: Context): Promise<Response> {
    const request = c.req.raw;
    const context = new RouterContextProvider();
    context.set(callerContext, shop.callerOf(c));
    try {
      const result = await action({
        request,
        // No action of these asks for it, and to read an address takes microseconds.
        get url() {
          return new URL(request.url);
        },
        context,
        params: {},
        pattern: c.req.path,
      });
      return result instanceof Response ? withHeaders(result) : await inJson(result as Result, c);
    } catch (thrown) {
      if (thrown instanceof Response) return withHeaders(thrown);
      if (request.signal.aborted) throw thrown;
      reportFailure(thrown, context);
      if (context.get(failureContext) === "database-down") return withHeaders(unavailable());
      return inJson({ data: null, init: { status: 500 } }, c);
    }
  }

  return async (c, next) => {
    const action = actions.get(c.req.path);
    const length = Number(c.req.header("Content-Length") ?? NaN);
    const isDirect = action && c.req.header("Accept") === "application/json" && length <= bodyLimit;
    if (!isDirect || isMalformed(c.req.url)) return next();
    const refusal = shop.refuse(c);
    if (refusal) return withHeaders(refusal);
    return shop.admit(
      () => carryOut(action, c),
      () => withHeaders(busy()),
    );
  };
}

/** The actions of those routes, by address. */
function actionsOf({ routes }: ServerBuild): Map<string, ActionFunction> {
  const actions = new Map<string, ActionFunction>();
  for (const route of Object.values(routes)) {
    const address = `/${route?.path}`;
    if (route?.module.action && ADDRESSES.includes(address)) actions.set(address, route.module.action);
  }
  return actions;
}

/** The headers that the shop's other answers of this kind have, made once. */
async function headersOf(baseUrl: string): Promise<Record<string, string>> {
  const bare = new Hono().use(secureHeaders(headerSettings(baseUrl))).get("/", (c) => c.body(null));
  const { headers } = await bare.request("/");
  const policy = { "content-security-policy": NO_PAGE_POLICY, "x-robots-tag": "noindex" };
  return { ...Object.fromEntries(headers), ...policy, "cache-control": NO_STORE["Cache-Control"] };
}
