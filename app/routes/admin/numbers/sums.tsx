/** The numbers behind the charts, by day and by campaign. */
import { formatMoney } from "../../../../shop/money.ts";
import type { CampaignSums, Day, Sums } from "../../../../shop/numbers/numbers.server.ts";
import { dayWords } from "../../../ui/admin/chart.tsx";
import { conversion, STEPS, whole } from "./funnel.tsx";
import { ScrollRegion } from "../../../ui/admin/scroll-region.tsx";

const HEADS = [...STEPS.map(([, label]) => label), "Of 100 visits", "Sold", "Refunded", "Lapsed"];

const cells = (sums: Sums) => [
  ...STEPS.map(([step]) => whole(sums[step])),
  conversion(sums),
  formatMoney(sums.soldCents),
  formatMoney(sums.refundedCents),
  whole(sums.lapsed),
];

type Table = { label: string; first: string[]; rows: { names: string[]; sums: Sums }[] };

function SumsTable({ label, first, rows }: Table) {
  return (
    <ScrollRegion label={label}>
      <table className="admin-table">
        <thead>
          <tr>
            {first.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            {HEADS.map((head) => (
              <th key={head} scope="col" className="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ names, sums }) => (
            <tr key={names.join("\n")}>
              {names.map((name, i) => (
                <td key={first[i]} className="max-w-40 truncate whitespace-nowrap">
                  {name}
                </td>
              ))}
              {cells(sums).map((cell, i) => (
                <td key={HEADS[i]} className="number">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

export function ByDay({ byDay }: { byDay: Day[] }) {
  const rows = byDay.toReversed().map(({ day, ...sums }, i) => ({
    names: [`${dayWords(day, { weekday: "short", month: "short", day: "numeric" })}${i === 0 ? ", not over yet" : ""}`],
    sums,
  }));
  return (
    <details className="mt-4">
      <summary className="act list-none">The same as a table</summary>
      <div className="mt-3">
        <SumsTable label="By day" first={["Day"]} rows={rows} />
      </div>
    </details>
  );
}

export function ByCampaign({ byCampaign }: { byCampaign: CampaignSums[] }) {
  const rows = byCampaign.map(({ source, campaign, ...sums }) => ({ names: [source || "None", campaign], sums }));
  return (
    <section className="mt-10 min-w-0">
      <h2 className="mb-2">By campaign</h2>
      <SumsTable label="By campaign" first={["Source", "Campaign"]} rows={rows} />
    </section>
  );
}
