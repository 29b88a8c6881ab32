/** Work that waits for the staff, by section. */
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import type { Counted } from "#db/lists.sql.ts";
import { type Arrival, arrivals, refusedOrders, sumsByDay, type Day } from "#shop/analytics/analytics.server.ts";
import { clock } from "#shop/clock.ts";
import { countOrders, listOrderPage, listUnmatchedEvents } from "#shop/fulfillment/order-list.server.ts";
import { VIEWS, type ViewName } from "#shop/fulfillment/views.ts";
import { listLowStock } from "#shop/inventory/stock.server.ts";
import { ALERTS, alertsOf } from "#shop/health/health.ts";
import { readHealth } from "#shop/health/health.server.ts";
import { listFailedEmails } from "#shop/mail/failed-emails.server.ts";
import { KIND_WORDS, urgency } from "#shop/privacy/request.ts";
import { requestsDue } from "#shop/privacy/requests.server.ts";
import { formatMoney } from "#shop/money.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { KIND_WORDS as RETURN_KINDS, STATE_WORDS } from "#shop/returns/return.ts";
import { dueReturns } from "#shop/returns/returns.server.ts";
import { countWaitingMessages, listWaitingMessages } from "#shop/support/thread/list-messages.server.ts";
import { may, type Permission } from "#shop/staff/permissions.ts";
import type { Role } from "#shop/roles.ts";
import { loadMissing } from "../go-live/load.server.ts";
import { rowOf, type OrderRow } from "../orders/load.server.ts";
import { countLabel } from "#app/ui/admin/table.tsx";
import { dayWords } from "#app/ui/admin/when.tsx";
import { dueOf } from "../returns/due.ts";

export type Item = { key: string; label: string; href?: string | undefined; text: string; at?: Date; isDay?: boolean };
type Content = { count: string; isUrgent: boolean } & ({ orders: OrderRow[] } | { items: Item[] });
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

const URGENT: ViewName[] = ["soon", "late", "problems", "parcels", "refund-due"];

type OtherView = { title?: string; except?: ViewName[] };

function ofView(view: ViewName, needs: Permission, { title = VIEWS[view].title, except }: OtherView = {}): Source {
  return {
    key: view,
    title,
    href: `/admin/orders?view=${view}`,
    needs,
    async load(role) {
      const { orders, next } = await listOrderPage(db, { view, except }, null, SHOWN);
      const { count, hasMore } = next
        ? await countOrders(db, { view, except })
        : { count: orders.length, hasMore: false };
      const sums = may(role, "orders:sums");
      return {
        count: countLabel(count, hasMore),
        isUrgent: URGENT.includes(view),
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

async function lowStock(): Promise<Content> {
  const { products, count } = await listLowStock(db, SHOWN);
  const items = products.map(({ id, name, units }) => ({
    key: id,
    label: name,
    href: `/admin/products/${id}`,
    text: units === 0 ? "Sold out" : `${units} available`,
  }));
  return { count: countLabel(count), isUrgent: false, items };
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
  const items = due.map(({ id, number, kind, state, due: { on, tone } }) => ({
    key: id,
    label: number,
    href: `/admin/returns/${id}`,
    text: `${RETURN_KINDS[kind]}, ${STATE_WORDS[state].toLowerCase()}${tone === "late" ? ", overdue" : ""}${on ? `, due ${dayWords(on)}` : ""}`,
  }));
  return { count: countLabel(count), isUrgent: due.some(({ due: { tone } }) => tone === "late"), items };
}

async function refusals(): Promise<Content> {
  const days = await refusedOrders(db);
  const items = days.map(({ day, count }) => ({
    key: day,
    label: dayWords(day),
    text: `${count === 1 ? "One order was" : `${count} orders were`} refused: too many from one network, email or account.`,
  }));
  return { count: countLabel(days.reduce((sum, { count }) => sum + count, 0)), isUrgent: true, items };
}

async function privacyRequests(): Promise<Content> {
  const { count, late, first } = await requestsDue(db);
  const items = first.map(({ id, kind, dueAt }) => ({
    key: id,
    label: KIND_WORDS[kind],
    href: `/admin/privacy/${id}`,
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

/** Most urgent first. */
const SECTIONS: Source[] = [
  { key: "alerts", title: "Alerts", needs: "alerts:read", load: alerts },
  ofView("soon", "orders:read"),
  // Orders that ship soon stand once.
  ofView("late", "orders:read", { title: "Late, not ready to ship", except: ["soon"] }),
  ofView("problems", "orders:sums"),
  ofView("parcels", "orders:read"),
  ofView("refund-due", "orders:refund"),
  ofView("arrange", "orders:sums"),
  ofView("expiring", "orders:sums", { except: ["soon"] }),
  { key: "unmatched", title: "Unmatched payment events", needs: "orders:sums", load: unmatchedEvents },
  { key: "refused", title: "Orders refused by limits", needs: "analytics:read", load: refusals },
  ofView("to-ship", "orders:read", { title: "Ship later", except: ["soon"] }),
  ofView("hold", "orders:read"),
  {
    key: "privacy",
    title: "Privacy requests due",
    href: "/admin/privacy",
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

type Happened = { label: string; href: string; today: string; yesterday: string };

/** Numbers of today beside yesterday in New York, those that the role may read. */
export async function loadHappened(role: Role): Promise<Happened[]> {
  const [[yesterday, today], arrived] = await Promise.all([
    may(role, "analytics:read") ? sumsByDay(db, { days: 2 }) : [],
    arrivals(db),
  ]);
  const ofSums = (label: string, href: string, of: (day: Day) => string) =>
    today && yesterday ? [{ label, href, today: of(today), yesterday: of(yesterday) }] : [];
  const ofArrivals = (label: string, href: string, needs: Permission, name: Arrival) => {
    const { today: now, yesterday: before } = arrived[name];
    return may(role, needs) ? [{ label, href, today: countLabel(now), yesterday: countLabel(before) }] : [];
  };
  return [
    ofSums("Sales", "/admin/analytics", ({ soldCents }) => formatMoney(soldCents)),
    ofSums("Orders", "/admin/orders", ({ order }) => countLabel(order)),
    ofSums("Refunds", "/admin/analytics", ({ refundedCents }) => formatMoney(refundedCents)),
    ofSums("Visits", "/admin/analytics", ({ visit }) => countLabel(visit)),
    ofArrivals("Messages", "/admin/messages", "messages:read", "messages"),
    ofArrivals("Returns", "/admin/returns", "returns:read", "returns"),
    ofArrivals("Accounts", "/admin/customers", "customers:read", "customers"),
    ofArrivals("Waitlist", "/admin/waitlist", "waitlist:read", "waitlist"),
  ].flat();
}

/** Counts in the menu, by address: what waits on a screen. Zero shows nothing. */
export async function menuCounts(role: Role): Promise<Record<string, string>> {
  const sources: [string, Permission, () => Promise<Counted>][] = [
    ["/admin/orders", "orders:read", () => countOrders(db, { view: "to-ship" })],
    ["/admin/messages", "messages:read", () => countWaitingMessages(db)],
    ["/admin/returns", "returns:read", async () => ({ ...(await dueReturns(db, 0)), hasMore: false })],
    ["/admin/privacy", "privacy:handle", async () => ({ ...(await requestsDue(db)), hasMore: false })],
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
