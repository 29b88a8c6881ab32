/** CSV export of the waitlist, after a recent verification. */
import { orderCell, phoneCell, type Cells } from "#shop/csv-cell.ts";
import { writeAudit } from "#shop/audit/audit.server.ts";
import { listPlaces, type PlaceFilter } from "#shop/waitlist/list-signups.server.ts";
import { db } from "#platform/database.server.ts";
import { actingOf } from "#app/session/staff.server.ts";
import { codeRefusal, csvFile } from "../download.server.ts";
import { NONE, readSignupFilter } from "./filter.server.ts";
import type { Route } from "./+types/export.ts";

const BATCH = 2_000;

export { noPage as loader } from "../guard.server.ts";

export async function action(args: Route.ActionArgs) {
  const refused = await codeRefusal(args, "/admin/waitlist");
  if (refused) return refused;
  const filter = readSignupFilter(new URL(args.request.url).searchParams);
  const audited = (value: string | null | undefined) => (value === null ? NONE : (value ?? null));
  await writeAudit(db, actingOf(args.context), {
    action: "waitlist.export",
    after: {
      state: filter.state ?? null,
      source: audited(filter.utmSource),
      campaign: audited(filter.utmCampaign),
    },
  });
  return csvFile("waitlist", rowsOf(filter));
}

async function* rowsOf(filter: PlaceFilter): AsyncGenerator<Cells> {
  let places: Awaited<ReturnType<typeof listPlaces>> = [];
  do {
    places = await listPlaces(db, filter, places.at(-1)?.id ?? null, BATCH);
    for (const place of places)
      yield {
        Email: place.email,
        Phone: place.phone && phoneCell(place.phone),
        Source: place.utmSource,
        Campaign: place.utmCampaign,
        Joined: place.createdAt,
        Confirmed: place.verifiedAt,
        Unsubscribed: place.unsubscribedAt,
        Batch: place.batch,
        Order: place.orderId && orderCell(place.orderId),
      };
  } while (places.length === BATCH);
}
