/** What was sold and how many came, day by day. */
import { formatMoney } from "../../../../shop/money.ts";
import type { Day } from "../../../../shop/numbers/numbers.server.ts";
import { DayChart } from "../../../ui/admin/chart.tsx";
import { whole } from "./funnel.tsx";

/** Whole dollars: an axis needs no cents. */
const dollars = (cents: number) => formatMoney(cents).replace(/\.\d\d$/, "");

export function SalesCharts({ byDay }: { byDay: Day[] }) {
  return (
    <div className="grid gap-8 xl:grid-cols-2">
      <section>
        <h2 className="mb-2">Sold a day</h2>
        <DayChart
          title="Sold on each day, in dollars"
          days={byDay.map(({ day, soldCents }) => ({ day, value: soldCents }))}
          format={dollars}
        />
      </section>
      <section>
        <h2 className="mb-2">Visits a day</h2>
        <DayChart
          title="Visits on each day"
          days={byDay.map(({ day, visit }) => ({ day, value: visit }))}
          format={whole}
        />
      </section>
    </div>
  );
}
