import { data, redirect } from "react-router";
import { NO_STORE, privateHeaders } from "#platform/cache-headers.ts";
import { privateMeta } from "#app/http/page-meta.ts";
import { useActionResult } from "#app/ui/form/form.tsx";
import { findOrderFor, moveKey, orderOfKey } from "#app/session/order-access.server.ts";
import type { Route } from "./+types/route.ts";
import { orderAction } from "./actions.server.ts";
import { isOpened, ORDER_ANSWER, ORDER_FAILURE } from "./action-result.ts";
import { loadOrder, notShown, readOnly } from "./load.server.ts";
import { NotShown, OrderPage } from "./order-page.tsx";
import { requestPath } from "./returns/paths.ts";

export const headers = privateHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  privateMeta(loaderData?.order ? `Order ${loaderData.order.number}` : "Your order");

/**
 * A link only opens the confirmation or the form, because mail scanners open links. Its first request moves the key into a
 * cookie; the second, which is marked as such, into an address without it, or shows the order without any action to a
 * browser that blocks cookies.
 */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const asked = searchParams.get("intent");
  const opened = isOpened(asked) ? asked : null;
  const key = searchParams.get("k");
  const isReturn = asked === "return";
  const withoutKey = isReturn
    ? requestPath(params.orderId)
    : `/orders/${params.orderId}${opened ? `?intent=${opened}` : ""}`;
  const isTold = searchParams.has("told");
  if (key !== null && !isTold) {
    searchParams.set("told", "1");
    const moved = await moveKey(params.orderId, key, `/orders/${params.orderId}?${searchParams}`);
    if (moved) return moved;
  }
  const access = await findOrderFor(request, params.orderId);
  if (!access) {
    const unkept = key !== null && isTold ? await orderOfKey(params.orderId, key) : null;
    if (!unkept) return notShown(context);
    return data({ order: readOnly(await loadOrder(unkept)), opened: null }, { headers: NO_STORE });
  }
  if (key !== null || isReturn) return redirect(withoutKey, { status: 303, headers: NO_STORE });
  return data({ order: await loadOrder(access), opened });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const access = await findOrderFor(request, params.orderId);
  return (access && (await orderAction(access, request, context))) ?? notShown(context);
}

export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "./revalidate.ts";

export default function Order({ loaderData }: Route.ComponentProps) {
  const answer = useActionResult(ORDER_ANSWER);
  if (!loaderData.order) return <NotShown wait={loaderData.wait} />;
  const refusal = answer && !answer.ok ? (answer.message ?? ORDER_FAILURE.message) : undefined;
  return <OrderPage order={loaderData.order} opened={loaderData.opened} refusal={refusal} />;
}
