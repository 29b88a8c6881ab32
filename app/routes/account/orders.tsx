import { Link } from "react-router";
import type { HistoryOrder } from "#shop/orders/history.server.ts";
import { orderNumber, orderPath } from "#shop/orders/order.ts";
import type { Look } from "#shop/orders/situation-words.ts";
import { OrderLines } from "#app/ui/order/order-lines.tsx";
import { OrderSums } from "#app/ui/order/order-sums.tsx";
import { LocalTime } from "#app/ui/time/local-time.tsx";
import { tabPath } from "./tabs.ts";
import { Empty } from "./empty.tsx";
import type { TabData } from "./load.server.ts";

export function Orders({ orders, page, hasOlder }: TabData<"orders">) {
  if (orders.length === 0 && page === 1) {
    return (
      <div className="text-center">
        <Empty
          title="No orders yet"
          text="Once you order, track it here, from our door to yours."
          picture="lifestyle-counter"
        />
        <FindOrder />
      </div>
    );
  }
  const link = (to: number) => (to === 1 ? tabPath("orders") : `${tabPath("orders")}&page=${to}`);
  return (
    <>
      <ol className="grid gap-6">
        {orders.map((order) => (
          <li key={order.id}>
            <OrderCard order={order} />
          </li>
        ))}
      </ol>
      <FindOrder />
      {(page > 1 || hasOlder) && (
        <nav aria-label="Order pages" className="mt-8 flex flex-wrap gap-3">
          {page > 1 && (
            <Link to={link(page - 1)} className="button button-quiet">
              Newer orders
            </Link>
          )}
          {hasOlder && (
            <Link to={link(page + 1)} className="button button-quiet">
              Older orders
            </Link>
          )}
        </nav>
      )}
    </>
  );
}

function FindOrder() {
  return (
    <p className="mt-8 text-ink-soft">
      Ordered without signing in?{" "}
      <Link to="/orders/find" className="text-link inline-flex min-h-11 items-center">
        Find your order
      </Link>
    </p>
  );
}

function OrderCard({ order }: { order: HistoryOrder }) {
  const id = `order-${orderNumber(order.id)}`;
  const place = [order.shippingCity, order.shippingState].filter(Boolean).join(", ");
  return (
    <article aria-labelledby={id} className="rounded-card bg-card p-5 sm:p-8">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-line pb-5">
        <div>
          <h2 id={id} className="text-xl font-semibold tabular-nums">
            {`Order ${orderNumber(order.id)}`}
          </h2>
          <p className="mt-1 text-[15px] text-ink-soft">
            <LocalTime date={order.createdAt} as="day" />
          </p>
        </div>
        <OrderStatusBadge {...order} />
      </header>
      <div className="grid gap-x-12 lg:grid-cols-[minmax(0,1fr)_300px]">
        <OrderLines order="placed" lines={order.items} />
        <div className="border-t border-line pt-5 lg:border-t-0">
          <OrderSums order="placed" totals={order} />
          <p className="mt-5 text-[15px] text-ink-soft">{`${order.methodName} to ${place}`}</p>
          <Link
            to={orderPath(order.id)}
            aria-label={`View order ${orderNumber(order.id)}`}
            className="button button-quiet mt-6"
          >
            View order
          </Link>
        </div>
      </div>
    </article>
  );
}

const LOOKS: Record<Look, string> = {
  delivered: "bg-leaf-light text-good",
  shipped: "bg-mint text-ink",
  processing: "bg-saving-soft text-saving",
};

export function OrderStatusBadge({ status, look }: Pick<HistoryOrder, "status" | "look">) {
  return (
    <span
      className={`inline-flex rounded-full px-3 py-1 text-sm font-semibold ${look ? LOOKS[look] : "bg-line text-ink-soft"}`}
    >
      {status}
    </span>
  );
}
