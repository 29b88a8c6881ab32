import { CONSENT_KINDS, CONSENTS } from "#shop/consents/consent.ts";
import { countConsents } from "#shop/consents/consents.server.ts";
import { may } from "#shop/staff/permissions.ts";
import { countPlaces } from "#shop/waitlist/list-signups.server.ts";
import { db } from "#platform/database.server.ts";
import { staffOf } from "#app/session/staff.server.ts";
import { DownloadForm } from "#app/ui/admin/download-form.tsx";
import { PageHead, Section } from "#app/ui/admin/page-head.tsx";
import { AdminTable, countLabel, type Column } from "#app/ui/admin/table.tsx";
import type { Route } from "./+types/route.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const [counts, places] = await Promise.all([countConsents(db), countPlaces(db, { state: "verified" })]);
  return {
    lists: [
      ...CONSENT_KINDS.map((kind) => ({ ...CONSENTS[kind], people: countLabel(counts[kind] ?? 0) })),
      { name: "Waitlist", words: "Join the Waitlist", people: countLabel(places.count, places.hasMore) },
    ],
    mayExport: may(staffOf(context).role, "letters:export"),
  };
}

type List = Route.ComponentProps["loaderData"]["lists"][number];

const LISTS: Column<List>[] = [
  { header: "List", cell: ({ name }) => name, className: "font-medium" },
  { header: "Agreed to", cell: ({ words }) => words },
  { header: "People", cell: ({ people }) => people, isNumber: true, phone: "label" },
];

export default function LettersScreen({ loaderData: { lists, mayExport } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Letters" />
      <Section title="Lists">
        <AdminTable label="People on each list" columns={LISTS} rows={lists} rowKey={({ name }) => name} />
      </Section>
      {mayExport && (
        <div className="mt-8">
          <DownloadForm
            action="/admin/letters/consents?intent=export"
            title="Export"
            note="A CSV file of every consent: who, to what, the words, the page, and when it was given and withdrawn. Exports are recorded in the audit log."
            label="Download CSV"
          />
        </div>
      )}
    </>
  );
}
