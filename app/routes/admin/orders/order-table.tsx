/** Orders, one line a row; on a phone two, for a thumb. */
import { Link } from "react-router";
import { formatMoney } from "../../../../shop/money.ts";
import { Status } from "../../../ui/admin/status.tsx";
import { When } from "../../../ui/admin/when.tsx";
import type { OrderRow } from "./load.server.ts";

type Props = { rows: OrderRow[]; sums: boolean; isChoosing?: boolean };

export function OrderTable({ rows, sums, isChoosing = false }: Props) {
  return (
    <div className="admin-scroll">
      <table className="admin-table">
        <thead className="max-sm:sr-only">
          <tr>
            {isChoosing && (
              <th scope="col">
                <span className="sr-only">Choose</span>
              </th>
            )}
            <th scope="col">Order</th>
            <th scope="col">Placed</th>
            <th scope="col">Customer</th>
            <th scope="col" className="number">
              Units
            </th>
            <th scope="col">What</th>
            {sums && (
              <th scope="col" className="number">
                Total
              </th>
            )}
            {sums && <th scope="col">Payment</th>}
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} sums={sums} isChoosing={isChoosing} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, sums, isChoosing }: { row: OrderRow; sums: boolean; isChoosing: boolean }) {
  const { id, number, createdAt, name, city, units, what, status, flags, totalCents, payment } = row;
  const small = "max-sm:block max-sm:h-auto max-sm:border-0 max-sm:py-0";
  return (
    <tr className="max-sm:relative max-sm:block max-sm:border-b max-sm:border-line max-sm:py-2.5">
      {isChoosing && (
        <td className="w-11 max-sm:absolute max-sm:top-0 max-sm:right-0 max-sm:z-10 max-sm:border-0 max-sm:px-0">
          <label className="flex size-11 items-center justify-center">
            <input
              type="checkbox"
              name="id"
              value={id}
              aria-label={`Choose ${number}`}
              className="size-4.5 accent-leaf"
            />
          </label>
        </td>
      )}
      <th scope="row" className={`!h-11 !font-normal !text-ink ${small} max-sm:!h-auto`}>
        <Link
          to={`/admin/orders/${id}`}
          className="admin-link tabular-nums max-sm:after:absolute max-sm:after:inset-0"
          data-row-link=""
        >
          {number}
        </Link>
      </th>
      <td className={`whitespace-nowrap ${small}`}>
        <When at={createdAt} />
      </td>
      <td className={`max-w-56 truncate ${small}`}>
        {name}
        <span className="text-ink-soft">, {city}</span>
      </td>
      <td className="number max-sm:hidden">{units}</td>
      <td className={`max-w-64 truncate ${small}`} title={what}>
        {what}
      </td>
      {sums && <td className={`number ${small} max-sm:text-left`}>{formatMoney(totalCents ?? 0)}</td>}
      {sums && <td className="max-sm:hidden">{payment && <Status tone={payment.tone}>{payment.word}</Status>}</td>}
      <td className={`whitespace-nowrap ${small}`}>
        <span className="inline-flex flex-wrap gap-x-3">
          <Status tone={status.tone}>{status.word}</Status>
          {flags.map((flag) => (
            <Status key={flag.word} tone={flag.tone}>
              {flag.word}
            </Status>
          ))}
        </span>
      </td>
    </tr>
  );
}
