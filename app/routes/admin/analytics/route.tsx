import * as analytics from "#shop/analytics/analytics.server.ts";
import { SPANS, type Span } from "#shop/analytics/events.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { db } from "#platform/database.server.ts";
import { Filters } from "#app/ui/admin/filters.tsx";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import { dayWords } from "#app/ui/admin/when.tsx";
import { dateFields } from "../dates.ts";
import type { Route } from "./+types/route.ts";
import { SalesCharts } from "./charts.tsx";
import { CUSTOM, periodBefore, readPeriod } from "./period.ts";
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
  const today = newYorkDay(clock.now());
  const { span, problem, ...period } = readPeriod(searchParams, today);
  const where = { source: word(searchParams.get("source")), campaign: word(searchParams.get("campaign")) };
  const isOfAll = where.source === undefined && where.campaign === undefined;
  const [byDay, before, all, ofThese, topProducts, runningOut] = await Promise.all([
    analytics.sumsByDay(db, { ...period, ...where }),
    analytics.sumsByDay(db, { ...periodBefore(period), ...where }),
    analytics.sumsByCampaign(db, period),
    isOfAll ? null : analytics.sumsByCampaign(db, { ...period, ...where }),
    analytics.unitsByProduct(db, span ? { days: span } : period),
    analytics.runningOut(db),
  ]);
  const isCustom = searchParams.get("days") === CUSTOM;
  const byCampaign = ofThese ?? all;
  const names = analytics.campaignNames(all);
  return { span, isCustom, problem, today, byDay, before, byCampaign, names, topProducts, runningOut };
}

export default function AnalyticsScreen({ loaderData }: Route.ComponentProps) {
  const { span, isCustom, problem, today, byDay, before, byCampaign, names, topProducts, runningOut } = loaderData;
  const [first, last] = [byDay[0]?.day ?? today, byDay.at(-1)?.day ?? today];
  return (
    <>
      <PageHead title="Analytics" note={span ? spanLabel(span) : `${dayWords(first)} to ${dayWords(last)}`} />
      <Filters
        fields={[
          {
            name: "days",
            label: "Period",
            options: [
              ...SPANS.map((each) => [String(each), spanLabel(each)] as const),
              [CUSTOM, "Custom dates"] as const,
            ],
            initial: "28",
          },
          ...(isCustom ? dateFields({ from: first, to: last, problem }) : []),
          { name: "source", label: "Source", options: options(names.source) },
          { name: "campaign", label: "Campaign", options: options(names.campaign) },
        ]}
      />
      <Funnel byDay={byDay} before={before} />
      <SalesCharts byDay={byDay} before={before} today={today} />
      <ByDay byDay={byDay} today={today} />
      <div className="mt-10 grid items-start gap-10 xl:grid-cols-2">
        <StockForecast products={runningOut} />
        <TopProducts products={topProducts} />
      </div>
      <ByCampaign byCampaign={byCampaign} />
    </>
  );
}
