/** How the shop does: who comes and orders, what is sold, and what runs out. */
import { data } from "react-router";
import { SPANS, type Span } from "../../../../shop/numbers/steps.ts";
import { db } from "../../../database.server.ts";
import { NO_STORE, privateHeaders } from "../../../http/cache-headers.ts";
import { PageHead } from "../../../ui/admin/page-head.tsx";
import type { Route } from "./+types/route.ts";
import { Filter } from "./filter.tsx";
import { Funnel, total } from "./funnel.tsx";
import { ByCampaign, ByDay } from "./sums.tsx";
import { Products, RunsOut } from "./products.tsx";
import { SalesCharts } from "./sales-charts.tsx";

export const headers = privateHeaders;

/** Stands for visits that named no source or campaign. */
const NONE = "-";
const word = (value: string | null) =>
  value === null || value === "" ? undefined : value === NONE ? "" : value.slice(0, 200);

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const days: Span = SPANS.find((span) => String(span) === searchParams.get("days")) ?? 28;
  const filter = { days, source: word(searchParams.get("source")), campaign: word(searchParams.get("campaign")) };
  const numbers = await import("../../../../shop/numbers/numbers.server.ts");
  const [byDay, byCampaign, names, products, runsOut] = await Promise.all([
    numbers.sumsByDay(db, filter),
    numbers.sumsByCampaign(db, filter),
    numbers.campaignNames(db, filter),
    numbers.unitsByProduct(db, filter),
    numbers.runningOut(db),
  ]);
  return data({ days, byDay, byCampaign, names, products, runsOut }, { headers: NO_STORE });
}

export default function NumbersScreen({ loaderData }: Route.ComponentProps) {
  const { days, byDay, byCampaign, names, products, runsOut } = loaderData;
  const sums = total(byDay);
  return (
    <>
      <PageHead title="Numbers" note={`${days} days`} />
      <Filter days={days} names={names} />
      <Funnel sums={sums} />
      <SalesCharts byDay={byDay} />
      <ByDay byDay={byDay} />
      <div className="mt-10 grid items-start gap-10 xl:grid-cols-2">
        <RunsOut products={runsOut} />
        <Products products={products} />
      </div>
      <ByCampaign byCampaign={byCampaign} />
    </>
  );
}
