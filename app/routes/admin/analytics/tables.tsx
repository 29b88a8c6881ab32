import { formatMoney } from "#shop/money.ts";
import type { CampaignSums, Day, ProductSum, RunningOut, Step, Sums } from "#shop/analytics/analytics.server.ts";
import { RATE_DAYS, SOON_OUT_DAYS } from "#shop/analytics/events.ts";
import { Status } from "#app/ui/admin/page-head.tsx";
import { AdminTable, type Column } from "#app/ui/admin/table.tsx";
import { dayWords } from "#app/ui/admin/when.tsx";
import { whole } from "./charts.tsx";

const STEPS: [Step, string][] = [
  ["visit", "Visits"],
  ["product-view", "Product views"],
  ["cart", "Added to cart"],
  ["checkout", "Checkouts"],
  ["order", "Orders"],
];

const KEYS = [...STEPS.map(([step]) => step), "soldCents", "refundedCents", "expired"] as const;

const total = (days: Sums[]): Sums =>
  Object.fromEntries(KEYS.map((key) => [key, days.reduce((sum, day) => sum + day[key], 0)])) as Sums;

const conversion = ({ visit, order }: Pick<Sums, "visit" | "order">) =>
  visit > 0 ? `${((order / visit) * 100).toFixed(2)}%` : "–";

/** "12% more", against the period before; empty while there is nothing to compare. */
function changeWords(now: number, before: number): string {
  if (before === 0) return now === 0 ? "" : "none before";
  const percent = Math.round((now / before - 1) * 100);
  return percent === 0 ? "as before" : `${Math.abs(percent)}% ${percent > 0 ? "more" : "less"}`;
}

function conversionWords({ visit, order }: Sums): string {
  if (visit === 0) return "No visits were counted.";
  return `${whole(order)} of ${whole(visit)} visits ended in an order.`;
}

/** Definitions of the `Sums`, for the merchant. */
const MEANINGS =
  "Sales are each day’s orders, with shipping and tax, minus what was canceled before it was charged. " +
  "Refunds count on the day they were made, including for items canceled after they were charged. Changes to an earlier day show up the next morning.";

