/** The file of the export, sent as it is read. */
import { redirect } from "react-router";
import type { Route } from "./+types/export-csv.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const [{ pipeline, Readable }, { stringify }, { db }, { exportOrders }, { orderFilter }, { actingOf, staffOf }] =
    await Promise.all([
      import("node:stream"),
      import("csv-stringify"),
      import("../../../database.server.ts"),
      import("../../../../shop/fulfillment/export-orders.server.ts"),
      import("./load.server.ts"),
      import("../../../session/staff.server.ts"),
    ]);
  const { searchParams } = new URL(request.url);
  const filter = await orderFilter(context, searchParams);
  if (!staffOf(context).isFresh || !filter) return redirect(`/admin/orders/export?${searchParams}`);
  // A cell that begins as a formula is none.
  const table = stringify({ header: true, escape_formulas: true });
  // Whoever reads sees a cut file where this fails halfway, and the database no longer reads for whoever has left.
  pipeline(Readable.from(exportOrders(db, filter, actingOf(context))), table, () => {});
  return new Response(Readable.toWeb(table) as ReadableStream, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="orders-${new Date().toISOString().slice(0, 10)}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}
