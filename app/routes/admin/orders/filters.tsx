/** What of the orders is shown: the views that need a hand, and a form whose answers stand in the address. */
import { Form, Link, useSearchParams } from "react-router";
import { VIEW_NAMES, VIEWS } from "../../../../shop/fulfillment/views.ts";
import { AdminSelect, AdminText } from "../../../ui/admin/field.tsx";
import { PAYMENT_WORDS, STATUS_WORDS } from "./order-words.ts";

const tab =
  "inline-flex min-h-9 items-center rounded-full px-3 font-medium text-ink-soft hover:bg-line/60 hover:text-ink aria-[current=page]:bg-leaf-light aria-[current=page]:text-ink pointer-coarse:min-h-11";

export function Views() {
  const [query] = useSearchParams();
  const current = query.get("view");
  const views = [{ name: null, title: "All" }, ...VIEW_NAMES.map((name) => ({ name, title: VIEWS[name].title }))];
  return (
    <nav aria-label="Views" className="mb-3 flex gap-1 overflow-x-auto whitespace-nowrap">
      {views.map(({ name, title }) => (
        <Link
          key={title}
          to={name ? `/admin/orders?view=${name}` : "/admin/orders"}
          aria-current={current === name ? "page" : undefined}
          className={tab}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}

const options = (words: Record<string, { word: string }>) =>
  Object.entries(words).map(([value, { word }]) => (
    <option key={value} value={value}>
      {word}
    </option>
  ));

export function Filters({ sums }: { sums: boolean }) {
  const [query] = useSearchParams();
  const given = (name: string) => query.get(name) ?? "";
  const isNarrowed = ["status", "payment", "since", "until", "product"].some((name) => given(name) !== "");
  const view = given("view");
  return (
    <Form method="get" role="search" key={query.toString()} className="mb-4 flex flex-wrap items-end gap-2">
      {view && <input type="hidden" name="view" value={view} />}
      <AdminText
        name="q"
        type="search"
        label={sums ? "Number, name or email" : "Number or name"}
        defaultValue={given("q")}
        autoComplete="off"
        maxLength={100}
        className="min-w-0 flex-1 sm:max-w-64"
      />
      <button type="submit" className="act">
        Show
      </button>
      {(isNarrowed || given("q")) && (
        <Link to={view ? `?view=${view}` : "/admin/orders"} className="act">
          Clear
        </Link>
      )}
      <details open={isNarrowed} className="w-full">
        <summary className="act list-none">Filter</summary>
        <div className="mt-2 flex flex-wrap items-end gap-2">
          <AdminSelect name="status" label="Status" defaultValue={given("status")} className="w-36">
            <option value="">Any</option>
            {options(STATUS_WORDS)}
          </AdminSelect>
          {sums && (
            <AdminSelect name="payment" label="Payment" defaultValue={given("payment")} className="w-40">
              <option value="">Any</option>
              {options(PAYMENT_WORDS)}
            </AdminSelect>
          )}
          <AdminText name="since" type="date" label="Placed since" defaultValue={given("since")} className="w-40" />
          <AdminText name="until" type="date" label="Placed until" defaultValue={given("until")} className="w-40" />
          <AdminText
            name="product"
            label="Product"
            defaultValue={given("product")}
            autoComplete="off"
            className="w-56"
          />
        </div>
      </details>
    </Form>
  );
}
