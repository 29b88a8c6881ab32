import { Link } from "react-router";
import { db } from "#platform/database.server.ts";
import { countOrders } from "#shop/fulfillment/order-list.server.ts";
import { may, type Permission } from "#shop/staff/permissions.ts";
import { ADMIN_ACCESS } from "../access.ts";
import { staffMay, staffOf } from "#app/session/staff.server.ts";
import { PageHead, Section as Part } from "#app/ui/admin/page-head.tsx";
import { EmptyState } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { OrderTable } from "../orders/order-table.tsx";
import type { Route } from "./+types/route.ts";
import { loadDays, loadTiles, loadToday, type Item, type Section } from "./sections.server.ts";

const FIRST_STEPS: { path: string; needs?: Permission; label: string; text: string }[] = [
  {
    path: "/admin/products",
    needs: "products:edit",
    label: "Check your products",
    text: "Prices, stock, texts and your own pictures.",
  },
  { path: "/admin/staff", label: "Invite your team", text: "Each role sees what it needs." },
  { path: "/admin/messages/saved", label: "Save replies", text: "For questions you expect." },
  { path: "/admin/waitlist", label: "Meet your waitlist", text: "See who’s waiting, and invite the first." },
];

export async function loader({ context }: Route.LoaderArgs) {
  const { role } = staffOf(context);
  const [sections, days, { count }] = await Promise.all([loadToday(role), loadDays(role), countOrders(db, {})]);
  const tiles = await loadTiles(role, days);
  const steps = FIRST_STEPS.filter(({ path, needs = ADMIN_ACCESS[path]!.read }) => may(role, needs));
  return { tiles, days, sections, firstSteps: count === 0 ? steps : [], sums: staffMay(context, "orders:sums") };
}

type Loaded = Route.ComponentProps["loaderData"];

export default function TodayScreen({ loaderData }: Route.ComponentProps) {
  const { tiles, days, sections, firstSteps, sums } = loaderData;
  const isQuiet = sections.length === 0 && days.length === 0;
  return (
    <>
      <PageHead title="Today" />
      {tiles.length > 0 && <Tiles tiles={tiles} />}
      {firstSteps.length > 0 && <FirstSteps steps={firstSteps} />}
      {isQuiet ? (
        <EmptyState>
          You&apos;re all caught up. Orders to ship and anything else that needs attention appear here.
        </EmptyState>
      ) : (
        <Summary sections={[...days.map((day) => ({ ...day, key: day.view })), ...sections]} />
      )}
      <div className="admin-aligned grid grid-cols-[minmax(0,1fr)] gap-9">
        <ToShip days={days} sums={sums} />
        {sections.map((section) => (
          <OneSection key={section.key} section={section} sums={sums} />
        ))}
      </div>
    </>
  );
}

function Tiles({ tiles }: Pick<Loaded, "tiles">) {
  return (
    <dl className="mb-6 grid grid-cols-2 gap-x-8 gap-y-4 sm:flex sm:flex-wrap">
      {tiles.map(({ label, href, value, note }) => (
        <div key={label}>
          <dt className="text-ink-soft">
            <Link to={href} className="admin-link">
              {label}
            </Link>
          </dt>
          <dd className="text-xl font-medium tabular-nums">{value}</dd>
          <dd className="text-ink-soft tabular-nums">{note}</dd>
        </div>
      ))}
    </dl>
  );
}

function FirstSteps({ steps }: { steps: Loaded["firstSteps"] }) {
  return (
    <Part title="First steps" className="mb-8 gap-1">
      <ol>
        {steps.map(({ path, label, text }) => (
          <li key={path} className="flex min-h-11 flex-wrap items-center gap-x-4 border-t border-line py-2">
            <Link to={path} className="admin-link w-44">
              {label}
            </Link>
            <span className="text-ink-soft">{text}</span>
          </li>
        ))}
      </ol>
    </Part>
  );
}

function Summary({ sections }: { sections: Pick<Section, "key" | "title" | "count" | "isUrgent">[] }) {
  return (
    <ul className="mb-8 flex flex-wrap gap-2 max-sm:-mx-4 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:px-4 max-sm:whitespace-nowrap">
      {sections.map(({ key, title, count, isUrgent }) => (
        <li key={key}>
          <a href={`#${key}`} className="btn">
            <span>{title}</span>
            <span className={`tabular-nums ${isUrgent ? "text-saving" : "text-ink-soft"}`}>{count}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Three rows on a phone, if another screen lists them all. */
const SHORT = "max-sm:[&>ul>li:nth-child(n+4)]:hidden max-sm:[&_tbody>tr:nth-child(n+4)]:hidden";

/** All unshipped orders by their day to ship. */
function ToShip({ days, sums }: Pick<Loaded, "days" | "sums">) {
  if (days.length === 0) return null;
  const groups = days.map(({ view, title, count, isUrgent, orders }) => ({
    key: view,
    head: (
      <Link to={`/admin/orders?view=${view}`} className="admin-link">
        <span>{`${title} `}</span>
        <span className={`tabular-nums ${isUrgent ? "text-saving" : "text-ink-soft"}`}>{count}</span>
      </Link>
    ),
    rows: orders,
  }));
  return (
    <Part title="To ship" className="gap-2">
      <OrderTable
        label="To ship"
        rows={days.flatMap(({ orders }) => orders)}
        groups={groups}
        isByDay
        sums={sums}
        empty="No orders."
      />
    </Part>
  );
}

function OneSection({ section, sums }: { section: Section; sums: boolean }) {
  const { key, title, count, href } = section;
  return (
    <section id={key} aria-labelledby={`${key}-title`} className={`scroll-mt-16 ${href ? SHORT : ""}`}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 id={`${key}-title`}>
          <span>{`${title} `}</span>
          <span className="font-normal text-ink-soft tabular-nums">{count}</span>
        </h2>
        {href && (
          <Link to={href} aria-label={`View all: ${title}`} className="btn">
            View all
          </Link>
        )}
      </div>
      {"orders" in section ? (
        <OrderTable label={title} rows={section.orders} isByDay={section.isByDay} sums={sums} empty="No orders." />
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
        <li
          key={key}
          className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-3 py-2 sm:grid sm:grid-cols-[20%_minmax(0,1fr)_auto]"
        >
          {href ? (
            <Link to={href} className="admin-link">
              {label}
            </Link>
          ) : (
            <span className="font-medium">{label}</span>
          )}
          <span className="text-ink-soft">{text}</span>
          {at && (
            <span className="text-ink-soft max-sm:ml-auto">
              <When at={at} isDay={isDay} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
