/** Work that waits for the staff, by section. */
import { counted } from "#shop/units.ts";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import type { Counted } from "#db/lists.sql.ts";
import { refusedOrders, runningOut, sumsByDay, type Day } from "#shop/analytics/analytics.server.ts";
import { SOON_OUT_DAYS } from "#shop/analytics/events.ts";
import { LOW_STOCK_LIMIT } from "#shop/catalog/stock.ts";
import { clock } from "#shop/clock.ts";
import { countOrders, listOrderPage } from "#shop/fulfillment/order-list.server.ts";
import { listUnmatchedEvents } from "#shop/payments/inbox.server.ts";
import { DAY_VIEWS, isByDay, VIEWS, type ViewName } from "#shop/fulfillment/views.ts";
import { listLowStock } from "#shop/inventory/stock.server.ts";
import { ALERTS, alertsOf } from "#shop/health/health.ts";
import { readHealth } from "#shop/health/health.server.ts";
import { listFailedEmails } from "#shop/mail/failed-emails.server.ts";
import { KIND_WORDS, urgency } from "#shop/privacy/request.ts";
import { requestsDue } from "#shop/privacy/requests.server.ts";
import { listDifferences } from "#shop/orders/check-orders.server.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { formatMoney } from "#shop/money.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { KIND_WORDS as RETURN_KINDS } from "#shop/returns/return.ts";
import { dueReturns } from "#shop/returns/returns.server.ts";
import { countWaitingMessages, listWaitingMessages } from "#shop/support/thread/list-messages.server.ts";
import { may, type Permission } from "#shop/staff/permissions.ts";
import { withUnit } from "#shop/units.ts";
import type { Role } from "#shop/roles.ts";
import { loadMissing } from "../go-live/load.server.ts";
import { rowOf, type OrderRow } from "../orders/load.server.ts";
import { countLabel } from "#app/ui/admin/table.tsx";
import { dayWords } from "#app/ui/admin/when.tsx";
import { dueOf, stateWords } from "../returns/due.ts";

export type Item = { key: string; label: string; href?: string | undefined; text: string; at?: Date; isDay?: boolean };
type Orders = { orders: OrderRow[]; isByDay: boolean };
type Content = { count: string; isUrgent: boolean } & (Orders | { items: Item[] });
type Heading = {
  key: string;
  title: string;
  /** Link to the full list. */
  href?: string;
};
export type Section = Heading & Content;

const SHOWN = 5;
const LISTED = 100;

const listed = (found: unknown[]) => countLabel(found.length, found.length >= LISTED);

const URGENT: ViewName[] = ["problems", "parcels", "refund-due"];

/** Orders to ship of a day or more: those that something keeps from shipping come first. */
export type DayGroup = { view: ViewName; title: string; count: string; isUrgent: boolean; orders: OrderRow[] };

async function dayGroup(view: ViewName, role: Role): Promise<DayGroup> {
  const [blocked, ready, { count, hasMore }] = await Promise.all([
    listOrderPage(db, { view, isBlocked: true }, null, SHOWN),
    listOrderPage(db, { view, isBlocked: false }, null, SHOWN),
    countOrders(db, { view }),
  ]);
  const sums = may(role, "orders:sums");
  return {
    view,
    title: VIEWS[view].title,
    count: countLabel(count, hasMore),
    isUrgent: view === "late" || view === "today",
    orders: [...blocked.orders, ...ready.orders].slice(0, SHOWN).map((order) => rowOf(order, { sums })),
  };
}

/** Orders to ship by their day. Days without any are left out. */
export async function loadDays(role: Role): Promise<DayGroup[]> {
  if (!may(role, "orders:read")) return [];
  const groups = await Promise.all(DAY_VIEWS.map((view) => dayGroup(view, role)));
  return groups.filter(({ orders }) => orders.length > 0);
}

function ofView(view: ViewName, needs: Permission): Source {
  return {
    key: view,
    title: VIEWS[view].title,
    href: `/admin/orders?view=${view}`,
    needs,
    async load(role) {
      const { orders, next } = await listOrderPage(db, { view }, null, SHOWN);
      const { count, hasMore } = next ? await countOrders(db, { view }) : { count: orders.length, hasMore: false };
      const sums = may(role, "orders:sums");
      return {
        count: countLabel(count, hasMore),
        isUrgent: URGENT.includes(view),
        isByDay: isByDay(view),
        orders: orders.map((order) => rowOf(order, { sums })),
      };
    },
  };
}

async function unmatchedEvents(): Promise<Content> {
  const events = await listUnmatchedEvents(db);
  const items = events.slice(0, SHOWN).map(({ eventId, type, reference, receivedAt }) => ({
    key: eventId,
    label: type,
    text: `Reference ${reference} does not match any payment.`,
    at: receivedAt,
  }));
  return { count: listed(events), isUrgent: true, items };
}

