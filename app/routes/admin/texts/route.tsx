import { redirect } from "react-router";
import { z } from "#shop/zod.ts";
import { requiredLine } from "#shop/text.ts";
import { AdminForm, AdminText } from "#app/ui/admin/field.tsx";
import { Filters } from "#app/ui/admin/filters.tsx";
import { PageHead, Section } from "#app/ui/admin/page-head.tsx";
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
  return { rows: rows.filter(isFound), kinds: [...new Set(rows.map(({ group }) => group))] };
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
  { header: "Status", cell: ({ state }) => <TextStatus state={state} /> },
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

export default function TextsScreen({ loaderData: { rows, kinds } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Texts" note={rows.length} />
      <Section title="Write a post" className="mb-8 max-w-md gap-3">
        <AdminForm intent="new-post" className="flex items-start gap-2">
          <AdminText name="title" label="Title" maxLength={120} className="grow" />
          <Submit className="btn mt-6">Write post</Submit>
        </AdminForm>
      </Section>
      <Filters
        fields={[
          { name: "q", label: "Search texts", type: "search" },
          { name: "kind", label: "Kind", options: [["", "All"], ...kinds.map((kind) => [kind, kind] as const)] },
        ]}
      />
      <AdminTable
        label="Texts"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ key }) => key}
        empty="No text matches. Check the spelling, or choose another kind."
      />
    </>
  );
}
