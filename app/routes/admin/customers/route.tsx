import { GUESTS_PAGE, listGuests, mostAreGuests, type ListedGuest } from "#shop/orders/history.server.ts";
import { formatMoney } from "#shop/money.ts";
import { db } from "#platform/database.server.ts";
import {
  countCustomers,
  CUSTOMERS_PAGE,
  listCustomers,
  type ListedCustomer,
} from "#shop/customers/customers.server.ts";
import { Filters } from "#app/ui/admin/filters.tsx";
import { PageHead, Status } from "#app/ui/admin/page-head.tsx";
import { AdminTable, countLabel, Pager, type Column } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { isId } from "../guard.server.ts";
import type { Route } from "./+types/route.ts";

async function accounts(search: string, after: string | null) {
  const [found, { count, hasMore }] = await Promise.all([
    listCustomers(db, search, isId(after) ? after : undefined),
    countCustomers(db, search),
  ]);
  const rows = found.slice(0, CUSTOMERS_PAGE);
  return {
    kind: "accounts" as const,
    rows,
    counted: countLabel(count, hasMore),
    next: found.length > CUSTOMERS_PAGE ? rows.at(-1)!.id : null,
  };
}

async function guests(search: string, after: string | null) {
  const found = await listGuests(db, search, after || undefined);
  const rows = found.slice(0, GUESTS_PAGE);
  const next = found.length > GUESTS_PAGE ? rows.at(-1)!.email : null;
  return { kind: "guests" as const, rows, counted: null, next };
}

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const search = (searchParams.get("q") ?? "").trim().slice(0, 200);
  const first = (await mostAreGuests(db)) ? ("guests" as const) : ("accounts" as const);
  const list = (searchParams.get("kind") ?? first) === "guests" ? guests : accounts;
  return { ...(await list(search, searchParams.get("after"))), search, first };
}

const ACCOUNTS: Column<ListedCustomer>[] = [
  {
    header: "Name",
    cell: ({ name }) => name || "No name",
    href: ({ id }) => `/admin/customers/${id}`,
    className: "max-w-60 truncate",
  },
  { header: "Email", cell: ({ email }) => email, className: "max-w-72 truncate" },
  {
    header: "Status",
    cell: ({ isVerified, isSuspended }) =>
      isSuspended ? (
        <Status tone="late">Suspended</Status>
      ) : (
        <Status tone={isVerified ? "done" : "quiet"}>{isVerified ? "Verified" : "Not verified"}</Status>
      ),
  },
  { header: "Orders", cell: ({ orders }) => orders, isNumber: true, phone: "label" },
  { header: "Spent", cell: ({ spentCents }) => formatMoney(spentCents), isNumber: true, phone: "label" },
  { header: "Joined", cell: ({ createdAt }) => <When at={createdAt} />, phone: "label" },
];

const GUESTS: Column<ListedGuest>[] = [
  {
    header: "Name",
    cell: ({ name }) => name || "No name",
    href: ({ email }) => `/admin/customers/by-email?email=${encodeURIComponent(email)}`,
    className: "max-w-60 truncate",
  },
  { header: "Email", cell: ({ email }) => email, className: "max-w-72 truncate" },
  { header: "Orders", cell: ({ orders }) => orders, isNumber: true, phone: "label" },
  { header: "Spent", cell: ({ spentCents }) => formatMoney(spentCents), isNumber: true, phone: "label" },
  { header: "Last order", cell: ({ newestAt }) => <When at={newestAt} />, phone: "label" },
];

export default function CustomersScreen({ loaderData }: Route.ComponentProps) {
  const { counted, next, search, kind, first } = loaderData;
  const empty = search
    ? `No ${kind === "guests" ? "guest" : "account"} matches. Check the spelling, or search the other type.`
    : "No customers yet. They appear here when they create an account, join the waitlist or place an order.";
  return (
    <>
      <PageHead title="Customers" note={counted} />
      <Filters
        fields={[
          { name: "q", label: "Email or name", type: "search" },
          {
            name: "kind",
            label: "Type",
            initial: first,
            options: [
              ["accounts", "Accounts"],
              ["guests", "Guests"],
            ],
          },
        ]}
      />
      {loaderData.kind === "guests" ? (
        <AdminTable
          label="Guests"
          columns={GUESTS}
          rows={loaderData.rows}
          rowKey={({ email }) => email}
          empty={empty}
        />
      ) : (
        <AdminTable label="Accounts" columns={ACCOUNTS} rows={loaderData.rows} rowKey={({ id }) => id} empty={empty} />
      )}
      <Pager next={next} />
    </>
  );
}
