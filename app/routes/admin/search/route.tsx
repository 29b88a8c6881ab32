/** Search page, and the data of the search box. */
import { Form } from "react-router";
import { listCustomers } from "#shop/customers/customers.server.ts";
import { listAllProducts } from "#shop/catalog/back-office/product-list.server.ts";
import { listOrderPage } from "#shop/fulfillment/order-list.server.ts";
import { formatMoney } from "#shop/money.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { readReturnNumber } from "#shop/returns/return.ts";
import { findReturn } from "#shop/returns/returns.server.ts";
import type { Section } from "#shop/settings/settings.ts";
import { may } from "#shop/staff/permissions.ts";
import type { Role } from "#shop/roles.ts";
import { listMessages } from "#shop/support/thread/list-messages.server.ts";
import { db } from "#platform/database.server.ts";
import { staffOf } from "#app/session/staff.server.ts";
import { Control } from "#app/ui/admin/field.tsx";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import { dayWords } from "#app/ui/admin/when.tsx";
import { ADMIN_ACCESS, menuFor, type MenuItem } from "../access.ts";
import { rowOf } from "../orders/load.server.ts";
import { customerPath } from "../customers/history.tsx";
import { SECTIONS } from "../settings/sections.ts";
import { listTexts } from "../texts/state.server.ts";
import type { Route } from "./+types/route.ts";
import { ResultList, type Found } from "./box.tsx";

const SHOWN = 5;
const MAX_TYPED = 100;

/** The list that has what the search leaves out. */
const listOf = (path: string, search: string) => `${path}?${new URLSearchParams({ q: search })}`;

async function orders(search: string, role: Role): Promise<Found[number]> {
  const sums = may(role, "orders:sums");
  const { orders: found, next } = await listOrderPage(db, { search, searchesContacts: sums }, null, SHOWN);
  const items = found.map((order) => {
    const { id, number, name, createdAt, totalCents, status } = rowOf(order, { sums });
    const sum = totalCents === undefined ? [] : [formatMoney(totalCents)];
    const detail = [dayWords(newYorkDay(createdAt)), ...sum, status.word].join(", ");
    return { path: `/admin/orders/${id}`, label: `${number} ${name}`, detail };
  });
  return { title: "Orders", items, all: next && listOf("/admin/orders", search) };
}

async function products(search: string): Promise<Found[number]> {
  const filter = { search, category: null, color: null, state: null, sort: "name", after: null } as const;
  const { rows } = await listAllProducts(db, filter);
  const items = rows.slice(0, SHOWN).map(({ id, name, units }) => ({
    path: `/admin/products/${id}`,
    label: name,
    detail: `${units} in stock`,
  }));
  return { title: "Products", items, all: rows.length > SHOWN && listOf("/admin/products", search) };
}

async function customers(search: string): Promise<Found[number]> {
  const { rows: found } = await listCustomers(db, { search });
  const items = found.slice(0, SHOWN).map((customer) => ({
    path: customerPath(customer),
    label: customer.name || customer.email,
    detail: customer.name && customer.email,
  }));
  return { title: "Customers", items, all: found.length > SHOWN && listOf("/admin/customers", search) };
}

async function messages(search: string): Promise<Found[number]> {
  const found = await listMessages(db, { status: "all", search });
  const items = found
    .slice(0, SHOWN)
    .map(({ id, name, email }) => ({ path: `/admin/messages/${id}`, label: name || email, detail: name && email }));
  return { title: "Messages", items, all: found.length > SHOWN && listOf("/admin/messages", search) };
}

async function returns(search: string): Promise<Found[number]> {
  const number = readReturnNumber(search);
  const id = await findReturn(db, number);
  return { title: "Returns", items: id ? [{ path: `/admin/returns/${id}`, label: number, detail: "Return" }] : [] };
}

/** True if each typed word begins a word of `names`. */
function begins(search: string, names: string): boolean {
  const words = ` ${names.toLowerCase()}`;
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(` ${word}`));
}

async function texts(search: string): Promise<Found[number]> {
  const found = (await listTexts()).flatMap(([, rows]) => rows).filter(({ title }) => begins(search, title));
  const items = found
    .slice(0, SHOWN)
    .map(({ key, title, group }) => ({ path: `/admin/texts/${key}`, label: title, detail: group }));
  return { title: "Texts", items, all: found.length > SHOWN && listOf("/admin/texts", search) };
}

/** Sections of the settings, by their own names and those of their fields. */
function settings(search: string): Found[number] {
  const items = (Object.keys(SECTIONS) as Section[]).flatMap((section) => {
    const { title, fields } = SECTIONS[section];
    const found = begins(search, title)
      ? { label: "Section" }
      : fields
          .map(({ group = "", label, hint = "" }) => ({ label: `${group} ${label}`.trim(), hint }))
          .find(({ label, hint }) => begins(search, `${title} ${label} ${hint}`));
    return found ? [{ path: `/admin/settings#${section}`, label: title, detail: found.label }] : [];
  });
  return { title: "Settings", items };
}

/** Screens that are not in the menu. */
const OTHER_PAGES: MenuItem[] = [
  { path: "/admin/emails", label: "Failed emails" },
  { path: "/admin/messages/saved", label: "Saved replies" },
  { path: "/admin/legal", label: "Privacy requests" },
  { path: "/admin/legal", label: "Arbitration opt-outs" },
];

function pages(search: string, role: Role): Found[number] {
  const others = OTHER_PAGES.filter(({ path }) => may(role, ADMIN_ACCESS[path]!.read));
  const items = [...menuFor(role), ...others]
    .filter(({ label }) => begins(search, label))
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
    ...(may(role, "returns:read") ? [returns(search)] : []),
    ...(may(role, "texts:edit") ? [texts(search)] : []),
  ]);
  return [pages(search, role), ...records, ...(may(role, "settings:read") ? [settings(search)] : [])];
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
          key={typed}
          as="input"
          name="q"
          type="search"
          label="Search the back office"
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