async function alerts(): Promise<Content> {
  // Failed emails have a section of their own, for more roles.
  const found = alertsOf(await readHealth(db, config().watched)).filter((name) => name !== "emails");
  const items = found.map((name) => ({ key: name, label: ALERTS[name].title, text: ALERTS[name].text }));
  return { count: countLabel(found.length), isUrgent: true, items };
}

async function differences(): Promise<Content> {
  const found = await listDifferences(db, LISTED);
  const items = found.slice(0, SHOWN).map(({ orderId, problems, foundAt }) => ({
    key: orderId,
    label: orderNumber(orderId),
    href: `/admin/orders/${orderId}`,
    text: `${problems.join("; ")}.`,
    at: foundAt,
  }));
  return { count: listed(found), isUrgent: true, items };
}

async function failedEmails(): Promise<Content> {
  const failed = await listFailedEmails(db, LISTED);
  const items = failed.slice(0, SHOWN).map(({ id, template, orderId, at, error }) => ({
    key: id,
    label: template.replaceAll("-", " "),
    ...(orderId && { href: `/admin/orders/${orderId}` }),
    text: `Failed after two days of retries${error ? `: ${error}` : ""}.`,
    at,
  }));
  return { count: listed(failed), isUrgent: true, items };
}

/** Few units, or more that sell out within days at the present rate. */
async function lowStock(): Promise<Content> {
  const [{ products, count }, forecast] = await Promise.all([listLowStock(db, SHOWN), runningOut(db)]);
  const daysLeft = new Map(forecast.map((product) => [product.id, product.daysLeft]));
  const soon = forecast.filter((product) => product.stock > LOW_STOCK_LIMIT && product.daysLeft < SOON_OUT_DAYS);
  const words = (id: string, units: number) => {
    const days = daysLeft.get(id) ?? Infinity;
    if (units === 0) return "Sold out";
    if (days >= SOON_OUT_DAYS) return `${units} available`;
    return `${units} available, sells out ${days === 0 ? "today" : `in ${withUnit(days, "day")}`}`;
  };
  const items = [...products, ...soon.map(({ stock: units, ...product }) => ({ ...product, units }))]
    .slice(0, SHOWN)
    .map(({ id, name, units }) => ({
      key: id,
      label: name,
      href: `/admin/products/${id}`,
      text: words(id, units),
    }));
  return { count: countLabel(count + soon.length), isUrgent: false, items };
}

const DAY_MS = 86_400_000;

async function waitingMessages(): Promise<Content> {
  const { count, hasMore, oldest } = await listWaitingMessages(db);
  const isOverdue = (at: Date) => clock.now().getTime() - at.getTime() > DAY_MS;
  const items = oldest.map(({ id, name, waitsSince }) => ({
    key: id,
    label: name,
    href: `/admin/messages/${id}`,
    text: isOverdue(waitsSince) ? "Has waited for more than a day" : "Waiting for a reply",
    at: waitsSince,
  }));
  return { count: countLabel(count, hasMore), isUrgent: oldest.some(({ waitsSince }) => isOverdue(waitsSince)), items };
}

async function returnsDue(): Promise<Content> {
  const { returns, count } = await dueReturns(db, SHOWN);
  const today = newYorkDay(clock.now());
  const due = returns.map((row) => ({ ...row, due: dueOf(row, today) }));
  const items = due.map(({ id, number, kind, state, shipBy, due: { on, tone } }) => ({
    key: id,
    label: number,
    href: `/admin/returns/${id}`,
    text: `${RETURN_KINDS[kind]}, ${stateWords({ state, shipBy }).toLowerCase()}${tone === "late" ? ", overdue" : ""}${on ? `, due ${dayWords(on)}` : ""}`,
  }));
  return { count: countLabel(count), isUrgent: due.some(({ due: { tone } }) => tone === "late"), items };
}

async function refusals(): Promise<Content> {
  const days = await refusedOrders(db);
  const items = days.map(({ day, count }) => ({
    key: day,
    label: dayWords(day),
    text: `${counted(count, "order")} refused: too many from one network, email or account.`,
  }));
  return { count: countLabel(days.reduce((sum, { count }) => sum + count, 0)), isUrgent: true, items };
}

async function privacyRequests(): Promise<Content> {
  const { count, late, first } = await requestsDue(db);
  const items = first.map(({ id, kind, dueAt }) => ({
    key: id,
    label: KIND_WORDS[kind],
    href: `/admin/legal/${id}`,
    text: urgency(dueAt, clock.now()) === "late" ? "Overdue since" : "Due",
    at: dueAt,
    isDay: true,
  }));
  return { count: countLabel(count), isUrgent: late > 0, items };
}

