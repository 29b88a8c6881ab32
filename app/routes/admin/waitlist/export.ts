/** CSV export of the waitlist, after a recent verification. */
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

async function* rowsOf(filter: PlaceFilter) {
  let places: Awaited<ReturnType<typeof listPlaces>> = [];
  do {
    places = await listPlaces(db, filter, places.at(-1)?.id ?? null, BATCH);
    for (const place of places)
      yield {
        email: place.email,
        phone: place.phone?.replaceAll(/\D/g, ""),
        source: place.utmSource,
        campaign: place.utmCampaign,
        joined: place.createdAt.toISOString(),
        verified: place.verifiedAt?.toISOString(),
        unsubscribed: place.unsubscribedAt?.toISOString(),
        batch: place.batch,
        order: place.orderId,
      };
  } while (places.length === BATCH);
}
