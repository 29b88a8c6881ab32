import * as analytics from "#shop/analytics/analytics.server.ts";
import { SPANS, type Span } from "#shop/analytics/events.ts";
import { db } from "#platform/database.server.ts";
import { Filters } from "#app/ui/admin/filters.tsx";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import type { Route } from "./+types/route.ts";
import { SalesCharts } from "./charts.tsx";
import { ByCampaign, ByDay, Funnel, StockForecast, TopProducts } from "./tables.tsx";

/** Marks visits without a source or campaign. */
const NONE = "-";
const word = (value: string | null) =>
  value === null || value === "" ? undefined : value === NONE ? "" : value.slice(0, 200);
const options = (names: string[]) => [
  ["", "All"] as const,
  ...names.map((name) => [name || NONE, name || "None"] as const),
];

const spanLabel = (days: Span) => (days === 365 ? "Last year" : `Last ${days} days`);

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const days: Span = SPANS.find((span) => String(span) === searchParams.get("days")) ?? 28;
  const filter = { days, source: word(searchParams.get("source")), campaign: word(searchParams.get("campaign")) };
  const [byDay, byCampaign, names, topProducts, runningOut] = await Promise.all([
    analytics.sumsByDay(db, filter),
    analytics.sumsByCampaign(db, filter),
    analytics.campaignNames(db, filter),
    analytics.unitsByProduct(db, filter),
    analytics.runningOut(db),
  ]);
  return { days, byDay, byCampaign, names, topProducts, runningOut };
}

export default function AnalyticsScreen({ loaderData }: Route.ComponentProps) {
  const { days, byDay, byCampaign, names, topProducts, runningOut } = loaderData;
  return (
    <>
      <PageHead title="Analytics" note={spanLabel(days)} />
      <Filters
        fields={[
          {
            name: "days",
            label: "Period",
            options: SPANS.map((span) => [String(span), spanLabel(span)] as const),
            initial: "28",
          },
          { name: "source", label: "Source", options: options(names.source) },
          { name: "campaign", label: "Campaign", options: options(names.campaign) },
        ]}
      />
      <Funnel byDay={byDay} />
      <SalesCharts byDay={byDay} />
      <ByDay byDay={byDay} />
      <div className="mt-10 grid items-start gap-10 xl:grid-cols-2">
        <StockForecast products={runningOut} />
        <TopProducts products={topProducts} />
      </div>
      <ByCampaign byCampaign={byCampaign} />
    </>
  );
}
