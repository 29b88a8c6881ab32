/** Returns, newest first, with what each waits for. */
import { redirect } from "react-router";
import { db } from "#platform/database.server.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { RETURN_KINDS, RETURN_STATES } from "#shop/returns/lifecycle.ts";
import { KIND_WORDS, readReturnNumber, STATE_WORDS } from "#shop/returns/return.ts";
import { findReturn, listReturns, RETURNS_PAGE } from "#shop/returns/returns.server.ts";
import { Filters } from "#app/ui/admin/filters.tsx";
import { PageHead, Status } from "#app/ui/admin/page-head.tsx";
import { AdminTable, Pager, type Column } from "#app/ui/admin/table.tsx";
import { dayWords, When } from "#app/ui/admin/when.tsx";
import { isId } from "../guard.server.ts";
import type { Route } from "./+types/route.ts";
import { dueOf, stateWords } from "./due.ts";

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const search = (searchParams.get("q") ?? "").trim().slice(0, 40);
  const found = search ? await findReturn(db, readReturnNumber(search)) : null;
  if (found) throw redirect(`/admin/returns/${found}`);
  const state = RETURN_STATES.find((each) => each === searchParams.get("state"));
  const kind = RETURN_KINDS.find((each) => each === searchParams.get("kind"));
  const after = searchParams.get("after");
  const listed = search ? [] : await listReturns(db, { state, kind, before: isId(after) ? after : undefined });
  const rows = listed.slice(0, RETURNS_PAGE);
  const today = newYorkDay(clock.now());
  return {
    rows: rows.map((row) => ({ ...row, due: dueOf(row, today) })),
    next: listed.length > RETURNS_PAGE ? rows.at(-1)!.id : null,
    isFiltered: search !== "" || state !== undefined || kind !== undefined,
  };
}

type Row = Route.ComponentProps["loaderData"]["rows"][number];

const COLUMNS: Column<Row>[] = [
  {
    header: "Return",
    cell: ({ number }) => number,
    href: ({ id }) => `/admin/returns/${id}`,
    className: "whitespace-nowrap tabular-nums",
  },
  { header: "Customer", cell: ({ name }) => name, className: "max-w-48 truncate" },
  { header: "Type", cell: ({ kind }) => KIND_WORDS[kind], className: "xl:whitespace-nowrap" },
  {
    header: "Items",
    cell: ({ products }) => products,
    className: "w-full max-w-0 min-w-32 truncate max-sm:max-w-full text-ink-soft",
  },
  { header: "Status", cell: (row) => <Status tone={row.due.tone}>{stateWords(row)}</Status> },
  { header: "Due", cell: ({ due }) => due.on && dayWords(due.on), className: "whitespace-nowrap", phone: "label" },
  { header: "Requested", cell: ({ createdAt }) => <When at={createdAt} />, phone: "hidden", at: "wide" },
];

export default function ReturnsScreen({ loaderData: { rows, next, isFiltered } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Returns" />
      <Filters
        fields={[
          { name: "q", label: "Return number", type: "search" },
          { name: "state", label: "Status", options: [["", "All"], ...Object.entries(STATE_WORDS)] },
          { name: "kind", label: "Type", options: [["", "All"], ...Object.entries(KIND_WORDS)] },
        ]}
      />
      <AdminTable
        label="Returns"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
        empty={
          isFiltered
            ? "No returns match. Check the number, or clear the filters."
            : "No returns yet. Customers start them on their order’s page, and staff on the order’s page here."
        }
      />
      <Pager next={next} />
    </>
  );
}
