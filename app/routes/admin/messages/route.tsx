/** What people have written, those first who have waited longest. */
import { data, Form, Link } from "react-router";
import { db } from "../../../database.server.ts";
import type { ListedMessage, MessageFilter } from "../../../../shop/support/thread/list-messages.server.ts";
import { NO_STORE, privateHeaders } from "../../../http/cache-headers.ts";
import { staffOf } from "../../../session/staff.server.ts";
import { AdminSelect, AdminText } from "../../../ui/admin/field.tsx";
import { EmptyList, PageHead } from "../../../ui/admin/page-head.tsx";
import { Pager } from "../../../ui/admin/pager.tsx";
import { Status } from "../../../ui/admin/status.tsx";
import { When } from "../../../ui/admin/when.tsx";
import { isId } from "../row-id.ts";
import type { Route } from "./+types/route.ts";

export const headers = privateHeaders;

const DAY_MS = 86_400_000;
const STATUSES = { open: "Open", closed: "Closed", all: "Open and closed" } as const;

export async function loader({ request, context }: Route.LoaderArgs) {
  const [{ countMessages, listMessages, MESSAGES_PAGE }, { countWords }] = await Promise.all([
    import("../../../../shop/support/thread/list-messages.server.ts"),
    import("../orders/load.server.ts"),
  ]);
  const { searchParams } = new URL(request.url);
  const asked = searchParams.get("status") ?? "";
  const status = Object.hasOwn(STATUSES, asked) ? (asked as keyof typeof STATUSES) : "open";
  const whose = searchParams.get("whose") ?? "";
  const search = (searchParams.get("q") ?? "").slice(0, 200);
  const after = searchParams.get("after") ?? "";
  const filter: MessageFilter = {
    status,
    ...(whose === "mine" && { assigned: { to: staffOf(context).staffId } }),
    ...(whose === "unassigned" && { assigned: { to: null } }),
    search,
  };
  const [found, count] = await Promise.all([
    listMessages(db, filter, isId(after) ? after : undefined),
    countMessages(db, filter),
  ]);
  const rows = found.slice(0, MESSAGES_PAGE);
  const next = found.length > MESSAGES_PAGE ? rows.at(-1)!.id : null;
  return data(
    { rows, next, counted: countWords(count), status, whose, search, now: Date.now() },
    { headers: NO_STORE },
  );
}

/** What is open for more than a day is late. */
function State({ row, now }: { row: ListedMessage; now: number }) {
  if (row.status === "closed") return <Status tone="done">Closed</Status>;
  const isLate = now - row.createdAt.getTime() > DAY_MS && row.replies === 0;
  return <Status tone={isLate ? "late" : "open"}>{row.replies > 0 ? "Answered" : isLate ? "Waiting" : "New"}</Status>;
}

export default function MessagesScreen({ loaderData }: Route.ComponentProps) {
  const { rows, next, counted, status, whose, search, now } = loaderData;
  return (
    <>
      <PageHead title="Messages" note={counted}>
        <Link to="/admin/messages/saved" className="act">
          Saved replies
        </Link>
      </PageHead>
      <Form method="get" className="mb-4 flex flex-wrap items-end gap-3">
        <AdminText
          name="q"
          type="search"
          label="Name, email or words"
          defaultValue={search}
          className="w-full sm:w-64"
        />
        <AdminSelect name="status" label="Status" defaultValue={status} className="w-44">
          {Object.entries(STATUSES).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </AdminSelect>
        <AdminSelect name="whose" label="Whose" defaultValue={whose} className="w-36">
          <option value="">Everybody's</option>
          <option value="mine">Mine</option>
          <option value="unassigned">Nobody's</option>
        </AdminSelect>
        <button type="submit" className="act">
          Show
        </button>
      </Form>
      {rows.length === 0 && (
        <EmptyList>
          {search || whose || status !== "open"
            ? "No message fits. Search both open and closed ones, or everybody's."
            : "Nobody waits for an answer. What is sent by the contact form comes here."}
        </EmptyList>
      )}
      {rows.length > 0 && (
        <div className="admin-scroll">
          <table className="admin-table admin-cards">
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col">Message</th>
                <th scope="col">Status</th>
                <th scope="col">Whose</th>
                <th scope="col">Came</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <td className="max-w-48 truncate">
                    <Link to={`/admin/messages/${row.id}`} className="admin-link">
                      {row.name}
                    </Link>
                  </td>
                  <td className="w-full max-w-0 min-w-64 truncate max-sm:max-w-full text-ink-soft">{row.begins}</td>
                  <td>
                    <State row={row} now={now} />
                  </td>
                  <td className="max-w-36 truncate max-sm:hidden">
                    {row.assignee ?? <span className="text-ink-soft">Nobody</span>}
                  </td>
                  <td className="whitespace-nowrap">
                    <When at={row.createdAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager next={next} />
    </>
  );
}
