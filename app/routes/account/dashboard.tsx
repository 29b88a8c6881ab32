import { Link } from "react-router";
import { formatMoney } from "#shop/money.ts";
import { orderNumber, orderPath } from "#shop/orders/order.ts";
import { LocalTime } from "#app/ui/time/local-time.tsx";
import { tabPath } from "./tabs.ts";
import type { TabData, Person } from "./load.server.ts";
import { OrderStatusBadge } from "./orders.tsx";

export function Dashboard({ person, recentOrders }: TabData<"dashboard"> & { person: Person }) {
  const name = [person.firstName, person.lastName].filter(Boolean).join(" ");
  return (
    <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.7fr)] lg:gap-12">
      <section aria-labelledby="profile" className="rounded-card bg-card p-6 sm:p-8">
        <h2 id="profile" className="text-xl font-semibold">
          Profile
        </h2>
        <dl className="mt-5 grid gap-5">
          <Entry label="Name" value={name} />
          <div>
            <dt className="text-sm text-ink-soft">Email</dt>
            <dd className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="min-w-0 break-words">{person.email}</span>
              <span className={`text-sm font-semibold ${person.emailVerified ? "text-good" : "text-saving"}`}>
                {person.emailVerified ? "Verified" : "Not verified"}
              </span>
            </dd>
          </div>
          <Entry label="Phone" value={person.phone} />
        </dl>
        <Link to={tabPath("settings")} className="text-link mt-4 -mb-2 inline-flex min-h-11 items-center">
          Edit profile
        </Link>
      </section>

      <section aria-labelledby="recent-orders" className="rounded-card bg-card p-6 sm:p-8">
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <h2 id="recent-orders" className="text-xl font-semibold">
            Recent orders
          </h2>
          {recentOrders.length > 0 && (
            <Link to={tabPath("orders")} className="text-link -my-2.5 inline-flex min-h-11 items-center">
              See all orders
            </Link>
          )}
        </div>
        {recentOrders.length === 0 ? (
          <>
            <p className="mt-5 text-ink-soft">You have no orders yet. When you do, they stand here.</p>
            <Link to="/shop" className="button button-primary mt-6">
              Visit the shop
            </Link>
          </>
        ) : (
          <ul className="mt-4 divide-y divide-line border-t border-line">
            {recentOrders.map((order) => (
              <li
                key={order.id}
                className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1.5 py-5 last:pb-1 sm:grid-cols-[1fr_9rem_6rem]"
              >
                <Link to={orderPath(order.id)} className="group block">
                  <span className="block font-semibold tabular-nums underline-offset-4 group-hover:underline">
                    Order {orderNumber(order.id)}
                  </span>
                  <span className="block text-[15px] text-ink-soft">
                    <LocalTime date={order.createdAt} as="day" />
                  </span>
                </Link>
                <p className="max-sm:order-last">
                  <OrderStatusBadge status={order.status} />
                </p>
                <p className="text-right font-semibold tabular-nums">{formatMoney(order.totalCents)}</p>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

function Entry({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="mt-0.5 break-words">{value || <span className="text-ink-soft">Not given yet</span>}</dd>
    </div>
  );
}
