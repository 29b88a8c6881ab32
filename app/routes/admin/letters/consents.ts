/** CSV export of all consents, those of the waitlist too, after a recent verification. */
import type { Cells } from "#shop/csv-cell.ts";
import { writeAudit } from "#shop/audit/audit.server.ts";
import { CONSENTS } from "#shop/consents/consent.ts";
import { listConsents } from "#shop/consents/consents.server.ts";
import { listPlaces } from "#shop/waitlist/list-signups.server.ts";
import { db } from "#platform/database.server.ts";
import { actingOf } from "#app/session/staff.server.ts";
import { codeRefusal, csvFile } from "../download.server.ts";
import type { Route } from "./+types/consents.ts";

const BATCH = 2_000;

export { noPage as loader } from "../guard.server.ts";

export async function action(args: Route.ActionArgs) {
  const refused = await codeRefusal(args, "/admin/letters");
  if (refused) return refused;
  await writeAudit(db, actingOf(args.context), { action: "letter.export" });
  return csvFile("consents", rows());
}

/** All rows of a list that is read page by page. */
async function* pagesOf<Row extends { id: string }>(read: (after: string | null) => Promise<Row[]>) {
  let page: Row[] = [];
  do {
    page = await read(page.at(-1)?.id ?? null);
    yield* page;
  } while (page.length === BATCH);
}

async function* rows(): AsyncGenerator<Cells> {
  for await (const row of pagesOf((after) => listConsents(db, after, BATCH)))
    yield {
      Email: row.email,
      List: CONSENTS[row.kind].name,
      Product: row.product,
      Words: row.words,
      Page: row.page,
      Given: row.createdAt,
      Sent: row.toldAt,
      Withdrawn: row.withdrawnAt,
    };
  for await (const place of pagesOf((after) => listPlaces(db, {}, after, BATCH)))
    if (place.verifiedAt)
      yield {
        Email: place.email,
        List: "Waitlist",
        Product: null,
        Words: "Join the Waitlist",
        Page: "/waitlist/join",
        Given: place.verifiedAt,
        Sent: place.sentAt,
        Withdrawn: place.unsubscribedAt,
      };
}
