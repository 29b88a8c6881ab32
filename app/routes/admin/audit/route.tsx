import { Link } from "react-router";
import { db } from "#platform/database.server.ts";
import { AUDIT_PAGE, listAudit } from "#shop/audit/audit.server.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { staffNames } from "#shop/staff/staff.server.ts";
import { formatDate } from "#app/ui/time/format-date.ts";
import { Filters } from "#app/ui/admin/filters.tsx";
import { PageHead, Section } from "#app/ui/admin/page-head.tsx";
import { EmptyState, Pager } from "#app/ui/admin/table.tsx";
import { dayWords } from "#app/ui/admin/when.tsx";
import { isId } from "../guard.server.ts";
import { titleOf } from "../texts/state.server.ts";
import type { Route } from "./+types/route.ts";
import { detailsOf, sentenceOf, subjectOf, type Detail } from "./sentence.ts";

const KINDS = {
  order: "Orders",
  return: "Returns",
  product: "Products",
  stock: "Stock",
  customer: "Customers",
  message: "Messages",
  email: "Emails",
  waitlist: "Waitlist",
  letter: "Letters",
  staff: "Staff",
  session: "Sign-ins",
  privacy: "Privacy",
  "go-live": "Go live",
  settings: "Settings",
  text: "Texts",
};

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const staffId = searchParams.get("staff");
  const kind = searchParams.get("kind") ?? "";
  const order = searchParams.get("order")?.trim().replace("#", "").toLowerCase() ?? "";
  const after = Number(searchParams.get("after"));
  const isOrderNumber = /^[0-9a-f]{8}$/.test(order);
  if (order && !isOrderNumber) return { rows: [], next: null, names: await staffNames(db), isTypo: true };
  const [found, names] = await Promise.all([
    listAudit(db, {
      staffId: isId(staffId) ? staffId : undefined,
      kind: Object.hasOwn(KINDS, kind) ? kind : undefined,
      subject: searchParams.get("subject") ?? undefined,
      orderNumber: order || undefined,
      before: Number.isSafeInteger(after) && after > 0 ? after : undefined,
    }),
    staffNames(db),
  ]);
  const rows = found.slice(0, AUDIT_PAGE).map((row) => {
    const [kind, key = ""] = row.subject?.split(":") ?? [];
    return kind === "text" ? { ...row, subjectName: titleOf(key, row.subjectName) } : row;
  });
  const next = found.length > AUDIT_PAGE ? String(rows.at(-1)!.id) : null;
  return { rows, next, names, isTypo: false };
}

type Row = Route.ComponentProps["loaderData"]["rows"][number];

/** Neighbors with the same key, in their order. */
function grouped<Item>(items: Item[], keyOf: (item: Item) => unknown): Item[][] {
  const groups: Item[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && keyOf(last[0]) === keyOf(item)) last.push(item);
    else groups.push([item]);
  }
  return groups;
}

const values = ({ before, after }: Detail) => [before, after].filter((value) => value !== null).join(" → ");

function Details({ row }: { row: Row }) {
  return (
    <details className="w-full">
      <summary className="admin-link absolute top-1.5 right-0 cursor-pointer list-none py-0.5 font-normal! text-ink-soft">
        Details
      </summary>
      <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 border-l-2 border-line pl-4 wrap-anywhere">
        {[...detailsOf(row), { name: "IP address", before: null, after: row.address ?? "deleted" }].map((detail) => (
          <div key={detail.name} className="contents">
            <dt className="text-ink-soft">{detail.name}</dt>
            <dd>{values(detail)}</dd>
          </div>
        ))}
      </dl>
      {row.subject && (
        <p className="mb-2 border-l-2 border-line pl-4">
          <Link to={`?subject=${encodeURIComponent(row.subject)}`} className="admin-link">
            All entries about this
          </Link>
        </p>
      )}
    </details>
  );
}

function Entry({ row }: { row: Row }) {
  const { before, after } = sentenceOf(row);
  const subject = subjectOf(row);
  return (
    <li className="relative flex min-h-10 flex-wrap items-baseline gap-x-4 border-t border-line py-2 pr-15">
      <time dateTime={row.at.toISOString()} className="w-16 text-ink-soft tabular-nums">
        {formatDate(row.at, { hour: "numeric", minute: "2-digit", timeZone: "America/New_York" })}
      </time>
      <p className="min-w-0 flex-1 basis-48 wrap-anywhere">
        <span className="font-medium">{row.name ?? "The shop"}</span>
        <span>{` ${before}`}</span>
        {after !== null &&
          (subject?.href ? (
            <Link to={subject.href} className="admin-link">
              {subject.words}
            </Link>
          ) : (
            <span>{subject?.words}</span>
          ))}
        <span>{after}</span>
      </p>
      <Details row={row} />
    </li>
  );
}

function Entries({ rows }: { rows: Row[] }) {
  return (
    <ol>
      {rows.map((row) => (
        <Entry key={row.id} row={row} />
      ))}
    </ol>
  );
}

function Refusals({ rows }: { rows: Row[] }) {
  return (
    <details className="border-t border-line">
      <summary className="flex min-h-10 cursor-pointer items-center text-ink-soft">
        {rows.length === 1 ? "1 refused attempt" : `${rows.length} refused attempts`}
      </summary>
      <Entries rows={rows} />
    </details>
  );
}

const isRefusal = ({ action }: Row) => action === "refused";

export default function AuditScreen({ loaderData: { rows, next, names, isTypo } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Audit log" />
      <Filters
        fields={[
          { name: "order", label: "Order number", type: "search" },
          {
            name: "staff",
            label: "Staff",
            options: [["", "All"], ...names.map(({ id, name }) => [id, name] as const)],
          },
          { name: "kind", label: "Type", options: [["", "All"], ...Object.entries(KINDS)] },
        ]}
      />
      {rows.length === 0 && (
        <EmptyState>
          {isTypo
            ? "An order number has eight digits and letters from a to f, such as c52aee86."
            : "No activity matches. Every staff action is recorded here as it happens."}
        </EmptyState>
      )}
      <div className="grid max-w-4xl gap-6">
        {[...Map.groupBy(rows, ({ at }) => newYorkDay(at)).values()].map((day) => (
          <Section key={day[0]!.id} title={dayWords(newYorkDay(day[0]!.at), { dateStyle: "full" })} className="gap-1">
            {grouped(day, isRefusal).map((entries) =>
              isRefusal(entries[0]!) ? (
                <Refusals key={entries[0]!.id} rows={entries} />
              ) : (
                <Entries key={entries[0]!.id} rows={entries} />
              ),
            )}
          </Section>
        ))}
      </div>
      <Pager next={next} />
    </>
  );
}
