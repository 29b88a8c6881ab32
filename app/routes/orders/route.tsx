import { data, redirect } from "react-router";
import { NO_STORE, privateHeaders } from "../../http/cache-headers.ts";
import { privateMeta } from "../../http/page-meta.ts";
import { findOrderFor, moveKey } from "../../session/order-access.server.ts";
import type { Route } from "./+types/route.ts";
import { act } from "./act.server.ts";
import { isConfirmed, type OrderActionResult } from "./action-result.ts";
import { loadOrder } from "./load.server.ts";
import { NotShown } from "./not-shown.tsx";
import { notShown } from "./not-shown.server.ts";
import { OrderPage } from "./order-page.tsx";

export const headers = privateHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  privateMeta(loaderData?.order ? `Order ${loaderData.order.number}` : "Your order");

/** Opening changes nothing: mail scanners do it too. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const asked = searchParams.get("act");
  const confirming = isConfirmed(asked) ? asked : null;
  const key = searchParams.get("k");
  const withoutKey = `/orders/${params.orderId}${confirming ? `?act=${confirming}` : ""}`;
  const moved = key !== null && (await moveKey(params.orderId, key, withoutKey));
  if (moved) return moved;
  const access = await findOrderFor(request, params.orderId);
  if (!access) return notShown(context);
  if (key !== null) return redirect(withoutKey, { status: 303, headers: NO_STORE });
  return data({ order: await loadOrder(access), confirming });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const access = await findOrderFor(request, params.orderId);
  return (access && (await act(access, request))) ?? notShown(context);
}

export default function Order({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData.order) return <NotShown wait={loaderData.wait} />;
  const { message } = (actionData ?? {}) as Partial<OrderActionResult>;
  return <OrderPage order={loaderData.order} confirming={loaderData.confirming} refusal={message} />;
}
