/** The lists of orders, as lines to read. */
import type { Database } from "../../db/connection.server.ts";
import { listUnmatchedEvents } from "../../shop/fulfillment/desk.server.ts";
import { listOrderPage, type ListedOrder } from "../../shop/fulfillment/order-list.server.ts";
import { VIEW_NAMES, VIEWS } from "../../shop/fulfillment/views.ts";
import { formatMoney } from "../../shop/money.ts";
import { ORDER_STATUSES } from "../../shop/orders/lifecycle.ts";
import { orderNumber } from "../../shop/orders/order.ts";
import { moment } from "./show.ts";

const lineOf = ({ id, status, totalCents, createdAt, captureBefore }: ListedOrder) =>
  `  ${orderNumber(id)}  ${status.padEnd(10)}  ${formatMoney(totalCents).padStart(10)}  placed ${moment(createdAt)}` +
  (captureBefore ? `, charge before ${moment(captureBefore)}` : "");

/** At most so many of each list. */
const LISTED = 100;

const titled = (title: string, lines: string[]) => `${title} (${lines.length})\n${lines.join("\n")}`;

async function work(db: Database): Promise<string> {
  const parts = [];
  for (const view of VIEW_NAMES) {
    const { orders } = await listOrderPage(db, { view }, null, LISTED);
    if (orders.length > 0) parts.push(titled(VIEWS[view].title, orders.map(lineOf)));
  }
  const events = await listUnmatchedEvents(db);
  const told = events.map(({ type, reference, receivedAt }) => `  ${type}  ${reference}  ${moment(receivedAt)}`);
  if (told.length > 0) parts.push(titled("Events about payments that the shop does not know", told));
  return parts.length > 0 ? parts.join("\n\n") : "Nothing needs a hand.";
}

/** What needs a hand, or the newest orders of a status. Null where there is no such status. */
export function list(status?: string): ((db: Database) => Promise<string>) | null {
  if (status === undefined) return work;
  const known = ORDER_STATUSES.find((each) => each === status);
  if (!known) return null;
  return async (db) => {
    const { orders } = await listOrderPage(db, { status: known }, null, LISTED);
    return orders.length > 0 ? orders.map(lineOf).join("\n") : `No order is ${known}.`;
  };
}