export function Funnel({ byDay, before }: { byDay: Day[]; before: Day[] }) {
  const sums = total(byDay);
  const earlier = total(before);
  const average = ({ order, soldCents }: Sums) => (order > 0 ? Math.round(soldCents / order) : 0);
  const rate = ({ visit, order }: Sums) => (visit > 0 ? order / visit : 0);
  const most = Math.max(...STEPS.map(([step]) => sums[step]), 1);
  const facts: [label: string, value: string, of: (sums: Sums) => number][] = [
    ["Sales", formatMoney(sums.soldCents), ({ soldCents }) => soldCents],
    ["Refunds", formatMoney(sums.refundedCents), ({ refundedCents }) => refundedCents],
    ["Average order value", sums.order > 0 ? formatMoney(average(sums)) : "–", average],
    ["Conversion", conversion(sums), rate],
    ["Expired unpaid", whole(sums.expired), ({ expired }) => expired],
  ];
  return (
    <div className="mb-8 grid items-start gap-8 xl:grid-cols-2">
      <table className="admin-table">
        <caption className="sr-only">Conversion funnel</caption>
        <tbody>
          {STEPS.map(([step, label]) => (
            <tr key={step}>
              <th scope="row">{label}</th>
              <td className="number">{whole(sums[step])}</td>
              <td className="whitespace-nowrap text-ink-soft">{changeWords(sums[step], earlier[step])}</td>
              <td className="w-1/3">
                <svg
                  viewBox="0 0 100 8"
                  preserveAspectRatio="none"
                  role="img"
                  aria-label={`${Math.round((sums[step] / most) * 100)}%`}
                  className="block h-2 w-full"
                >
                  <rect width={(sums[step] / most) * 100} height="8" fill="var(--color-ink)" />
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3">
        {facts.map(([label, value, of]) => (
          <div key={label}>
            <dt className="text-ink-soft">{label}</dt>
            <dd className="text-xl whitespace-nowrap font-medium tabular-nums">{value}</dd>
            <dd className="text-ink-soft">{changeWords(of(sums), of(earlier))}</dd>
          </div>
        ))}
        <div className="col-span-full">
          <dt className="sr-only">In words</dt>
          <dd>
            <span>{`${conversionWords(sums)} `}</span>
            <span className="text-ink-soft">{`More and less compare with the ${before.length} days before.`}</span>
          </dd>
          <dd className="mt-2 max-w-prose text-ink-soft">{MEANINGS}</dd>
        </div>
      </dl>
    </div>
  );
}

const number = { isNumber: true, phone: "fact" } as const;
const SUMS: Column<Sums>[] = [
  ...STEPS.map(([step, header]) => ({ header, cell: (sums: Sums) => whole(sums[step]), ...number })),
  { header: "Conversion", cell: conversion, ...number },
  { header: "Sales", cell: ({ soldCents }) => formatMoney(soldCents), ...number },
  { header: "Refunds", cell: ({ refundedCents }) => formatMoney(refundedCents), ...number },
  { header: "Expired", cell: ({ expired }) => whole(expired), ...number, at: "wide" },
];
const NAME = "sm:max-w-40 sm:truncate max-sm:font-medium";

export function ByDay({ byDay, today }: { byDay: Day[]; today: string }) {
  const rows = byDay.toReversed();
  const day = (row: Day) =>
    dayWords(row.day, { weekday: "short", month: "short", day: "numeric" }) + (row.day === today ? ", partial" : "");
  return (
    <details className="mt-4">
      <summary className="btn list-none">View as table</summary>
      <div className="mt-3">
        <AdminTable
          label="By day"
          columns={[{ header: "Day", cell: day, className: NAME }, ...SUMS]}
          rows={rows}
          rowKey={(row) => row.day}
        />
      </div>
    </details>
  );
}

export function ByCampaign({ byCampaign }: { byCampaign: CampaignSums[] }) {
  return (
    <section className="mt-10 min-w-0">
      <h2 className="mb-2">By campaign</h2>
      <AdminTable
        label="By campaign"
        columns={[
          { header: "Source", cell: ({ source }) => source || "None", className: NAME, phone: "inline" },
          { header: "Campaign", cell: ({ campaign }) => campaign, className: NAME, phone: "inline" },
          ...SUMS,
        ]}
        rows={byCampaign}
        rowKey={({ source, campaign }) => `${source}\n${campaign}`}
        empty="No visits in this period. Add utm_source and utm_campaign to the links you share to compare campaigns."
      />
    </section>
  );
}

const LATE_DAYS = 7;

const YEAR_DAYS = 365;

function daysWords(days: number): string {
  if (days === 0) return "Today";
  if (days > YEAR_DAYS) return "In over a year";
  return days === 1 ? "In 1 day" : `In ${days} days`;
}

const RUNS_OUT: Column<RunningOut>[] = [
  { header: "Product", cell: ({ name }) => name, href: ({ id }) => `/admin/products/${id}` },
  { header: "In stock", cell: ({ stock }) => whole(stock), isNumber: true },
  { header: "Sold", cell: ({ units }) => whole(units), isNumber: true },
  {
    header: "Runs out",
    cell: ({ daysLeft }) => (
      <Status tone={daysLeft < LATE_DAYS ? "late" : daysLeft < SOON_OUT_DAYS ? "soon" : "quiet"}>
        {daysWords(daysLeft)}
      </Status>
    ),
  },
];

export function StockForecast({ products }: { products: RunningOut[] }) {
  return (
    <section className="min-w-0">
      <h2 className="mb-2">Stock forecast</h2>
      <p className="mb-2 text-ink-soft">{`Based on sales in the ${RATE_DAYS} days before today.`}</p>
      <AdminTable
        label="Stock forecast"
        columns={RUNS_OUT}
        rows={products}
        rowKey={({ id }) => id}
        isGrid
        empty="No sales before today, so there is no forecast yet. Today’s sales count starting tomorrow."
      />
    </section>
  );
}

const TOP_PRODUCTS: Column<ProductSum>[] = [
  { header: "Product", cell: ({ name }) => name },
  { header: "Units", cell: ({ units }) => whole(units), isNumber: true },
  { header: "Sales", cell: ({ soldCents }) => formatMoney(soldCents), isNumber: true },
];

export function TopProducts({ products }: { products: ProductSum[] }) {
  return (
    <section className="min-w-0">
      <h2 className="mb-2">Top products</h2>
      <p className="mb-2 text-ink-soft">Minus cancellations, before shipping, tax and refunds.</p>
      <AdminTable
        label="Top products"
        columns={TOP_PRODUCTS}
        rows={products}
        rowKey={({ id }) => id}
        isGrid
        empty="No sales in this period."
      />
    </section>
  );
}
