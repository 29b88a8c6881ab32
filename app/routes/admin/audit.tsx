import { Link } from "react-router";
import { db } from "#platform/database.server.ts";
import { AUDIT_PAGE, listAudit } from "#shop/audit/audit.server.ts";
import { ROLE_WORDS } from "#shop/roles.ts";
import { staffNames } from "#shop/staff/staff.server.ts";
import type { AuditValues } from "#shop/audit/audit.tables.ts";
import { Filters } from "#app/ui/admin/filters.tsx";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import { AdminTable, Pager, type Column } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { isId } from "./guard.server.ts";
import type { Route } from "./+types/audit.ts";

const KINDS = {
  order: "Orders",
  return: "Returns",
  product: "Products",
  stock: "Stock",
  customer: "Customers",
  message: "Messages",
  email: "Emails",
  waitlist: "Waitlist",
  settings: "Settings",
  staff: "Staff",
  session: "Sign-ins",
  privacy: "Privacy",
  "go-live": "Go live",
};

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const staffId = searchParams.get("staff");
  const kind = searchParams.get("kind") ?? "";
  const after = Number(searchParams.get("after"));
  const found = await listAudit(db, {
    staffId: isId(staffId) ? staffId : undefined,
    kind: Object.hasOwn(KINDS, kind) ? kind : undefined,
    subject: searchParams.get("subject") ?? undefined,
    before: Number.isSafeInteger(after) && after > 0 ? after : undefined,
  });
  const rows = found.slice(0, AUDIT_PAGE);
  const next = found.length > AUDIT_PAGE ? String(rows.at(-1)!.id) : null;
  return { rows, next, names: await staffNames(db) };
}

const words = (values: AuditValues | null) =>
  Object.entries(values ?? {})
    .map(([name, value]) => `${name}: ${value ?? "none"}`)
    .join(", ");

type Row = Route.ComponentProps["loaderData"]["rows"][number];

const COLUMNS: Column<Row>[] = [
  { header: "Time", cell: ({ at }) => <When at={at} /> },
  {
    header: "Staff",
    className: "whitespace-nowrap",
    cell: ({ name, role }) => (
      <>
        {name ?? "System"}
        {role && <span className="text-ink-soft">, {ROLE_WORDS[role].name.toLowerCase()}</span>}
      </>
    ),
  },
  { header: "Action", cell: ({ action }) => action, className: "whitespace-nowrap" },
  {
    header: "Subject",
    className: "max-w-60 truncate",
    cell: ({ subject }) =>
      subject && (
        <Link to={`?subject=${encodeURIComponent(subject)}`} className="admin-link">
          {subject}
        </Link>
      ),
  },
  { header: "Before", cell: ({ before }) => words(before), phone: "label" },
  { header: "After", cell: ({ after }) => words(after), phone: "label" },
  { header: "IP address", cell: ({ address }) => address, className: "whitespace-nowrap text-ink-soft" },
];

export default function AuditScreen({ loaderData: { rows, next, names } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Audit log" />
      <Filters
        fields={[
          {
            name: "staff",
            label: "Staff",
            options: [["", "All"], ...names.map(({ id, name }) => [id, name] as const)],
          },
          { name: "kind", label: "Type", options: [["", "All"], ...Object.entries(KINDS)] },
        ]}
      />
      <AdminTable
        label="Audit log"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
        empty="No activity matches. Every staff action is recorded here as it happens."
      />
      <Pager next={next} />
    </>
  );
}
