import { redirect } from "react-router";
import { z } from "#shop/zod.ts";
import { requiredLine } from "#shop/text.ts";
import { FoldedForm } from "#app/ui/admin/folded-form.tsx";
import { AdminText } from "#app/ui/admin/field.tsx";
import { Filters } from "#app/ui/admin/filters.tsx";
import { PageHead, Section } from "#app/ui/admin/page-head.tsx";
import { AdminTable, type Column, EmptyState } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import { actions, fieldError, handle } from "../action.server.ts";
import type { Route } from "./+types/route.ts";
import { TextStatus } from "./status.tsx";
import { listTexts, type TextRow } from "./state.server.ts";

/** Filtered by kind and by words of title, page and moment. */
export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const kind = searchParams.get("kind") ?? "";
  const words = (searchParams.get("q") ?? "").trim().toLowerCase().split(/\s+/);
  const isFound = ({ title, path, sent, group }: TextRow) =>
    (kind === "" || group === kind) && words.every((word) => `${title} ${path} ${sent}`.toLowerCase().includes(word));
  const all = await listTexts();
  return {
    groups: all.map(([name, rows]) => [name, rows.filter(isFound)] as const).filter(([, rows]) => rows.length > 0),
    kinds: all.map(([name]) => name),
  };
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
  "new-post": handle(postSchema, async (action) => {
    const { title } = action.value;
    const key = `posts-${slugOf(title)}`;
    const isTaken = (await listTexts()).some(([, rows]) => rows.some((row) => row.key === key));
    if (isTaken) return fieldError(action, "title", "A post has this address already", 409);
    return redirect(`/admin/texts/${key}?title=${encodeURIComponent(title)}`);
  }),
});

export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

const CHANGED: Column<TextRow>[] = [
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
          <When at={changed.at} /> {changed.by && <span>{`by ${changed.by}`}</span>}
        </>
      ),
  },
];

/** A column is there only if the group has something to say in it. */
const columnsOf = (rows: TextRow[]): (Column<TextRow> | false)[] => [
  { header: "Text", cell: ({ title }) => title, href: ({ key }) => `/admin/texts/${key}`, className: "sm:w-72" },
  rows.some(({ sent }) => sent) && { header: "Sent", cell: ({ sent }) => sent },
  new Set(rows.map(({ path }) => path)).size > 1 && { header: "Page", cell: ({ path }) => path },
  ...(rows.some(({ changed }) => changed) ? CHANGED : []),
];

export default function TextsScreen({ loaderData: { groups, kinds } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Texts">
        <FoldedForm intent="new-post" label="New post" style="btn btn-primary">
          <AdminText name="title" label="Title" maxLength={120} className="w-72 max-w-full" />
          <Submit className="btn">Write post</Submit>
        </FoldedForm>
      </PageHead>
      <Filters
        fields={[
          { name: "q", label: "Search texts", type: "search" },
          { name: "kind", label: "Kind", options: [["", "All"], ...kinds.map((kind) => [kind, kind] as const)] },
        ]}
      />
      <div className="grid gap-8">
        {groups.map(([name, rows]) => (
          <Section key={name} title={name} className="gap-1">
            <AdminTable label={name} columns={columnsOf(rows)} rows={rows} rowKey={({ key }) => key} />
          </Section>
        ))}
        {groups.length === 0 && <EmptyState>No text matches. Check the spelling, or choose another kind.</EmptyState>}
      </div>
    </>
  );
}
