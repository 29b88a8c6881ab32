import { data } from "react-router";
import { goingBackHeaders } from "#platform/cache-headers.ts";
import { privateMeta } from "#app/http/page-meta.ts";
import { findOrderFor } from "#app/session/order-access.server.ts";
import { notShown } from "../load.server.ts";
import { NotShown } from "../order-page.tsx";
import type { Route } from "./+types/request.ts";
import { choose, loadRequest, send } from "./request.server.ts";
import { RequestPage } from "./request-page.tsx";

/** Going back shows again what was typed. */
export const headers = goingBackHeaders;

export const meta: Route.MetaFunction = () => privateMeta("Return, exchange, or report a problem");

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const access = await findOrderFor(request, params.orderId);
  if (!access) return notShown(context);
  const { id } = access.order;
  return data({ order: { id }, wait: null, asked: await loadRequest(id, new URL(request.url).searchParams) });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const access = await findOrderFor(request, params.orderId);
  if (!access) return notShown(context);
  const isUpload = request.headers.get("Content-Type")?.startsWith("multipart/form-data");
  return isUpload ? send(access, request) : choose(access, request);
}

export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

export default function Request({ loaderData }: Route.ComponentProps) {
  if (!loaderData.order) return <NotShown wait={loaderData.wait} />;
  return <RequestPage orderId={loaderData.order.id} asked={loaderData.asked} />;
}
