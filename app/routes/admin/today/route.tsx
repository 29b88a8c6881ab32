/** What needs a hand, the most urgent first. */
import { data, Link } from "react-router";
import { NO_STORE, privateHeaders } from "../../../http/cache-headers.ts";
import { EmptyList, PageHead } from "../../../ui/admin/page-head.tsx";
import { When } from "../../../ui/admin/when.tsx";
import { OrderTable } from "../orders/order-table.tsx";
import type { Route } from "./+types/route.ts";
import type { Item, Section } from "./sections.server.ts";

export const headers = privateHeaders;

export async function loader({ context }: Route.LoaderArgs) {
  const [{ loadToday }, { staffOf, staffMay }] = await Promise.all([
    import("./sections.server.ts"),
    import("../../../session/staff.server.ts"),
  ]);
  const { name, role } = staffOf(context);
  const sections = await loadToday(role);
  return data({ name, sections, sums: staffMay(context, "orders:sums") }, { headers: NO_STORE });
}

export default function TodayScreen({ loaderData: { name, sections, sums } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Today" note={name} />
      {sections.length === 0 && (
        <EmptyList>
          Nothing needs a hand. Orders stand here as soon as they are to be shipped, with whatever else somebody has to
          look at.
        </EmptyList>
      )}
      {sections.length > 0 && <Summary sections={sections} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-9">
        {sections.map((section) => (
          <OneSection key={section.key} section={section} sums={sums} />
        ))}
      </div>
    </>
  );
}

/** All counts in one look, each a way to its section. */
function Summary({ sections }: { sections: Section[] }) {
  return (
    <ul className="mb-8 flex flex-wrap gap-2">
      {sections.map(({ key, title, count, isUrgent }) => (
        <li key={key}>
          <a href={`#${key}`} className="act">
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
          <Link to={href} aria-label={`See all: ${title}`} className="act">
            See all
          </Link>
        )}
      </div>
      {"orders" in section ? <OrderTable rows={section.orders} sums={sums} /> : <Items items={section.items} />}
    </section>
  );
}

function Items({ items }: { items: Item[] }) {
  return (
    <ul className="border-b border-line">
      {items.map(({ key, label, href, text, at }) => (
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
              <When at={at} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
