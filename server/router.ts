/** What React Router answers: the shop, and the back office, which is loaded with the first request for it. */
import { createRequestHandler, RouterContextProvider, type RequestHandler, type ServerBuild } from "react-router";
import * as served from "virtual:react-router/server-build";
import { callerContext, type Caller } from "../app/http/client-address.ts";
import { failureContext } from "../app/http/failure.ts";
import { unavailable } from "./unavailable.ts";

type Routes = ServerBuild["routes"];
type Route = NonNullable<Routes[string]>;
/** As app/office-routes.ts makes it; in development all routes have their modules. */
type Build = ServerBuild & { loadOffice?(): Promise<Record<string, Route["module"]>> };

const build = served as unknown as Build;
const mode = import.meta.env.PROD ? "production" : "development";
const officeName = (route: Route | undefined) => (route as { office?: string } | undefined)?.office;

function without<Each>(routes: Record<string, Each>, left: Set<string>): Record<string, Each> {
  return Object.fromEntries(Object.entries(routes).filter(([id]) => !left.has(id)));
}

const officeIds = new Set(Object.keys(build.routes).filter((id) => officeName(build.routes[id])));

/** The shop without its back office. */
export const shopBuild: ServerBuild = {
  ...build,
  routes: without(build.routes, officeIds),
  assets: { ...build.assets, routes: without(build.assets.routes, officeIds) },
};
const shop = createRequestHandler(shopBuild, mode);

async function openOffice(load: NonNullable<Build["loadOffice"]>): Promise<RequestHandler> {
  const modules = await load();
  const whole = (route: Route | undefined) => {
    const module = modules[officeName(route) ?? ""];
    return route && module ? { ...route, module } : route;
  };
  const routes = Object.fromEntries(Object.entries(build.routes).map(([id, route]) => [id, whole(route)]));
  return createRequestHandler({ ...build, routes }, mode);
}

let office: Promise<RequestHandler> | undefined;

/** As the router reads it, which decodes an address and takes capitals for small letters. */
export function isOffice(path: string): boolean {
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // The router takes it as it stands, too.
  }
  return /^\/admin(?:[/.]|$)/i.test(decoded);
}

async function handlerOf(path: string): Promise<RequestHandler> {
  if (!build.loadOffice || !isOffice(path)) return shop;
  return (office ??= openOffice(build.loadOffice));
}

/** For a client that closed the connection while sending a form: nobody reads it, and the shop has not failed. */
export const gone = () => new Response(null, { status: 400 });

export async function render(request: Request, caller: Caller): Promise<Response> {
  const context = new RouterContextProvider();
  context.set(callerContext, caller);
  const handle = await handlerOf(new URL(request.url).pathname);
  const response = await handle(request, context);
  if (response.status >= 500 && request.signal.aborted) return gone();
  if (context.get(failureContext) === "database-down" && response.status >= 500) return unavailable();
  return response;
}
