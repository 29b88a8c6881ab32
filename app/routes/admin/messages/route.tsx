/** Customer messages, longest waiting first. */
import { Link } from "react-router";
import { db } from "#platform/database.server.ts";
import { clock } from "#shop/clock.ts";
import {
  countMessages,
  listMessages,
  MESSAGES_PAGE,
  type ListedMessage,
  type MessageFilter,
} from "#shop/support/thread/list-messages.server.ts";
import { staffOf } from "#app/session/staff.server.ts";
import { Filters } from "#app/ui/admin/filters.tsx";
import { PageHead, Status } from "#app/ui/admin/page-head.tsx";
import { AdminTable, countLabel, Pager, type Column } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { isId } from "../guard.server.ts";
import type { Route } from "./+types/route.ts";

const DAY_MS = 86_400_000;
/** Without a choice a search looks in all, and the list shows those to answer. */
const STATUSES = { waiting: "To answer", open: "Open", closed: "Closed", automatic: "Automatic", all: "All" } as const;
type Status = keyof typeof STATUSES;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const requested = searchParams.get("status") ?? "";
  const search = (searchParams.get("q") ?? "").slice(0, 200);
  const initial: Status = search.trim() ? "all" : "waiting";
  const status = Object.hasOwn(STATUSES, requested) ? (requested as Status) : initial;
  const assignee = searchParams.get("whose");
  const after = searchParams.get("after");
  const filter: MessageFilter = {
    status,
    ...(assignee === "mine" && { assigned: { to: staffOf(context).staffId } }),
    ...(assignee === "unassigned" && { assigned: { to: null } }),
    search,
  };
  const [found, { count, hasMore }] = await Promise.all([
    listMessages(db, filter, isId(after) ? after : undefined),
    countMessages(db, filter),
  ]);
  const now = clock.now().getTime();
  const rows = found.slice(0, MESSAGES_PAGE).map((row) => ({ ...row, state: stateOf(row, now) }));
  const next = found.length > MESSAGES_PAGE ? rows.at(-1)!.id : null;
  const isFiltered = search !== "" || status !== "waiting" || Boolean(assignee);
  return { rows, next, counted: countLabel(count, hasMore), isFiltered, initial };
}

/** Open messages are overdue after a day without a reply. */
function stateOf({ status, isAutomatic, isReplied, waitsSince }: ListedMessage, now: number) {
  if (status === "closed") return { word: "Closed", tone: "done" } as const;
  if (isAutomatic) return { word: "Automatic", tone: "done" } as const;
  if (isReplied) return { word: "Replied", tone: "open" } as const;
  const isLate = now - waitsSince.getTime() > DAY_MS;
  return isLate ? ({ word: "Overdue", tone: "late" } as const) : ({ word: "New", tone: "open" } as const);
}

type Row = Route.ComponentProps["loaderData"]["rows"][number];

const COLUMNS: Column<Row>[] = [
  {
    header: "Customer",
    cell: ({ name }) => name,
    href: ({ id }) => `/admin/messages/${id}`,
    className: "max-w-48 truncate",
  },
  {
    header: "Message",
    cell: ({ begins }) => begins,
    className: "w-full max-w-0 min-w-64 truncate max-sm:max-w-full text-ink-soft",
  },
  { header: "Status", cell: ({ state }) => <Status tone={state.tone}>{state.word}</Status> },
  {
    header: "Assignee",
    cell: ({ assignee }) => assignee ?? <span className="text-ink-soft">Unassigned</span>,
    className: "max-w-36 truncate",
    phone: "hidden",
  },
  { header: "Received", cell: ({ createdAt }) => <When at={createdAt} /> },
];

const statusOptions = (initial: Status) => [
  ["", STATUSES[initial]] as const,
  ...Object.entries(STATUSES).filter(([status]) => status !== initial),
];

export default function MessagesScreen({ loaderData }: Route.ComponentProps) {
  const { rows, next, counted, isFiltered, initial } = loaderData;
  return (
    <>
      <PageHead title="Messages" note={counted}>
        <Link to="/admin/emails" className="btn">
          Failed emails
        </Link>
        <Link to="/admin/messages/saved" className="btn">
          Saved replies
        </Link>
      </PageHead>
      <Filters
        fields={[
          { name: "q", label: "Name, email or text", type: "search" },
          { name: "status", label: "Status", options: statusOptions(initial) },
          {
            name: "whose",
            label: "Assignee",
            options: [
              ["", "Anyone"],
              ["mine", "Me"],
              ["unassigned", "Unassigned"],
            ],
          },
        ]}
      />
      <AdminTable
        label="Messages"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
        empty={
          isFiltered
            ? "No messages match. Check the spelling, or clear the filters."
            : "No messages to answer. Messages from the contact form and emails appear here."
        }
      />
      <Pager next={next} />
    </>
  );
}
