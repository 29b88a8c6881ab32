import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { refusedOrders } from "#shop/analytics/analytics.server.ts";
import { clock } from "#shop/clock.ts";
import { countOrders, listOrderPage, listUnmatchedEvents } from "#shop/fulfillment/order-list.server.ts";
import { VIEWS, type ViewName } from "#shop/fulfillment/views.ts";
import { listLowStock } from "#shop/inventory/stock.server.ts";
import { ALERTS, alertsOf } from "#shop/health/health.ts";
import { readHealth } from "#shop/health/health.server.ts";
import { listFailedEmails } from "#shop/mail/failed-emails.server.ts";
import { KIND_WORDS, urgency } from "#shop/privacy/request.ts";
import { requestsDue } from "#shop/privacy/requests.server.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { KIND_WORDS as RETURN_KINDS, STATE_WORDS } from "#shop/returns/return.ts";
import { dueReturns } from "#shop/returns/returns.server.ts";
import { listOverdueMessages } from "#shop/support/thread/list-messages.server.ts";
import { may, type Permission } from "#shop/staff/permissions.ts";
import type { Role } from "#shop/roles.ts";
import { loadMissing } from "../go-live/load.server.ts";
import { rowOf, type OrderRow } from "../orders/load.server.ts";
import { Link } from "react-router";
import { staffMay, staffOf } from "#app/session/staff.server.ts";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import { countLabel, EmptyState } from "#app/ui/admin/table.tsx";
import { dayWords, When } from "#app/ui/admin/when.tsx";
import { OrderTable } from "../orders/order-table.tsx";
import { dueOf } from "../returns/due.ts";
import type { Route } from "./+types/route.ts";

type Item = { key: string; label: string; href?: string | undefined; text: string; at?: Date; isDay?: boolean };
type Content = { count: string; isUrgent: boolean } & ({ orders: OrderRow[] } | { items: Item[] });
type Heading = {
  key: string;
  title: string;
  /** Link to the full list. */
  href?: string;
};
type Section = Heading & Content;

const SHOWN = 5;
const LISTED = 100;

const listed = (found: unknown[]) => countLabel(found.length, found.length >= LISTED);

const URGENT: ViewName[] = ["soon", "late", "problems", "parcels", "refund-due"];

function ofView(view: ViewName, needs: Permission): Source {
  return {
    key: view,
    title: VIEWS[view].title,
    href: `/admin/orders?view=${view}`,
    needs,
    async load(role) {
      const [{ orders }, { count, hasMore }] = await Promise.all([
        listOrderPage(db, { view }, null, SHOWN),
        countOrders(db, { view }),
      ]);
      if (count === 0) return null;
      const sums = may(role, "orders:sums");
      return {
        count: countLabel(count, hasMore),
        isUrgent: URGENT.includes(view),
        orders: orders.map((order) => rowOf(order, { sums })),
      };
    },
  };
}

async function unmatchedEvents(): Promise<Content | null> {
  const events = await listUnmatchedEvents(db);
  if (events.length === 0) return null;
  const items = events.slice(0, SHOWN).map(({ eventId, type, reference, receivedAt }) => ({
    key: eventId,
    label: type,
    text: `Reference ${reference} does not match any payment.`,
    at: receivedAt,
  }));
  return { count: listed(events), isUrgent: true, items };
}

async function alerts(): Promise<Content | null> {
  // Failed emails have a section of their own, for more roles.
  const found = alertsOf(await readHealth(db, config().watched)).filter((name) => name !== "emails");
  if (found.length === 0) return null;
  const items = found.map((name) => ({ key: name, label: ALERTS[name].title, text: ALERTS[name].text }));
  return { count: countLabel(found.length), isUrgent: true, items };
}

async function failedEmails(): Promise<Content | null> {
  const failed = await listFailedEmails(db, LISTED);
  if (failed.length === 0) return null;
  const items = failed.slice(0, SHOWN).map(({ id, template, orderId, at, error }) => ({
    key: id,
    label: template.replaceAll("-", " "),
    ...(orderId && { href: `/admin/orders/${orderId}` }),
    text: `Failed after two days of retries${error ? `: ${error}` : ""}.`,
    at,
  }));
  return { count: listed(failed), isUrgent: true, items };
}

async function lowStock(): Promise<Content | null> {
  const { products, count } = await listLowStock(db, SHOWN);
  if (count === 0) return null;
  const items = products.map(({ id, name, units }) => ({
    key: id,
    label: name,
    href: `/admin/products/${id}`,
    text: units === 0 ? "Sold out" : `${units} available`,
  }));
  return { count: countLabel(count), isUrgent: false, items };
}

async function overdueMessages(): Promise<Content | null> {
  const { count, hasMore, oldest } = await listOverdueMessages(db);
  if (count === 0) return null;
  const items = oldest.map(({ id, name, waitsSince }) => ({
    key: id,
    label: name,
    href: `/admin/messages/${id}`,
    text: "Waiting for a reply",
    at: waitsSince,
  }));
  return { count: countLabel(count, hasMore), isUrgent: false, items };
}

