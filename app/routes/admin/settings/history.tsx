/** Every change of the settings, with who saved it and from which day it counts. */
import { Section, Status } from "#app/ui/admin/page-head.tsx";
import { AdminTable, type Column } from "#app/ui/admin/table.tsx";
import { dayWords, When } from "#app/ui/admin/when.tsx";
import type { Route } from "./+types/route.ts";

type Changes = Route.ComponentProps["loaderData"]["changes"];

const COLUMNS: Column<Changes[number]>[] = [
  { header: "Saved", cell: ({ createdAt }) => <When at={createdAt} /> },
  { header: "Staff", cell: ({ by }) => by ?? "Former staff", phone: "label" },
  { header: "Section", cell: ({ title }) => title },
  {
    header: "Change",
    cell: ({ texts }) =>
      texts.map((text) => (
        <span key={text} className="block">
          {text}
        </span>
      )),
  },
  { header: "Takes effect", cell: ({ effectiveOn }) => dayWords(effectiveOn), phone: "label" },
  {
    header: "Status",
    cell: ({ isPlanned, isWithdrawn }) => {
      if (isWithdrawn) return <Status tone="quiet">Withdrawn</Status>;
      return isPlanned ? <Status tone="soon">Planned</Status> : <Status tone="done">Took effect</Status>;
    },
  },
];

export function History({ changes }: { changes: Changes }) {
  return (
    <Section title="History" className="gap-3 border-t border-line pt-6">
      <AdminTable
        label="Changes of the settings"
        columns={COLUMNS}
        rows={changes}
        rowKey={({ id }) => id}
        empty="Nothing has been changed yet."
      />
    </Section>
  );
}
