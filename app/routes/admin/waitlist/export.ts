/** The waitlist as a file, by whoever has just shown a code. It is written as it is sent. */
import { data, redirect } from "react-router";
import { writeAudit } from "../../../../shop/staff/audit.server.ts";
import { listPlaces, type PlaceFilter } from "../../../../shop/waitlist/desk-list.server.ts";
import { db } from "../../../database.server.ts";
import { NO_STORE } from "../../../http/cache-headers.ts";
import { actingOf, requireFreshStaff } from "../../../session/staff.server.ts";
import { readAct } from "../act.server.ts";
import type { Route } from "./+types/export.ts";
import { NONE, readFilter } from "./filter.ts";

const AT_ONCE = 2_000;

export const loader = () => {
  throw data(null, { status: 404 });
};

export async function action({ request, context }: Route.ActionArgs) {
  const act = await readAct(request, ["source", "campaign", "state"]);
  const filter = readFilter(act.form);
  const problem = await requireFreshStaff(context, act.form.get("code"));
  if (problem) return redirect(`/admin/waitlist?${new URLSearchParams({ export: "code" })}#export`, { status: 303 });
  await writeAudit(db, actingOf(context), {
    action: "waitlist.export",
    after: {
      state: filter.state ?? null,
      source: filter.utmSource === null ? NONE : (filter.utmSource ?? null),
      campaign: filter.utmCampaign === null ? NONE : (filter.utmCampaign ?? null),
    },
  });
  const headers = {
    ...NO_STORE,
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": 'attachment; filename="waitlist.csv"',
  };
  return new Response(await csvOf(filter), { headers });
}

async function csvOf(filter: PlaceFilter): Promise<ReadableStream> {
  const { stringify } = await import("csv-stringify/sync");
  const columns = ["email", "phone", "source", "campaign", "joined", "verified", "unsubscribed", "batch", "order"];
  const encoder = new TextEncoder();
  let after: string | null = null;
  return new ReadableStream({
    async pull(controller) {
      const places = await listPlaces(db, filter, after, AT_ONCE);
      const rows = places.map((place) => [
        place.email,
        place.phone,
        place.utmSource,
        place.utmCampaign,
        place.createdAt.toISOString(),
        place.verifiedAt?.toISOString(),
        place.unsubscribedAt?.toISOString(),
        place.batch,
        place.orderId,
      ]);
      const isFirst = after === null;
      controller.enqueue(encoder.encode(stringify(rows, { header: isFirst, columns, escape_formulas: true })));
      after = places.at(-1)?.id ?? null;
      if (places.length < AT_ONCE) controller.close();
    },
  });
}
