/** The list of orders as a role may read it: what it may not is not sent. */
import type { RouterContextProvider } from "react-router";
import { db } from "../../../database.server.ts";
import { findProductByName } from "../../../../shop/catalog/find-by-name.server.ts";
import {
  countOrders,
  listOrderPage,
  type ListedOrder,
  type OrderFilter,
} from "../../../../shop/fulfillment/order-list.server.ts";
import { orderNumber } from "../../../../shop/orders/order.ts";
import { staffMay } from "../../../session/staff.server.ts";
import { readOrderQuery } from "./list-query.ts";
import { flagsOf, PAYMENT_WORDS, STATUS_WORDS } from "./order-words.ts";

type Context = Readonly<RouterContextProvider>;

/** A row of a list, without what the role may not read. */
export function rowOf(order: ListedOrder, { sums }: { sums: boolean }, now = new Date()) {
  const { id, createdAt, firstName, lastName, city, units, what, status, paymentStatus, totalCents } = order;
  return {
    id,
    number: orderNumber(id),
    createdAt,
    name: `${firstName} ${lastName}`.trim() || "Deleted customer",
    city,
    units,
    what,
    status: STATUS_WORDS[status],
    flags: flagsOf(order, now),
    ...(sums && { totalCents, payment: PAYMENT_WORDS[paymentStatus] }),
  };
}
export type OrderRow = ReturnType<typeof rowOf>;

/** The filter of an address. Null where it names a product that there is not: nothing fits then. */
export async function orderFilter(context: Context, query: URLSearchParams): Promise<OrderFilter | null> {
  const { product, ...filter } = readOrderQuery(query);
  const sums = staffMay(context, "orders:sums");
  const productId = product ? await findProductByName(db, product) : undefined;
  if (productId === null) return null;
  return { ...filter, payment: sums ? filter.payment : undefined, searchesEmails: sums, productId };
}

/** "10,000+" */
export const countWords = ({ count, hasMore }: { count: number; hasMore: boolean }) =>
  count.toLocaleString("en-US") + (hasMore ? "+" : "");

export async function loadOrders(context: Context, query: URLSearchParams) {
  const may = {
    sums: staffMay(context, "orders:sums"),
    ship: staffMay(context, "orders:ship"),
    export: staffMay(context, "orders:export"),
  };
  const filter = await orderFilter(context, query);
  const [page, counted] = filter
    ? await Promise.all([listOrderPage(db, filter, query.get("after")), countOrders(db, filter)])
    : [
        { orders: [], next: null, isCut: false },
        { count: 0, hasMore: false },
      ];
  return {
    may,
    rows: page.orders.map((order) => rowOf(order, may)),
    next: page.next,
    isCut: page.isCut,
    count: countWords(counted),
  };
}
