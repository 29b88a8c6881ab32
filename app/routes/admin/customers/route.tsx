import { formatMoney } from "#shop/money.ts";
import { db } from "#platform/database.server.ts";
import { listTags } from "#shop/customers/customer-note.server.ts";
import { CUSTOMERS_PAGE, listCustomers, type ListedCustomer } from "#shop/customers/customers.server.ts";
import { Filters, type FilterField } from "#app/ui/admin/filters.tsx";
import { PageHead, Status } from "#app/ui/admin/page-head.tsx";
import { AdminTable, countLabel, Pager, type Column } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { isId } from "../guard.server.ts";
import type { Route } from "./+types/route.ts";
import { customerPath } from "./history.tsx";
import { MAX_TAG } from "./notes.tsx";

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const search = (searchParams.get("q") ?? "").trim().slice(0, 200);
  const filter = { search, tag: searchParams.get("tag")?.slice(0, MAX_TAG) };
  const after = searchParams.get("after");
  const [{ rows: found, counted }, tags] = await Promise.all([
    listCustomers(db, filter, isId(after) ? after : undefined),
    listTags(db),
  ]);
  const rows = found.slice(0, CUSTOMERS_PAGE);
  const next = found.length > CUSTOMERS_PAGE ? rows.at(-1)!.id : null;
  return {
    rows,
    counted: countLabel(counted.count, counted.hasMore),
    next,
    tags,
    isFiltered: search !== "" || Boolean(filter.tag),
  };
}

function Account({ userId, isVerified, isSuspended }: ListedCustomer) {
  if (!userId) return <Status tone="quiet">Guest</Status>;
  if (isSuspended) return <Status tone="late">Suspended</Status>;
  return <Status tone={isVerified ? "done" : "quiet"}>{isVerified ? "Account" : "Not verified"}</Status>;
}

const columns = (hasTags: boolean): (Column<ListedCustomer> | false)[] => [
  { header: "Name", cell: ({ name }) => name || "No name", href: customerPath, className: "max-w-60 truncate" },
  { header: "Email", cell: ({ email }) => email, className: "max-w-72 truncate" },
  { header: "Account", cell: Account, phone: "inline" },
  hasTags && { header: "Tags", cell: ({ tags }) => tags.join(", "), className: "max-w-48 truncate" },
  { header: "Orders", cell: ({ orders }) => orders, isNumber: true, phone: "fact" },
  { header: "Spent", cell: ({ spentCents }) => formatMoney(spentCents), isNumber: true, phone: "fact" },
  {
    header: "Last order",
    cell: ({ lastOrderAt }) => (lastOrderAt ? <When at={lastOrderAt} /> : "None yet"),
    phone: "fact",
  },
];

export default function CustomersScreen({
  loaderData: { rows, counted, next, tags, isFiltered },
}: Route.ComponentProps) {
  const empty = isFiltered
    ? "No customer matches. Check the spelling, or clear the filters."
    : "No customers yet. They appear here when they create an account, join the waitlist or place an order.";
  const options = [["", "All"], ...tags.map((tag) => [tag, tag] as const)] as const;
  const search: FilterField = { name: "q", label: "Email or name", type: "search" };
  return (
    <>
      <PageHead title="Customers" note={counted} />
      <Filters fields={tags.length > 0 ? [search, { name: "tag", label: "Tag", options }] : [search]} />
      <AdminTable
        label="Customers"
        columns={columns(tags.length > 0)}
        rows={rows}
        rowKey={({ id }) => id}
        empty={empty}
      />
      <Pager next={next} />
    </>
  );
}
