/** What each concept finds of what was typed: of it, only what the role may read. */
import { orderNumber, statusLabel } from "../../../../shop/orders/order.ts";
import { may } from "../../../../shop/staff/permissions.ts";
import type { Role } from "../../../../shop/staff/roles.ts";
import { db } from "../../../database.server.ts";
import type { Found } from "./found.tsx";

const SHOWN = 5;
const MAX_TYPED = 100;

async function orders(search: string, role: Role): Promise<Found[number]> {
  const { listOrderPage } = await import("../../../../shop/fulfillment/order-list.server.ts");
  const searchesEmails = may(role, "orders:sums");
  const { orders: found } = await listOrderPage(db, { search, searchesEmails }, null, SHOWN);
  const items = found.map(({ id, firstName, lastName, status }) => ({
    path: `/admin/orders/${id}`,
    label: `${orderNumber(id)} ${firstName} ${lastName}`,
    detail: statusLabel(status),
  }));
  return { title: "Orders", items };
}

async function products(search: string): Promise<Found[number]> {
  const { listDeskProducts } = await import("../../../../shop/catalog/desk/desk-list.server.ts");
  const filter = { search, category: null, color: null, state: null, sort: "name", after: null } as const;
  const { rows } = await listDeskProducts(db, filter);
  const items = rows.slice(0, SHOWN).map(({ id, name, units }) => ({
    path: `/admin/products/${id}`,
    label: name,
    detail: `${units} in stock`,
  }));
  return { title: "Products", items };
}

async function customers(search: string): Promise<Found[number]> {
  const { listCustomers } = await import("../../../../shop/accounts/list-customers.server.ts");
  const found = await listCustomers(db, search);
  const items = found
    .slice(0, SHOWN)
    .map(({ id, name, email }) => ({ path: `/admin/customers/${id}`, label: name, detail: email }));
  return { title: "Customers", items };
}

async function messages(search: string): Promise<Found[number]> {
  const { listMessages } = await import("../../../../shop/support/thread/list-messages.server.ts");
  const found = await listMessages(db, { status: "all", search });
  const items = found
    .slice(0, SHOWN)
    .map(({ id, name, email }) => ({ path: `/admin/messages/${id}`, label: name, detail: email }));
  return { title: "Messages", items };
}

/** The first few of each kind. */
export async function findAll(typed: string, role: Role): Promise<Found> {
  const search = typed.trim().slice(0, MAX_TYPED);
  if (search.length < 2) return [];
  return Promise.all([
    orders(search, role),
    ...(may(role, "products:read") ? [products(search)] : []),
    ...(may(role, "customers:read") ? [customers(search)] : []),
    ...(may(role, "messages:read") ? [messages(search)] : []),
  ]);
}
