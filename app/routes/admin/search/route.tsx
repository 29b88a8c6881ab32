/** Search page, and the data of the search box. */
import { Form } from "react-router";
import { listCustomers } from "#shop/accounts/customers.server.ts";
import { listAllProducts } from "#shop/catalog/back-office/product-list.server.ts";
import { listOrderPage } from "#shop/fulfillment/order-list.server.ts";
import { orderNumber, statusLabel } from "#shop/orders/order.ts";
import { may } from "#shop/staff/permissions.ts";
import type { Role } from "#shop/roles.ts";
import { listMessages } from "#shop/support/thread/list-messages.server.ts";
import { db } from "#platform/database.server.ts";
import { staffOf } from "#app/session/staff.server.ts";
import { Control } from "#app/ui/admin/field.tsx";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import { menuFor } from "../access.ts";
import type { Route } from "./+types/route.ts";
import { ResultList, type Found } from "./box.tsx";

const SHOWN = 5;
const MAX_TYPED = 100;

async function orders(search: string, role: Role): Promise<Found[number]> {
  const searchesContacts = may(role, "orders:sums");
  const { orders: found } = await listOrderPage(db, { search, searchesContacts }, null, SHOWN);
  const items = found.map(({ id, firstName, lastName, status }) => ({
    path: `/admin/orders/${id}`,
    label: `${orderNumber(id)} ${firstName} ${lastName}`,
    detail: statusLabel(status),
  }));
  return { title: "Orders", items };
}

async function products(search: string): Promise<Found[number]> {
  const filter = { search, category: null, color: null, state: null, sort: "name", after: null } as const;
  const { rows } = await listAllProducts(db, filter);
  const items = rows.slice(0, SHOWN).map(({ id, name, units }) => ({
    path: `/admin/products/${id}`,
    label: name,
    detail: `${units} in stock`,
  }));
  return { title: "Products", items };
}

async function customers(search: string): Promise<Found[number]> {
  const found = await listCustomers(db, search);
  const items = found
    .slice(0, SHOWN)
    .map(({ id, name, email }) => ({ path: `/admin/customers/${id}`, label: name, detail: email }));
  return { title: "Customers", items };
}

async function messages(search: string): Promise<Found[number]> {
  const found = await listMessages(db, { status: "all", search });
  const items = found
    .slice(0, SHOWN)
    .map(({ id, name, email }) => ({ path: `/admin/messages/${id}`, label: name, detail: email }));
  return { title: "Messages", items };
}

/** Screens of the menu, by the start of a word of their name. */
function pages(search: string, role: Role): Found[number] {
  const typed = search.toLowerCase();
  const items = menuFor(role)
    .filter(({ label }) => ` ${label.toLowerCase()}`.includes(` ${typed}`))
    .map(({ path, label }) => ({ path, label, detail: "Page" }));
  return { title: "Pages", items };
}

/** Searches every kind of record that the role may read. */
async function searchAll(typed: string, role: Role): Promise<Found> {
  const search = typed.trim().slice(0, MAX_TYPED);
  if (search.length < 2) return [];
  const records = await Promise.all([
    orders(search, role),
    ...(may(role, "products:read") ? [products(search)] : []),
    ...(may(role, "customers:read") ? [customers(search)] : []),
    ...(may(role, "messages:read") ? [messages(search)] : []),
  ]);
  return [pages(search, role), ...records];
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const typed = new URL(request.url).searchParams.get("q") ?? "";
  return { typed, found: await searchAll(typed, staffOf(context).role) };
}

export default function SearchScreen({ loaderData: { typed, found } }: Route.ComponentProps) {
  return (
    <div className="max-w-2xl">
      <PageHead title="Search" />
      <Form role="search" className="mb-3 flex items-end gap-2">
        <Control
          as="input"
          name="q"
          type="search"
          label="Search orders, products, customers and messages"
          defaultValue={typed}
          className="grow"
        />
        <button type="submit" className="btn">
          Search
        </button>
      </Form>
      <ResultList typed={typed} found={found} />
    </div>
  );
}
