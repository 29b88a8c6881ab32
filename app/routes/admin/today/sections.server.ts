/** What needs a hand today, as sections of one kind: another one is another entry of SECTIONS. */
import { db } from "../../../database.server.ts";
import { listUnmatchedEvents } from "../../../../shop/fulfillment/desk.server.ts";
import { countOrders, listOrderPage } from "../../../../shop/fulfillment/order-list.server.ts";
import { VIEWS, type ViewName } from "../../../../shop/fulfillment/views.ts";
import { listLowStock } from "../../../../shop/inventory/low-stock.server.ts";
import { listFailedEmails } from "../../../../shop/mail/failed.server.ts";
import { requestsDue } from "../../../../shop/privacy/requests.server.ts";
import { COUNTED_MESSAGES, messagesNeedingHand } from "../../../../shop/support/thread/list-messages.server.ts";
import { may, type Permission } from "../../../../shop/staff/permissions.ts";
import type { Role } from "../../../../shop/staff/roles.ts";
import { countWords, rowOf, type OrderRow } from "../orders/load.server.ts";

export type Item = { key: string; label: string; href?: string | undefined; text: string; at?: Date };
export type Section = {
  key: string;
  title: string;
  /** "10,000+" */
  count: string;
  /** Where all of them are. */
  href?: string;
  isUrgent: boolean;
} & ({ orders: OrderRow[] } | { items: Item[] });

const SHOWN = 5;
/** Of these, more are not counted. */
const LISTED = 100;

const listed = (count: number) => countWords({ count, hasMore: count >= LISTED });

async function ofView(view: ViewName, role: Role): Promise<Section | null> {
  const [{ orders }, counted] = await Promise.all([
    listOrderPage(db, { view }, null, SHOWN),
    countOrders(db, { view }),
  ]);
  if (counted.count === 0) return null;
  const sums = may(role, "orders:sums");
  return {
    key: view,
    title: VIEWS[view].title,
    count: countWords(counted),
    href: `/admin/orders?view=${view}`,
    isUrgent: view === "soon" || view === "problems",
    orders: orders.map((order) => rowOf(order, { sums })),
  };
}

async function unmatched(): Promise<Section | null> {
  const events = await listUnmatchedEvents(db);
  if (events.length === 0) return null;
  const items = events.slice(0, SHOWN).map(({ eventId, type, reference, receivedAt }) => ({
    key: eventId,
    label: type,
    text: `About ${reference}, which is no payment of ours.`,
    at: receivedAt,
  }));
  return {
    key: "unmatched",
    title: "Payment events that belong to no order",
    count: listed(events.length),
    isUrgent: true,
    items,
  };
}

async function failedEmails(): Promise<Section | null> {
  const failed = await listFailedEmails(db, LISTED);
  if (failed.length === 0) return null;
  const items = failed.slice(0, SHOWN).map(({ id, template, orderId, at, error }) => ({
    key: id,
    label: template.replaceAll("-", " "),
    ...(orderId && { href: `/admin/orders/${orderId}` }),
    text: error ? `Given up after two days: ${error}.` : "Given up after two days.",
    at,
  }));
  return {
    key: "emails",
    title: "Emails that did not go out",
    count: listed(failed.length),
    isUrgent: true,
    items,
  };
}

async function lowStock(): Promise<Section | null> {
  const { products, count } = await listLowStock(db, SHOWN);
  if (count === 0) return null;
  const items = products.map(({ id, name, units }) => ({
    key: id,
    label: name,
    href: `/admin/products/${id}`,
    text: units === 0 ? "Sold out" : `${units} left`,
  }));
  return { key: "stock", title: "Low stock", count: countWords({ count, hasMore: false }), isUrgent: false, items };
}

async function messages(): Promise<Section | null> {
  const { count, oldest } = await messagesNeedingHand(db);
  if (count === 0) return null;
  const items = oldest.map(({ id, name, createdAt }) => ({
    key: id,
    label: name,
    href: `/admin/messages/${id}`,
    text: "Waits for an answer.",
    at: createdAt,
  }));
  const hasMore = count > COUNTED_MESSAGES;
  const counted = countWords({ count: Math.min(count, COUNTED_MESSAGES), hasMore });
  return {
    key: "messages",
    title: "Messages older than a day",
    count: counted,
    href: "/admin/messages",
    isUrgent: false,
    items,
  };
}

async function privacyRequests(): Promise<Section | null> {
  const { count, late, first } = await requestsDue(db);
  if (count === 0) return null;
  const items = first.map(({ id, kind, dueAt }) => ({
    key: id,
    label: kind === "deletion" ? "Delete somebody's data" : "Send somebody their data",
    href: `/admin/privacy/${id}`,
    text: dueAt < new Date() ? "Was due" : "Is due",
    at: dueAt,
  }));
  return {
    key: "privacy",
    title: "Privacy requests due",
    count: countWords({ count, hasMore: false }),
    href: "/admin/privacy",
    isUrgent: late > 0,
    items,
  };
}

type Load = (role: Role) => Promise<Section | null>;

/** The most urgent first. */
const SECTIONS: { needs: Permission; load: Load }[] = [
  { needs: "orders:read", load: (role) => ofView("soon", role) },
  { needs: "orders:sums", load: (role) => ofView("problems", role) },
  { needs: "orders:sums", load: unmatched },
  { needs: "orders:read", load: (role) => ofView("to-ship", role) },
  { needs: "orders:read", load: (role) => ofView("rest", role) },
  { needs: "orders:read", load: (role) => ofView("hold", role) },
  { needs: "privacy:handle", load: privacyRequests },
  { needs: "messages:read", load: messages },
  { needs: "products:read", load: lowStock },
  { needs: "orders:email", load: failedEmails },
];

/** Those that have something in them, of what the role may read. */
export async function loadToday(role: Role): Promise<Section[]> {
  const sections = await Promise.all(SECTIONS.filter(({ needs }) => may(role, needs)).map(({ load }) => load(role)));
  return sections.filter((section) => section !== null);
}
