/** The orders, with what needs a hand a press away. */
import { data, Link, useSearchParams } from "react-router";
import { NO_STORE, privateHeaders } from "../../../http/cache-headers.ts";
import { ActForm } from "../../../ui/admin/act-form.tsx";
import { EmptyList, PageHead } from "../../../ui/admin/page-head.tsx";
import { Pager } from "../../../ui/admin/pager.tsx";
import { actInBrowser } from "../act-in-browser.ts";
import type { Route } from "./+types/route.ts";
import { Filters, Views } from "./filters.tsx";
import { listPath, Many } from "./many.tsx";
import { OrderTable } from "./order-table.tsx";

export const headers = privateHeaders;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { loadOrders } = await import("./load.server.ts");
  return data(await loadOrders(context, new URL(request.url).searchParams), { headers: NO_STORE });
}

export async function action({ request, context }: Route.ActionArgs) {
  const { ordersAct } = await import("./acts.server.ts");
  return ordersAct(request, context);
}

export const clientAction = actInBrowser;

export default function OrdersScreen({ loaderData: { rows, next, count, may, isCut } }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const isFiltered = [...query.keys()].some((name) => name !== "act" && name !== "after");
  const filters = new URLSearchParams(query);
  filters.delete("after");
  filters.delete("act");
  return (
    <>
      <PageHead title="Orders" note={count}>
        {may.export && (
          <Link to={`/admin/orders/export?${filters}`} className="act">
            Export
          </Link>
        )}
      </PageHead>
      <Views />
      <Filters sums={may.sums} />
      {isCut && (
        <p className="mb-3 font-medium">Too many orders fit to show all of them. Type more of what you look for.</p>
      )}
      {rows.length === 0 && (
        <EmptyList>
          {isFiltered
            ? "No order fits. Clear what you filter by, or look for the first characters of a number or name."
            : "No order yet. The first one stands here as soon as it is placed; until then, place one in the shop yourself."}
        </EmptyList>
      )}
      <ActForm act="ship" path={listPath(query)}>
        {rows.length > 0 && (
          <>
            <OrderTable rows={rows} sums={may.sums} isChoosing />
            <input type="hidden" name="page" value={rows.map(({ id }) => id).join(",")} />
          </>
        )}
        <Pager next={next} />
        <Many isShipping={may.ship} />
      </ActForm>
    </>
  );
}
