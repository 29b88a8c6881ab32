/** Orders as a table for other programs. It asks who is there first, since it takes people's addresses out of the shop. */
import { data, useSearchParams } from "react-router";
import { NO_STORE, privateHeaders } from "../../../http/cache-headers.ts";
import { ActForm } from "../../../ui/admin/act-form.tsx";
import { CodeField } from "../../../ui/admin/field.tsx";
import { PageHead } from "../../../ui/admin/page-head.tsx";
import { actInBrowser } from "../act-in-browser.ts";
import type { Route } from "./+types/export.ts";

export const headers = privateHeaders;

export async function loader({ request, context }: Route.LoaderArgs) {
  const [{ orderFilter, countWords }, { countOrders }, { db }, { staffOf }] = await Promise.all([
    import("./load.server.ts"),
    import("../../../../shop/fulfillment/order-list.server.ts"),
    import("../../../database.server.ts"),
    import("../../../session/staff.server.ts"),
  ]);
  const filter = await orderFilter(context, new URL(request.url).searchParams);
  const count = filter ? await countOrders(db, filter) : { count: 0, hasMore: false };
  return data({ count: countWords(count), isFresh: staffOf(context).isFresh }, { headers: NO_STORE });
}

export async function action({ request, context }: Route.ActionArgs) {
  const [{ readAct, done, unproved }, { requireFreshStaff }] = await Promise.all([
    import("../act.server.ts"),
    import("../../../session/staff.server.ts"),
  ]);
  const act = await readAct(request, []);
  const problem = await requireFreshStaff(context, act.form.get("code"));
  return problem ? unproved(act, problem) : done(act, "The file is ready.");
}

export const clientAction = actInBrowser;

export default function ExportScreen({ loaderData: { count, isFresh } }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const filters = new URLSearchParams(query);
  filters.delete("act");
  return (
    <>
      <PageHead title="Export orders" note={count} />
      <p className="mb-4 max-w-prose">
        A CSV file of the orders that the list showed, with names, emails and addresses. Keep it only as long as you
        need it. That you took it stands in the audit log.
      </p>
      {isFresh ? (
        <a href={`/admin/orders/export.csv?${filters}`} download className="act act-next">
          Download the file
        </a>
      ) : (
        <ActForm act="export" path={`/admin/orders/export?${filters}`} className="grid justify-items-start gap-3">
          <CodeField isFresh={isFresh} />
          <button type="submit" className="act act-next">
            Make the file
          </button>
        </ActForm>
      )}
    </>
  );
}
