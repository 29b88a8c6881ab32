import { privateHeaders } from "#platform/cache-headers.ts";
import { privateMeta } from "#app/http/page-meta.ts";
import { NotShown } from "../order-page.tsx";
import type { Route } from "./+types/return.ts";
import { loadReturn } from "./load.server.ts";
import { ReturnPage } from "./return-page.tsx";

export const headers = privateHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  privateMeta(loaderData?.order ? `Return ${loaderData.orderReturn.number}` : "Your return");

export const loader = ({ request, params, context }: Route.LoaderArgs) => loadReturn(request, params, context);

export { action } from "./actions.server.ts";
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

export default function Return({ loaderData }: Route.ComponentProps) {
  if (!loaderData.order) return <NotShown wait={loaderData.wait} />;
  return <ReturnPage orderId={loaderData.order.id} orderReturn={loaderData.orderReturn} />;
}
