import { redirect } from "react-router";
import { z } from "#shop/zod.ts";
import { requiredLine } from "#shop/text.ts";
import { ActionFold } from "#app/ui/admin/action-fold.tsx";
import { AdminForm, AdminText } from "#app/ui/admin/field.tsx";
import { Filters } from "#app/ui/admin/filters.tsx";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import { AdminTable, type Column } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import { actions, handle } from "../action.server.ts";
import type { Route } from "./+types/route.ts";
import { TextStatus } from "./status.tsx";
import { listTexts, type TextRow } from "./state.server.ts";

/** Filtered by kind and by words of title and page. */
export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const kind = searchParams.get("kind") ?? "";
  const words = (searchParams.get("q") ?? "").trim().toLowerCase().split(/\s+/);
  const rows = await listTexts();
  const isFound = ({ title, path, group }: TextRow) =>
    (kind === "" || group === kind) && words.every((word) => `${title} ${path}`.toLowerCase().includes(word));
  const kinds = [...new Set(rows.map(({ group }) => group))];
  return { rows: rows.filter(isFound), kinds, isFiltered: kind !== "" || words.join("") !== "" };
}

const POST_TITLE = requiredLine("The title", 120, "A post needs a title");
const MAX_SLUG_CHARACTERS = 80;

const slugOf = (title: string) =>
  title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[’'\p{Mn}]/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_SLUG_CHARACTERS)
    .replaceAll(/^-|-$/g, "");

const postSchema = z.object({
  title: POST_TITLE.refine((title) => slugOf(title) !== "", "The title needs a letter or a number for its address"),
});

export const action = actions({
  "new-post": handle(postSchema, async ({ value: { title } }) =>
    redirect(`/admin/texts/posts-${slugOf(title)}?title=${encodeURIComponent(title)}`),
  ),
});

export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

const COLUMNS: Column<TextRow>[] = [
  { header: "Text", cell: ({ title }) => title, href: ({ key }) => `/admin/texts/${key}` },
  { header: "Kind", cell: ({ group }) => group, phone: "hidden" },
  { header: "Page", cell: ({ path }) => path, phone: "label" },
  {
    header: "Status",
    cell: ({ state, publishAt }) => (
      <>
        <TextStatus state={state} /> {state === "scheduled" && publishAt && <When at={publishAt} />}
      </>
    ),
  },
  {
    header: "Last change",
    phone: "label",
    cell: ({ changed }) =>
      changed && (
        <>
          <When at={changed.at} /> {changed.by && `by ${changed.by}`}
        </>
      ),
  },
];

const Rows = ({ label, rows }: { label: string; rows: TextRow[] }) => (
  <AdminTable
    label={label}
    columns={COLUMNS}
    rows={rows}
    rowKey={({ key }) => key}
    empty="No text matches. Check the spelling, or choose another kind."
  />
);

export default function TextsScreen({ loaderData: { rows, kinds, isFiltered } }: Route.ComponentProps) {
  const others = rows.filter(({ group }) => group !== "Emails");
  const mails = rows.filter(({ group }) => group === "Emails");
  return (
    <>
      <PageHead title="Texts" note={rows.length}>
        <AdminForm intent="new-post">
          {({ result }) => (
            <ActionFold label="New post" style="btn btn-primary" isFolded isRefused={result?.ok === false}>
              <AdminText name="title" label="Title" maxLength={120} className="w-72 max-w-full" />
              <Submit className="btn">Write post</Submit>
            </ActionFold>
          )}
        </AdminForm>
      </PageHead>
      <Filters
        fields={[
          { name: "q", label: "Search texts", type: "search" },
          { name: "kind", label: "Kind", options: [["", "All"], ...kinds.map((kind) => [kind, kind] as const)] },
        ]}
      />
      {(others.length > 0 || mails.length === 0) && <Rows label="Texts" rows={others} />}
      {mails.length > 0 && (
        <details open={isFiltered} className="mt-6">
          <summary className="min-h-9 font-semibold pointer-coarse:min-h-11">{`Emails (${mails.length})`}</summary>
          <Rows label="Emails" rows={mails} />
        </details>
      )}
    </>
  );
}
