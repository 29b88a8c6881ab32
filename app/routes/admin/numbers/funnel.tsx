/** From coming in to ordering: how many take each step, and how many of those who came in. */
import type { Step, Sums } from "../../../../shop/numbers/numbers.server.ts";
import { formatMoney } from "../../../../shop/money.ts";

export const STEPS: [Step, string][] = [
  ["visit", "Visits"],
  ["product-view", "Product views"],
  ["cart", "Added to cart"],
  ["checkout", "Checkouts"],
  ["order", "Orders"],
];

const KEYS = ["visit", "product-view", "cart", "checkout", "order", "soldCents", "refundedCents", "lapsed"] as const;

/** All days together. */
export const total = (days: Sums[]): Sums =>
  Object.fromEntries(KEYS.map((key) => [key, days.reduce((sum, day) => sum + day[key], 0)])) as Sums;

export const whole = (count: number) => count.toLocaleString("en-US");

/** Orders of a hundred visits; a dash where nobody came. */
export const conversion = ({ visit, order }: Pick<Sums, "visit" | "order">) =>
  visit > 0 ? `${((order / visit) * 100).toFixed(2)}%` : "–";

export function Funnel({ sums }: { sums: Sums }) {
  const most = Math.max(...STEPS.map(([step]) => sums[step]), 1);
  const money = [
    ["Sold", formatMoney(sums.soldCents)],
    ["Refunded", formatMoney(sums.refundedCents)],
    ["An order, on average", sums.order > 0 ? formatMoney(Math.round(sums.soldCents / sums.order)) : "–"],
    ["Orders of 100 visits", conversion(sums)],
    ["Lapsed unpaid", whole(sums.lapsed)],
  ];
  return (
    <div className="mb-8 grid items-start gap-8 xl:grid-cols-2">
      <table className="admin-table">
        <caption className="sr-only">Steps from a visit to an order</caption>
        <tbody>
          {STEPS.map(([step, label]) => (
            <tr key={step}>
              <th scope="row">{label}</th>
              <td className="number">{whole(sums[step])}</td>
              <td className="w-1/2">
                <svg
                  viewBox="0 0 100 8"
                  preserveAspectRatio="none"
                  role="img"
                  aria-label={`${Math.round((sums[step] / most) * 100)} of 100`}
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
        {money.map(([label, value]) => (
          <div key={label}>
            <dt className="text-ink-soft">{label}</dt>
            <dd className="text-xl whitespace-nowrap font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
