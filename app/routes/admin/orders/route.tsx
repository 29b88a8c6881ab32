import { Link, useSearchParams } from "react-router";
import { VIEW_NAMES, VIEWS, type ViewName } from "#shop/fulfillment/views.ts";
import { Form } from "#app/ui/form/form.tsx";
import { DownloadForm } from "#app/ui/admin/download-form.tsx";
import { Filters, type FilterField } from "#app/ui/admin/filters.tsx";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import { filtersOf, Pager } from "#app/ui/admin/table.tsx";
import { BULK_FORM, BulkBar, BulkDialogs, BulkResults, ShipInBulk, useListAction } from "./bulk.tsx";
import { loadOrders } from "./load.server.ts";
import { OrderTable, PAYMENT_WORDS, STATUS_WORDS } from "./order-table.tsx";
import type { Route } from "./+types/route.ts";

export const loader = ({ request, context }: Route.LoaderArgs) =>
  loadOrders(context, new URL(request.url).searchParams);

export { action } from "./actions.server.ts";
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

const item =
  "inline-flex min-h-9 items-center rounded-full px-3 font-medium max-sm:px-2.5 text-ink-soft hover:bg-line/60 hover:text-ink aria-[current=page]:bg-leaf-light aria-[current=page]:text-ink pointer-coarse:min-h-11";

/** Tabs of every day. The other views are in a menu. */
const TABS: ViewName[] = ["to-ship", "late", "today"];
const IN_MENU = VIEW_NAMES.filter((name) => !TABS.includes(name));

function Views() {
  const view = useSearchParams()[0].get("view");
  const inMenu = IN_MENU.find((name) => name === view);
  const link = (name: ViewName | null) => (
    <Link
      key={name}
      to={name ? `/admin/orders?view=${name}` : "/admin/orders"}
      aria-current={view === name ? "page" : undefined}
      className={item}
    >
      {name ? VIEWS[name].title : "All"}
    </Link>
  );
  return (
    <nav aria-label="Views" className="flex flex-wrap gap-1 whitespace-nowrap">
      {[null, ...TABS].map(link)}
      <button type="button" popoverTarget="views" aria-current={inMenu && "page"} className={item}>
        {inMenu ? VIEWS[inMenu].title : "More views"}
      </button>
      {/* Closed again in each view. */}
      <div key={view} id="views" popover="auto" className="admin-menu">
        <div className="grid">{IN_MENU.map(link)}</div>
      </div>
    </nav>
  );
}

const options = (words: Record<string, { word: string }>) => [
  ["", "All"] as const,
  ...Object.entries(words).map(([value, { word }]) => [value, word] as const),
];

const SEARCH: FilterField = { name: "q", label: "Search orders", type: "search" };
const PAYMENT: FilterField = { name: "payment", label: "Payment", options: options(PAYMENT_WORDS) };
const MORE: FilterField[] = [
  { name: "status", label: "Status", options: options(STATUS_WORDS) },
  { name: "since", label: "From", type: "date" },
  { name: "until", label: "To", type: "date" },
  { name: "product", label: "Product", type: "text" },
];

const EXPORTS = { orders: "Download orders", "order-lines": "Download order lines", payments: "Download payments" };

export default function OrdersScreen({ loaderData: { rows, isByDay, next, count, may, bulk } }: Route.ComponentProps) {
  const filters = filtersOf(useSearchParams()[0]);
  const actionOf = useListAction();
  const isEmpty = rows.length === 0;
  const ways = may.sums ? "a name, email, phone number or ZIP code" : "a name or ZIP code";
  return (
    <>
      <PageHead title="Orders" note={count}>
        {may.place && (
          <Link to="/admin/orders/new" className="btn">
            Create order
          </Link>
        )}
        {bulk.includes("ship") && <ShipInBulk />}
        {!isEmpty && may.export && (
          <a href="#export" className="btn">
            Export
          </a>
        )}
      </PageHead>
      <Filters preserves="view" fields={[SEARCH]} more={may.sums ? [PAYMENT, ...MORE] : MORE}>
        <Views />
      </Filters>
      <Form id={BULK_FORM} action={actionOf("slips")} className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {/* Enter in a field of a dialog presses this one, not the first action of the bar. */}
        <button type="submit" disabled hidden aria-label="Nothing" />
        <BulkResults />
        <OrderTable
          label="Orders"
          rows={rows}
          sums={may.sums}
          bar={<BulkBar may={bulk} />}
          query={filters.toString()}
          isByDay={isByDay}
          empty={
            [...filters].some(([, value]) => value !== "")
              ? `No orders match. Clear the filters, or search for an order number, the start of ${ways}, or a whole tracking number.`
              : "No orders yet. They appear here as soon as they are placed. To try it, place one in your store."
          }
        />
        <BulkDialogs may={bulk} rows={rows} />
        <Pager next={next} />
      </Form>
      {!isEmpty && may.export && (
        <div className="mt-10">
          <DownloadForm
            action={`/admin/orders/export?intent=export&${filters}`}
            title="Export"
            note="CSV files of the orders that match the filters, of their lines, and of what was charged and refunded, where the dates are those of the money. Orders have names, emails and addresses: delete the file when you no longer need it. Exports are recorded in the audit log."
            label={EXPORTS}
          />
        </div>
      )}
    </>
  );
}
