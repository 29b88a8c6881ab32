import { ArrowRight, RefreshCw, ShieldCheck, Truck, type LucideIcon } from "lucide-react";
import { Link } from "react-router";
import { formatMoney } from "#shop/money.ts";
import { orderNumber, orderPath } from "#shop/orders/order.ts";
import { Picture } from "#app/ui/product/picture.tsx";
import { LocalTime } from "#app/ui/time/local-time.tsx";
import { tabPath } from "./tabs.ts";
import type { TabData, Person } from "./load.server.ts";
import { OrderStatusBadge } from "./orders.tsx";

export function Dashboard({ person, recentOrders, terms }: TabData<"dashboard"> & { person: Person }) {
  const name = [person.firstName, person.lastName].filter(Boolean).join(" ");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-3">
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
              <span className={`text-sm font-semibold ${person.emailVerified ? "text-good" : "text-ink-soft"}`}>
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

      <section aria-labelledby="recent-orders" className="rounded-card bg-card p-6 sm:p-8 lg:col-span-2">
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
            <p className="mt-5 text-ink-soft">No orders yet. They’ll show up here.</p>
            <Link to="/shop" className="button button-primary mt-6">
              Visit the shop
            </Link>
          </>
        ) : (
          <ul className="mt-4 divide-y divide-line border-t border-line">
            {recentOrders.map((order) => (
              <li
                key={order.id}
                className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-3 py-5 last:pb-1 sm:grid-cols-[10rem_1fr_auto_6rem]"
              >
                <Link to={orderPath(order.id)} tabIndex={-1} aria-hidden="true" className="flex gap-2">
                  {order.pictures.map((name, i) => (
                    <Picture
                      key={`${name} ${i}`}
                      name={name}
                      alt=""
                      sizes="48px"
                      className="w-12"
                      imgClassName="aspect-square w-full rounded-[10px] object-cover"
                    />
                  ))}
                </Link>
                <Link to={orderPath(order.id)} className="group block max-sm:order-1">
                  <span className="block font-semibold tabular-nums underline-offset-4 group-hover:underline">
                    {`Order ${orderNumber(order.id)}`}
                  </span>
                  <span className="block text-[15px] text-ink-soft">
                    <LocalTime date={order.createdAt} as="day" />
                  </span>
                </Link>
                <p>
                  <OrderStatusBadge {...order} />
                </p>
                <p className="text-right font-semibold tabular-nums max-sm:order-1">{formatMoney(order.totalCents)}</p>
              </li>
            ))}
          </ul>
        )}
      </section>

      <nav aria-label="Shortcuts" className="grid gap-6 sm:grid-cols-3 lg:col-span-3">
        <Shortcut
          icon={RefreshCw}
          to="/shop?category=Accessories"
          title="Order filters"
          text={`Each one lasts ${terms.filterMonths}.`}
        />
        <Track order={recentOrders.find(({ look }) => look === "shipped" || look === "processing")} />
        <Shortcut
          icon={ShieldCheck}
          to="/warranty"
          title="Warranty and returns"
          text={`A ${terms.warrantyYearsAdjective} warranty on every bowl, and ${terms.returnDays} to return it.`}
        />
      </nav>
    </div>
  );
}

/** The newest order on its way; without one, the form that finds orders placed without signing in. */
function Track({ order }: { order: TabData<"dashboard">["recentOrders"][number] | undefined }) {
  if (!order)
    return (
      <Shortcut icon={Truck} to="/orders/find" title="Find an order" text="Ordered without signing in? Find it here." />
    );
  const text = `Order ${orderNumber(order.id)} ${order.look === "shipped" ? "is on its way" : "is getting ready"}.`;
  return <Shortcut icon={Truck} to={orderPath(order.id)} title="Track your order" text={text} />;
}

function Shortcut({ icon: Icon, to, title, text }: { icon: LucideIcon; to: string; title: string; text: string }) {
  return (
    <Link
      to={to}
      className="group flex flex-col rounded-card bg-leaf-light/60 p-6 transition-colors duration-150 hover:bg-leaf-light sm:p-7"
    >
      <Icon size={24} strokeWidth={1.6} aria-hidden="true" className="text-leaf" />
      <span className="mt-5 flex items-center gap-2 text-lg font-semibold">
        <span>{title}</span>
        <ArrowRight
          size={18}
          aria-hidden="true"
          className="transition-transform duration-200 ease-out group-hover:translate-x-1"
        />
      </span>
      <span className="mt-1 text-ink-soft">{text}</span>
    </Link>
  );
}

function Entry({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="mt-0.5 break-words">{value || <span className="text-ink-soft">Not added yet</span>}</dd>
    </div>
  );
}
