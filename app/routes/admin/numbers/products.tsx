/** What is sold most, and what is sold out soon. */
import { formatMoney } from "../../../../shop/money.ts";
import type { ProductSum, RunningOut } from "../../../../shop/numbers/numbers.server.ts";
import { RATE_DAYS } from "../../../../shop/numbers/steps.ts";
import { EmptyList } from "../../../ui/admin/page-head.tsx";
import { Status } from "../../../ui/admin/status.tsx";
import { whole } from "./funnel.tsx";

const SOON_DAYS = 14;
const LATE_DAYS = 7;

const daysWords = (days: number) => (days === 0 ? "today" : days === 1 ? "in a day" : `in ${whole(days)} days`);

export function RunsOut({ products }: { products: RunningOut[] }) {
  return (
    <section className="min-w-0">
      <h2 className="mb-2">Sold out soon</h2>
      <p className="mb-2 text-ink-soft">At the rate of the last {RATE_DAYS} days.</p>
      {products.length === 0 && <EmptyList>Nothing was sold in that time, so nothing runs out.</EmptyList>}
      {products.length > 0 && (
        <table className="admin-table">
          <thead>
            <tr>
              <th scope="col">Product</th>
              <th scope="col" className="number">
                In stock
              </th>
              <th scope="col" className="number">
                Sold
              </th>
              <th scope="col">Runs out</th>
            </tr>
          </thead>
          <tbody>
            {products.map(({ id, name, stock, units, daysLeft }) => (
              <tr key={id}>
                <td>{name}</td>
                <td className="number">{whole(stock)}</td>
                <td className="number">{whole(units)}</td>
                <td>
                  <Status tone={daysLeft < LATE_DAYS ? "late" : daysLeft < SOON_DAYS ? "soon" : "quiet"}>
                    {daysWords(daysLeft)}
                  </Status>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

export function Products({ products }: { products: ProductSum[] }) {
  if (products.length === 0) return null;
  return (
    <section className="min-w-0">
      <h2 className="mb-2">Units by product</h2>
      <table className="admin-table">
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col" className="number">
              Units
            </th>
            <th scope="col" className="number">
              Sold
            </th>
          </tr>
        </thead>
        <tbody>
          {products.map(({ id, name, units, soldCents }) => (
            <tr key={id}>
              <td>{name}</td>
              <td className="number">{whole(units)}</td>
              <td className="number">{formatMoney(soldCents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