async function goLive(): Promise<Content> {
  const missing = await loadMissing();
  const items = missing.slice(0, SHOWN).map(({ key, title, text, at }) => ({
    key,
    label: title,
    href: "/admin/go-live",
    text,
    ...(at && { at }),
  }));
  return { count: countLabel(missing.length), isUrgent: false, items };
}

type Source = Heading & { needs: Permission; load: (role: Role) => Promise<Content> };

/** Work besides the orders of each day, most urgent first. */
const SECTIONS: Source[] = [
  { key: "alerts", title: "Alerts", needs: "alerts:read", load: alerts },
  { key: "differences", title: "Orders that do not add up", needs: "orders:sums", load: differences },
  ofView("problems", "orders:sums"),
  ofView("parcels", "orders:read"),
  ofView("refund-due", "orders:refund"),
  ofView("arrange", "orders:sums"),
  ofView("expiring", "orders:sums"),
  { key: "unmatched", title: "Unmatched payment events", needs: "orders:sums", load: unmatchedEvents },
  { key: "refused", title: "Orders refused by limits", needs: "analytics:read", load: refusals },
  ofView("hold", "orders:read"),
  {
    key: "privacy",
    title: "Privacy requests due",
    href: "/admin/legal",
    needs: "privacy:handle",
    load: privacyRequests,
  },
  { key: "returns", title: "Returns to handle", href: "/admin/returns", needs: "returns:read", load: returnsDue },
  {
    key: "messages",
    title: "Messages to answer",
    href: "/admin/messages",
    needs: "messages:read",
    load: waitingMessages,
  },
  { key: "stock", title: "Low stock", needs: "products:read", load: lowStock },
  { key: "emails", title: "Failed emails", href: "/admin/emails", needs: "orders:email", load: failedEmails },
  { key: "go-live", title: "To go live", href: "/admin/go-live", needs: "go-live:check", load: goLive },
];

/** Sections with items that the role may read. */
export async function loadToday(role: Role): Promise<Section[]> {
  const sections = await Promise.all(
    SECTIONS.filter(({ needs }) => may(role, needs)).map(async ({ load, needs: _needs, ...heading }) => ({
      ...heading,
      ...(await load(role)),
    })),
  );
  return sections.filter((section) => ("orders" in section ? section.orders : section.items).length > 0);
}

type Tile = { label: string; href: string; value: string; note: string };

/** Sales and orders of today beside yesterday in New York, and what waits, as far as the role may read them. */
export async function loadTiles(role: Role, days: DayGroup[]): Promise<Tile[]> {
  const [[yesterday, today], toShip, waiting] = await Promise.all([
    may(role, "analytics:read") ? sumsByDay(db, { days: 2 }) : [],
    countOrders(db, { view: "to-ship" }),
    countWaitingMessages(db),
  ]);
  const ofSums = (label: string, href: string, of: (day: Day) => string): Tile[] =>
    today && yesterday ? [{ label, href, value: of(today), note: `Yesterday ${of(yesterday)}` }] : [];
  const ofWork = (label: string, href: string, needs: Permission, { count, hasMore }: Counted, note: string): Tile[] =>
    may(role, needs) ? [{ label, href, value: countLabel(count, hasMore), note }] : [];
  const late = days.find(({ view }) => view === "late");
  return [
    ofSums("Sales today", "/admin/analytics", ({ soldCents }) => formatMoney(soldCents)),
    ofSums("Orders today", "/admin/orders", ({ order }) => countLabel(order)),
    ofWork("To ship", "/admin/orders?view=to-ship", "orders:read", toShip, `${late?.count ?? "None"} late`),
    ofWork("Messages", "/admin/messages", "messages:read", waiting, "To answer"),
  ].flat();
}

/** Counts in the menu, by address: what waits on a screen. Zero shows nothing. */
export async function menuCounts(role: Role): Promise<Record<string, string>> {
  const sources: [string, Permission, () => Promise<Counted>][] = [
    ["/admin/orders", "orders:read", () => countOrders(db, { view: "to-ship" })],
    ["/admin/messages", "messages:read", () => countWaitingMessages(db)],
    ["/admin/returns", "returns:read", async () => ({ ...(await dueReturns(db, 0)), hasMore: false })],
    ["/admin/legal", "privacy:handle", async () => ({ ...(await requestsDue(db)), hasMore: false })],
  ];
  const counts = await Promise.all(
    sources
      .filter(([, needs]) => may(role, needs))
      .map(async ([path, , load]) => {
        const { count, hasMore } = await load();
        return [path, count > 0 ? countLabel(count, hasMore) : ""] as const;
      }),
  );
  return Object.fromEntries(counts);
}
