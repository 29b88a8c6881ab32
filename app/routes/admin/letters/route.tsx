import { redirect } from "react-router";
import { z } from "#shop/zod.ts";
import { CONSENT_KINDS, CONSENTS } from "#shop/consents/consent.ts";
import { countConsents } from "#shop/consents/consents.server.ts";
import { AUDIENCE_WORDS, subjectField } from "#shop/letters/letter.ts";
import { createLetter, listLetters, type LetterRow } from "#shop/letters/letters.server.ts";
import { countPlaces } from "#shop/waitlist/list-signups.server.ts";
import { db } from "#platform/database.server.ts";
import { staffMay } from "#app/session/staff.server.ts";
import { FoldedForm } from "#app/ui/admin/folded-form.tsx";
import { DownloadForm } from "#app/ui/admin/download-form.tsx";
import { AdminText } from "#app/ui/admin/field.tsx";
import { PageHead, Section } from "#app/ui/admin/page-head.tsx";
import { AdminTable, countLabel, type Column } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import { actions, handle } from "../action.server.ts";
import type { Route } from "./+types/route.ts";
import { LetterStatus } from "./status.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const [letters, counts, places] = await Promise.all([
    listLetters(db),
    countConsents(db),
    countPlaces(db, { state: "verified" }),
  ]);
  return {
    letters,
    lists: [
      ...CONSENT_KINDS.map((kind) => ({ ...CONSENTS[kind], people: countLabel(counts[kind] ?? 0) })),
      { name: "Waitlist", words: "Join the Waitlist", people: countLabel(places.count, places.hasMore) },
    ],
    maySend: staffMay(context, "letters:send"),
    mayExport: staffMay(context, "letters:export"),
  };
}

export const action = actions({
  create: handle(z.object({ subject: subjectField }), async ({ by, value }) =>
    redirect(`/admin/letters/${await createLetter(db, by, value)}`),
  ),
});
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

const LETTERS: Column<LetterRow>[] = [
  {
    header: "Subject",
    cell: ({ subject }) => subject,
    href: ({ id }) => `/admin/letters/${id}`,
    className: "!font-medium",
  },
  { header: "Status", cell: ({ state }) => <LetterStatus state={state} /> },
  { header: "To", cell: ({ audience }) => AUDIENCE_WORDS[audience].name, phone: "label" },
  { header: "When", cell: ({ sendAt }) => sendAt && <When at={sendAt} />, phone: "label" },
  {
    header: "Sent",
    cell: ({ recipients, queued }) =>
      recipients > 0 && `${queued.toLocaleString("en-US")} of ${recipients.toLocaleString("en-US")}`,
    isNumber: true,
    phone: "label",
  },
];

type List = Route.ComponentProps["loaderData"]["lists"][number];

const LISTS: Column<List>[] = [
  { header: "List", cell: ({ name }) => name, className: "font-medium" },
  { header: "Agreed to", cell: ({ words }) => words },
  { header: "People", cell: ({ people }) => people, isNumber: true, phone: "label" },
];

export default function LettersScreen({ loaderData: { letters, lists, maySend, mayExport } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Letters" />
      {maySend && (
        <FoldedForm intent="create" label="New letter" style="btn btn-primary" className="mb-8">
          <AdminText name="subject" label="Subject" maxLength={120} className="w-80 max-w-full" />
          <Submit className="btn btn-primary">Write letter</Submit>
        </FoldedForm>
      )}
      <AdminTable
        label="Letters"
        columns={LETTERS}
        rows={letters}
        rowKey={({ id }) => id}
        empty="No letters yet. A letter goes to everyone on one of the lists below."
      />
      <Section title="Lists" className="mt-10 gap-3">
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