async function returnsDue(): Promise<Content | null> {
  const { returns, count } = await dueReturns(db, SHOWN);
  if (count === 0) return null;
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

async function refusals(): Promise<Content | null> {
  const days = await refusedOrders(db);
  if (days.length === 0) return null;
  const items = days.map(({ day, count }) => ({
    key: day,
    label: dayWords(day),
    text: `${count === 1 ? "One order was" : `${count} orders were`} refused: too many from one network, email or account.`,
  }));
  return { count: countLabel(days.reduce((sum, { count }) => sum + count, 0)), isUrgent: true, items };
}

async function privacyRequests(): Promise<Content | null> {
  const { count, late, first } = await requestsDue(db);
  if (count === 0) return null;
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

async function goLive(): Promise<Content | null> {
  const missing = await loadMissing();
  if (missing.length === 0) return null;
  const items = missing.slice(0, SHOWN).map(({ key, title, text, at }) => ({
    key,
    label: title,
    href: "/admin/go-live",
    text,
    ...(at && { at }),
  }));
  return { count: countLabel(missing.length), isUrgent: false, items };
}

type Source = Heading & { needs: Permission; load: (role: Role) => Promise<Content | null> };

/** Most urgent first. */
const SECTIONS: Source[] = [
  { key: "alerts", title: "Alerts", needs: "alerts:read", load: alerts },
  ofView("soon", "orders:read"),
  ofView("late", "orders:read"),
  ofView("problems", "orders:sums"),
  ofView("parcels", "orders:read"),
  ofView("refund-due", "orders:refund"),
  ofView("arrange", "orders:sums"),
  ofView("expiring", "orders:sums"),
  { key: "unmatched", title: "Unmatched payment events", needs: "orders:sums", load: unmatchedEvents },
  { key: "refused", title: "Orders refused by limits", needs: "analytics:read", load: refusals },
  ofView("to-ship", "orders:read"),
  ofView("rest", "orders:read"),
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
    title: "Overdue messages",
    href: "/admin/messages",
    needs: "messages:read",
    load: overdueMessages,
  },
  { key: "stock", title: "Low stock", needs: "products:read", load: lowStock },
  { key: "emails", title: "Failed emails", href: "/admin/emails", needs: "orders:email", load: failedEmails },
  { key: "go-live", title: "To go live", href: "/admin/go-live", needs: "go-live:check", load: goLive },
];

/** Sections with items that the role may read. */
async function loadToday(role: Role): Promise<Section[]> {
  const sections = await Promise.all(
    SECTIONS.filter(({ needs }) => may(role, needs)).map(async ({ load, needs: _needs, ...heading }) => {
      const content = await load(role);
      return content && { ...heading, ...content };
    }),
  );
  return sections.filter((section) => section !== null);
}

export async function loader({ context }: Route.LoaderArgs) {
  const { name, role } = staffOf(context);
  const sections = await loadToday(role);
  return { name, sections, sums: staffMay(context, "orders:sums") };
}

export default function TodayScreen({ loaderData: { name, sections, sums } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Today" note={name} />
      {sections.length === 0 ? (
        <EmptyState>
          You&apos;re all caught up. Orders to ship and anything else that needs attention appear here.
        </EmptyState>
      ) : (
        <Summary sections={sections} />
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-9">
        {sections.map((section) => (
          <OneSection key={section.key} section={section} sums={sums} />
        ))}
      </div>
    </>
  );
}

function Summary({ sections }: { sections: Section[] }) {
  return (
    <ul className="mb-8 flex flex-wrap gap-2">
      {sections.map(({ key, title, count, isUrgent }) => (
        <li key={key}>
          <a href={`#${key}`} className="btn">
            {title}
            <span className={`tabular-nums ${isUrgent ? "text-saving" : "text-ink-soft"}`}>{count}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function OneSection({ section, sums }: { section: Section; sums: boolean }) {
  const { key, title, count, href } = section;
  return (
    <section id={key} aria-labelledby={`${key}-title`} className="scroll-mt-16">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 id={`${key}-title`}>
          {title} <span className="font-normal text-ink-soft tabular-nums">{count}</span>
        </h2>
        {href && (
          <Link to={href} aria-label={`View all: ${title}`} className="btn">
            View all
          </Link>
        )}
      </div>
      {"orders" in section ? (
        <OrderTable label={title} rows={section.orders} sums={sums} empty="No orders." />
      ) : (
        <Items items={section.items} />
      )}
    </section>
  );
}

function Items({ items }: { items: Item[] }) {
  return (
    <ul className="border-b border-line">
      {items.map(({ key, label, href, text, at, isDay = false }) => (
        <li key={key} className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-3 py-2">
          {href ? (
            <Link to={href} className="admin-link">
              {label}
            </Link>
          ) : (
            <span className="font-medium">{label}</span>
          )}
          <span className="text-ink-soft">{text}</span>
          {at && (
            <span className="ml-auto text-ink-soft">
              <When at={at} isDay={isDay} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
