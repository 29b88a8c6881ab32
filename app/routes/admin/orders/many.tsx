/** Many orders at once: their slips, or their tracking numbers, each with what became of it. */
import { Link, useSearchParams } from "react-router";
import { CARRIERS } from "../../../../shop/fulfillment/shipment.ts";
import { useActResult } from "../../../ui/admin/act-form.tsx";
import { AdminArea, AdminSelect } from "../../../ui/admin/field.tsx";
import { Status } from "../../../ui/admin/status.tsx";

export const listPath = (query: URLSearchParams) => {
  const kept = new URLSearchParams(query);
  kept.delete("act");
  const text = kept.toString();
  return text ? `/admin/orders?${text}` : "/admin/orders";
};

export function Many({ isShipping }: { isShipping: boolean }) {
  const [query] = useSearchParams();
  const path = listPath(query);
  return (
    <section aria-label="Many at once" className="mt-4 grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <button type="submit" formAction={`${path}${path.includes("?") ? "&" : "?"}act=slips`} className="act">
          Print packing slips
        </button>
        <span className="text-ink-soft">Of the orders that are ticked, or of this page.</span>
      </div>
      {isShipping && (
        <details open={query.get("view") === "to-ship" || query.get("view") === "soon"}>
          <summary className="act list-none">Ship many</summary>
          <div className="mt-3 grid max-w-2xl gap-3">
            <AdminArea
              name="tracking"
              label="Tracking numbers"
              hint="A line for each parcel: the order's number, a space, the tracking number. Or the tracking numbers alone, one for each order that is ticked, from the top."
              rows={6}
              spellCheck={false}
              className="tabular-nums"
            />
            <div className="flex flex-wrap items-end gap-3">
              <AdminSelect name="carrier" label="Carrier" className="w-48">
                <option value="">As the numbers say</option>
                {Object.entries(CARRIERS).map(([code, { name }]) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </AdminSelect>
              <button type="submit" className={`act ${query.get("view") === "to-ship" ? "act-next" : ""}`}>
                Ship these
              </button>
            </div>
          </div>
        </details>
      )}
      <Became />
    </section>
  );
}

/** What became of each line. */
function Became() {
  const rows = useActResult()?.rows;
  if (!rows || rows.length === 0) return null;
  return (
    <ul aria-label="What happened" className="max-w-2xl">
      {rows.map(({ key, label, href, ok, message }) => (
        <li key={key} className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-2">
          {href ? (
            <Link to={href} className="admin-link tabular-nums">
              {label}
            </Link>
          ) : (
            <span className="tabular-nums">{label}</span>
          )}
          <Status tone={ok ? "done" : "late"}>{ok ? "Done" : "Not done"}</Status>
          <span>{message}</span>
        </li>
      ))}
    </ul>
  );
}
