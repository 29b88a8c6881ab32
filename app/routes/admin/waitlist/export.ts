/** CSV export of the waitlist, after a recent verification. */
import { redirect } from "react-router";
import { writeAudit } from "#shop/audit/audit.server.ts";
import { listPlaces, type PlaceFilter } from "#shop/waitlist/list-signups.server.ts";
import { db } from "#platform/database.server.ts";
import { readForm } from "#app/http/form.server.ts";
import { actingOf, CODE_FIELD, requireFreshStaff } from "#app/session/staff.server.ts";
import { csvFile } from "../csv.server.ts";
import { notFound } from "../guard.server.ts";
import { NONE, readSignupFilter } from "./filter.server.ts";
import type { Route } from "./+types/export.ts";

const BATCH = 2_000;

export const loader = () => {
  throw notFound();
};

export async function action({ request, context }: Route.ActionArgs) {
  const { searchParams } = new URL(request.url);
  const form = await readForm(request, [CODE_FIELD]);
  if (await requireFreshStaff(context, form.get(CODE_FIELD))) {
    searchParams.set("export", "code");
    searchParams.delete("intent");
    return redirect(`/admin/waitlist?${searchParams}#export`, 303);
  }
  const filter = readSignupFilter(searchParams);
  const audited = (value: string | null | undefined) => (value === null ? NONE : (value ?? null));
  await writeAudit(db, actingOf(context), {
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
        phone,
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
