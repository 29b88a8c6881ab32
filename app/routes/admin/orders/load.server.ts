/** Loads the orders list without fields that the role may not read. */
import type { RouterContextProvider } from "react-router";
import { db } from "#platform/database.server.ts";
import { carrierProvider } from "#shop/carriers/open-carrier.server.ts";
import { findProductByName } from "#shop/catalog/catalog.server.ts";
import { clock } from "#shop/clock.ts";
import { countOrders, type ListedOrder, listOrderPage, type OrderFilter } from "#shop/fulfillment/order-list.server.ts";
import { isByDay, VIEW_NAMES } from "#shop/fulfillment/views.ts";
import { isDay } from "#shop/new-york-time.ts";
import { ORDER_STATUSES, PAYMENT_STATUSES } from "#shop/orders/lifecycle.ts";
import { orderNumber } from "#shop/orders/order.ts";
import type { Permission } from "#shop/staff/permissions.ts";
import { staffMay } from "#app/session/staff.server.ts";
import { countLabel } from "#app/ui/admin/table.tsx";
import { fastWord, flagsOf, lineWords, paymentWordsOf, shipByOf, statusWordsOf, waitFlags } from "./order-table.tsx";

type Context = Readonly<RouterContextProvider>;

const MAX_SEARCH_CHARACTERS = 100;

export function rowOf(order: ListedOrder, { sums }: { sums: boolean }, now = clock.now()) {
  const { id, createdAt, firstName, lastName, city, contents, totalCents } = order;
  return {
    id,
    number: orderNumber(id),
    createdAt,
    name: `${firstName} ${lastName}`.trim() || "Deleted customer",
    city,
    units: contents.reduce((sum, { units }) => sum + units, 0),
    what: contents.map(lineWords).join(", "),
    status: statusWordsOf(order),
    fast: fastWord(order),
    shipBy: shipByOf(order, now),
    flags: [...flagsOf(order, now), ...waitFlags(contents)],
    /** Flags beside a column of days to ship. */
    otherFlags: [...flagsOf(order, now, { hasDay: true }), ...waitFlags(contents)],
    ...(sums && { totalCents, payment: paymentWordsOf(order) }),
  };
}
export type OrderRow = ReturnType<typeof rowOf>;

const known = <Value extends string>(values: readonly Value[], text: string | null) =>
  values.find((value) => value === text);

/** Unknown values are ignored. Null if the product does not exist. */
export async function orderFilter(context: Context, query: URLSearchParams): Promise<OrderFilter | null> {
  const sums = staffMay(context, "orders:sums");
  const product = query.get("product")?.trim().slice(0, MAX_SEARCH_CHARACTERS);
  const productId = product ? await findProductByName(db, product) : undefined;
  if (productId === null) return null;
  const day = (name: string) => {
    const text = query.get(name) ?? "";
    return isDay(text) ? text : undefined;
  };
  return {
    view: known(VIEW_NAMES, query.get("view")),
    status: known(ORDER_STATUSES, query.get("status")),
    payment: sums ? known(PAYMENT_STATUSES, query.get("payment")) : undefined,
    since: day("since"),
    until: day("until"),
    search: query.get("q")?.slice(0, MAX_SEARCH_CHARACTERS),
    searchesContacts: sums,
    productId,
  };
}

const BULK = {
  ship: "orders:ship",
  "label-rates": "orders:ship",
  hold: "orders:note",
  delay: "orders:change",
  cancel: "orders:change",
} as const satisfies Record<string, Permission>;
export type BulkIntent = keyof typeof BULK;

export async function loadOrders(context: Context, query: URLSearchParams) {
  const may = {
    sums: staffMay(context, "orders:sums"),
    export: staffMay(context, "orders:export"),
    place: staffMay(context, "orders:place"),
  };
  const bulk = (Object.keys(BULK) as BulkIntent[]).filter(
    (intent) => staffMay(context, BULK[intent]) && (intent !== "label-rates" || carrierProvider() !== null),
  );
  const filter = await orderFilter(context, query);
  if (!filter) return { may, bulk, rows: [], isByDay: false, next: null, count: countLabel(0) };
  const [page, { count, hasMore }] = await Promise.all([
    listOrderPage(db, filter, query.get("after")),
    countOrders(db, filter),
  ]);
  return {
    may,
    bulk,
    rows: page.orders.map((order) => rowOf(order, may)),
    isByDay: isByDay(filter.view),
    next: page.next,
    count: countLabel(count, hasMore),
  };
}
