/** CSV export of the waitlist, after a recent verification. */
import { writeAudit } from "#shop/audit/audit.server.ts";
import { listPlaces, type PlaceFilter } from "#shop/waitlist/list-signups.server.ts";
import { db } from "#platform/database.server.ts";
import { actingOf } from "#app/session/staff.server.ts";
import { codeRefusal, csvFile } from "../download.server.ts";
import { notFound } from "../guard.server.ts";
import { NONE, readSignupFilter } from "./filter.server.ts";
import type { Route } from "./+types/export.ts";

const BATCH = 2_000;

export const loader = () => {
  throw notFound();
};

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
    for (const {
      email,
      phone,
      utmSource,
      utmCampaign,
      createdAt,
      verifiedAt,
      unsubscribedAt,
      batch,
      orderId,
    } of places)
      yield {
        email,
        phone: phone?.replaceAll(/\D/g, ""),
        source: utmSource,
        campaign: utmCampaign,
        joined: createdAt.toISOString(),
        verified: verifiedAt?.toISOString(),
        unsubscribed: unsubscribedAt?.toISOString(),
        batch,
        order: orderId,
      };
  } while (places.length === BATCH);
}
