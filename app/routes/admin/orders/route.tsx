import { Link, useSearchParams } from "react-router";
import { carrierProvider } from "#shop/carriers/open-carrier.server.ts";
import { VIEW_NAMES, VIEWS } from "#shop/fulfillment/views.ts";
import { Form, Submit, useActionResult } from "#app/ui/form/form.tsx";
import { DownloadForm } from "#app/ui/admin/download-form.tsx";
import { AdminArea, AdminSelect } from "#app/ui/admin/field.tsx";
import { Filters, type FilterField } from "#app/ui/admin/filters.tsx";
import { PageHead, Status } from "#app/ui/admin/page-head.tsx";
import { filtersOf, Pager } from "#app/ui/admin/table.tsx";
import type { BulkAnswer } from "./actions.server.ts";
import { loadOrders } from "./load.server.ts";
import { CARRIER_OPTIONS, OrderTable, PAYMENT_WORDS, STATUS_WORDS } from "./order-table.tsx";
import type { Route } from "./+types/route.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const orders = await loadOrders(context, new URL(request.url).searchParams);
  return { ...orders, hasCarrier: carrierProvider() !== null };
}

export { action } from "./actions.server.ts";
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

const tab =
  "inline-flex min-h-9 items-center rounded-full px-3 font-medium text-ink-soft hover:bg-line/60 hover:text-ink aria-[current=page]:bg-leaf-light aria-[current=page]:text-ink pointer-coarse:min-h-11";

function Views() {
  const [query] = useSearchParams();
  const views = [{ name: null, title: "All" }, ...VIEW_NAMES.map((name) => ({ name, title: VIEWS[name].title }))];
  return (
    <nav aria-label="Views" className="mb-3 flex gap-1 overflow-x-auto whitespace-nowrap">
      {views.map(({ name, title }) => (
        <Link
          key={title}
          to={name ? `/admin/orders?view=${name}` : "/admin/orders"}
          aria-current={query.get("view") === name ? "page" : undefined}
          className={tab}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}

const options = (words: Record<string, { word: string }>) => [
  ["", "All"] as const,
  ...Object.entries(words).map(([value, { word }]) => [value, word] as const),
];

const STATUS: FilterField = { name: "status", label: "Status", options: options(STATUS_WORDS) };
const PAYMENT: FilterField = { name: "payment", label: "Payment", options: options(PAYMENT_WORDS) };
const MORE: FilterField[] = [
  { name: "since", label: "From", type: "date" },
  { name: "until", label: "To", type: "date" },
  { name: "product", label: "Product", type: "text", className: "w-56" },
];

const BULK_FORM = "orders";

/** Actions return to the filtered list. */
function listAction(query: URLSearchParams, intent: string): string {
  const filters = new URLSearchParams(query);
  filters.set("intent", intent);
  return `/admin/orders?${filters}`;
}

function BulkActions({ isShipping, hasCarrier }: { isShipping: boolean; hasCarrier: boolean }) {
  const [query] = useSearchParams();
  const view = query.get("view");
  const { rows, left, parcels = [] } = useActionResult<BulkAnswer>(BULK_FORM)?.data ?? {};
  return (
    <section aria-label="Bulk actions" className="mt-4 grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Submit formAction={listAction(query, "slips")} className="btn">
          Print packing slips
        </Submit>
        <span className="text-ink-soft">For the selected orders, or for this page.</span>
      </div>
      {isShipping && hasCarrier && (
        <div className="flex flex-wrap items-center gap-2">
          <Submit formAction={listAction(query, "labels")} className="btn">
            Buy labels and ship
          </Submit>
          <span className="text-ink-soft">
            For the selected orders, in their suggested boxes, at the cheapest rate that arrives as promised.
          </span>
        </div>
      )}
      {isShipping && (
        <details open={view === "to-ship" || view === "soon" || Boolean(left)}>
          <summary className="btn list-none">Ship in bulk</summary>
          <div className="mt-3 grid max-w-2xl gap-3">
            <AdminArea
              name="tracking"
              label="Tracking numbers"
              hint="One package per line: order number, space, tracking number. Or select orders above and enter only tracking numbers, in the same order."
              defaultValue={left}
              rows={6}
              spellCheck={false}
              className="tabular-nums"
            />
            <div className="flex flex-wrap items-end gap-3">
              <AdminSelect name="carrier" label="Carrier" className="w-48" options={CARRIER_OPTIONS} />
              <Submit className={`btn ${view === "to-ship" ? "btn-primary" : ""}`}>Ship orders</Submit>
            </div>
          </div>
        </details>
      )}
      {rows && <Results rows={rows} />}
      {parcels.length > 0 && (
        <Link to={`/admin/orders/slips?ids=${parcels.join(",")}`} className="btn btn-primary w-fit">
          Print labels and slips
        </Link>
      )}
    </section>
  );
}

function Results({ rows }: Pick<BulkAnswer, "rows">) {
  return (
    <ul aria-label="Results" className="max-w-2xl">
      {rows.map(({ key, label, href, ok, message }) => (
        <li key={key} className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-2">
          {href ? (
            <Link to={href} className="admin-link tabular-nums">
              {label}
            </Link>
          ) : (
            <span className="tabular-nums">{label}</span>
          )}
          <Status tone={ok ? "done" : "late"}>{ok ? "Done" : "Failed"}</Status>
          <span>{message}</span>
        </li>
      ))}
    </ul>
  );
}

export default function OrdersScreen({
  loaderData: { rows, next, count, may, hasCarrier },
}: Route.ComponentProps) {
  const [query] = useSearchParams();
  const filters = filtersOf(query);
  const canExport = may.export && rows.length > 0;
  const search = may.sums ? "Order number, name or email" : "Order number or name";
  return (
    <>
      <PageHead title="Orders" note={count}>
        {may.give && (
          <Link to="/admin/orders/new" className="btn">
            Send at no charge
          </Link>
        )}
        {canExport && (
          <a href="#export" className="btn">
            Export
          </a>
        )}
      </PageHead>
      <Views />
      <Filters
        preserves="view"
        fields={[{ name: "q", label: search, type: "search" }, STATUS, ...(may.sums ? [PAYMENT] : [])]}
        more={MORE}
      />
      <Form id={BULK_FORM} action={listAction(query, "ship")} messageAt="end">
        <OrderTable
          label="Orders"
          rows={rows}
          sums={may.sums}
          isSelectable
          empty={
            [...filters].some(([, value]) => value !== "")
              ? "No orders match. Clear the filters, or search for the start of an order number or name."
              : "No orders yet. They appear here as soon as they are placed. To try it, place one in your store."
          }
        />
        {rows.length > 0 && <input type="hidden" name="page" value={rows.map(({ id }) => id).join(",")} />}
        <Pager next={next} />
        <BulkActions isShipping={may.ship} hasCarrier={hasCarrier} />
      </Form>
      {canExport && (
        <div className="mt-10">
          <DownloadForm
            action={`/admin/orders/export?intent=export&${filters}`}
            title="Export"
            note="A CSV file of the orders that match the filters, with names, emails and addresses. Delete it when you no longer need it. Exports are recorded in the audit log."
            label="Download CSV"
          />
        </div>
      )}
    </>
  );
}
