/** Orders of one person in a few words each, the newest first. */
import { Link } from "react-router";
import { formatMoney } from "../../../../shop/money.ts";
import type { OrderStatus } from "../../../../shop/orders/lifecycle.ts";
import { orderNumber, statusLabel } from "../../../../shop/orders/order.ts";
import { Status, type Tone } from "../../../ui/admin/status.tsx";
import { When } from "../../../ui/admin/when.tsx";

type Row = { id: string; status: OrderStatus; totalCents: number; createdAt: Date };

const TONES: Partial<Record<OrderStatus, Tone>> = {
  unpaid: "soon",
  processing: "open",
  shipped: "done",
  delivered: "done",
};

export function OrderRows({ orders, empty }: { orders: Row[]; empty: string }) {
  if (orders.length === 0) return <p className="text-ink-soft">{empty}</p>;
  return (
    <ul className="mt-1">
      {orders.map(({ id, status, totalCents, createdAt }) => (
        <li key={id} className="grid gap-0.5 border-t border-line py-2">
          <span className="flex justify-between gap-4">
            <Link to={`/admin/orders/${id}`} className="admin-link">
              {orderNumber(id)}
            </Link>
            <span className="tabular-nums">{formatMoney(totalCents)}</span>
          </span>
          <span className="flex justify-between gap-4 text-ink-soft">
            <Status tone={TONES[status] ?? "quiet"}>{statusLabel(status)}</Status>
            <When at={createdAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
