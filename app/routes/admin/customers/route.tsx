/** The customers: accounts, the newest first, and guests by their email. */
import { data, Form, Link } from "react-router";
import { db } from "../../../database.server.ts";
import type { ListedCustomer } from "../../../../shop/accounts/list-customers.server.ts";
import type { ListedGuest } from "../../../../shop/orders/list-guests.server.ts";
import { NO_STORE, privateHeaders } from "../../../http/cache-headers.ts";
import { AdminSelect, AdminText } from "../../../ui/admin/field.tsx";
import { EmptyList, PageHead } from "../../../ui/admin/page-head.tsx";
import { Pager } from "../../../ui/admin/pager.tsx";
import { Status } from "../../../ui/admin/status.tsx";
import { When } from "../../../ui/admin/when.tsx";
import { isId } from "../row-id.ts";
import type { Route } from "./+types/route.ts";

export const headers = privateHeaders;

async function accounts(search: string, after: string) {
  const { COUNTED_CUSTOMERS, countCustomers, CUSTOMERS_PAGE, listCustomers } =
    await import("../../../../shop/accounts/list-customers.server.ts");
  const [found, count] = await Promise.all([
    listCustomers(db, search, isId(after) ? after : undefined),
    countCustomers(db, search),
  ]);
  const customers = found.slice(0, CUSTOMERS_PAGE);
  const limit = COUNTED_CUSTOMERS.toLocaleString("en-US");
  return {
    customers,
    guests: [] as ListedGuest[],
    counted: count > COUNTED_CUSTOMERS ? `${limit}+` : count.toLocaleString("en-US"),
    next: found.length > CUSTOMERS_PAGE ? customers.at(-1)!.id : null,
  };
}

async function guestsOf(search: string, after: string) {
  const { GUESTS_PAGE, listGuests } = await import("../../../../shop/orders/list-guests.server.ts");
  const found = await listGuests(db, search, after || undefined);
  const guests = found.slice(0, GUESTS_PAGE);
  return {
    customers: [] as ListedCustomer[],
    guests,
    counted: null,
    next: found.length > GUESTS_PAGE ? guests.at(-1)!.email : null,
  };
}

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const search = (searchParams.get("q") ?? "").trim().slice(0, 200);
  const after = searchParams.get("after") ?? "";
  const kind = searchParams.get("kind") === "guests" ? "guests" : "accounts";
  const page = kind === "guests" ? await guestsOf(search, after) : await accounts(search, after);
  return data({ ...page, search, kind }, { headers: NO_STORE });
}

function Accounts({ rows }: { rows: ListedCustomer[] }) {
  return (
    <table className="admin-table admin-cards">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Email</th>
          <th scope="col">State</th>
          <th scope="col" className="number">
            Orders
          </th>
          <th scope="col">Joined</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name, email, isVerified, orders, createdAt }) => (
          <tr key={id}>
            <td className="max-w-60 truncate">
              <Link to={`/admin/customers/${id}`} className="admin-link">
                {name || "No name"}
              </Link>
            </td>
            <td className="max-w-72 truncate">{email}</td>
            <td>
              <Status tone={isVerified ? "done" : "quiet"}>{isVerified ? "Verified" : "Not verified"}</Status>
            </td>
            <td className="number" data-label="Orders">
              {orders}
            </td>
            <td className="whitespace-nowrap" data-label="Joined">
              <When at={createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Guests({ rows }: { rows: ListedGuest[] }) {
  return (
    <table className="admin-table admin-cards">
      <thead>
        <tr>
          <th scope="col">Email</th>
          <th scope="col" className="number">
            Orders
          </th>
          <th scope="col">Last order</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ email, orders, newestAt }) => (
          <tr key={email}>
            <td className="max-w-80 truncate">
              <Link to={`/admin/customers/by-email?email=${encodeURIComponent(email)}`} className="admin-link">
                {email}
              </Link>
            </td>
            <td className="number" data-label="Orders">
              {orders}
            </td>
            <td className="whitespace-nowrap" data-label="Last order">
              <When at={newestAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export default function CustomersScreen({ loaderData }: Route.ComponentProps) {
  const { customers, guests, counted, next, search, kind } = loaderData;
  const isEmpty = customers.length + guests.length === 0;
  return (
    <>
      <PageHead title="Customers" note={counted} />
      <Form method="get" className="mb-4 flex flex-wrap items-end gap-3">
        <AdminText
          name="q"
          type="search"
          label="How the email or name begins"
          defaultValue={search}
          className="w-full sm:w-64"
        />
        <AdminSelect name="kind" label="Who" defaultValue={kind} className="w-52">
          <option value="accounts">With an account</option>
          <option value="guests">Guests, by their orders</option>
        </AdminSelect>
        <button type="submit" className="act">
          Show
        </button>
      </Form>
      {isEmpty && (
        <EmptyList>
          {search
            ? `Nobody ${kind === "guests" ? "ordered as a guest" : "has an account"} whose ${kind === "guests" ? "email" : "email or name"} begins like this. Look among the other kind, too.`
            : "Nobody yet. Whoever makes an account, joins the waitlist or orders comes here."}
        </EmptyList>
      )}
      {!isEmpty && (
        <div className="admin-scroll">
          {kind === "guests" ? <Guests rows={guests} /> : <Accounts rows={customers} />}
        </div>
      )}
      <Pager next={next} />
    </>
  );
}
