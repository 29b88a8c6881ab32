import { data } from "react-router";
import { ordersEmail } from "#shop/contact-addresses.server.ts";
import { formatMoney } from "#shop/money.ts";
import { privateHeaders } from "#platform/cache-headers.ts";
import { privateMeta } from "#app/http/page-meta.ts";
import { findOrderFor } from "#app/session/order-access.server.ts";
import { Wordmark } from "#app/ui/chrome/wordmark.tsx";
import { OrderSums } from "#app/ui/order/order-sums.tsx";
import { LocalTime } from "#app/ui/time/local-time.tsx";
import type { Route } from "./+types/receipt.ts";
import { NotShown, Payment } from "./order-page.tsx";
import { loadOrder, notShown, type OrderPageData } from "./load.server.ts";
import { PrintSheet } from "./print-sheet.tsx";

export const headers = privateHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  privateMeta(loaderData?.order ? `Receipt ${loaderData.order.number}` : "Your order");

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const access = await findOrderFor(request, params.orderId);
  return access ? data({ order: await loadOrder(access), from: ordersEmail() }) : notShown(context);
}

export default function Receipt({ loaderData }: Route.ComponentProps) {
  if (!loaderData.order) return <NotShown wait={loaderData.wait} />;
  return <Sheet order={loaderData.order} from={loaderData.from} />;
}

function Sheet({ order, from }: { order: OrderPageData; from: string }) {
  const { id, number, placedAt, lines, totals, method, address, email } = order;
  return (
    <PrintSheet back={`/orders/${id}`} backLabel="Back to your order">
      <header className="flex flex-wrap items-start justify-between gap-x-10 gap-y-5 border-b border-line pb-7">
        <div>
          <Wordmark />
          <p className="mt-2 text-[15px] text-ink-soft">{from}</p>
        </div>
        <div className="sm:text-right">
          <h1 className="text-2xl font-semibold">Receipt</h1>
          <p className="mt-1 tabular-nums">{`Order ${number}`}</p>
          <p className="text-[15px] text-ink-soft">
            <LocalTime date={placedAt} as="day" />
          </p>
        </div>
      </header>
      {/* Columns by content would move while the rows of a long receipt arrive. */}
      <div className="mt-6 overflow-x-auto">
        <table className="w-full text-left tabular-nums sm:table-fixed">
          <thead className="text-[15px] text-ink-soft">
            <tr>
              <th className="py-2 font-normal">Item</th>
              <th className="py-2 pl-4 text-right font-normal sm:w-46">Price</th>
              <th className="py-2 pl-4 text-right font-normal sm:w-35">Amount</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ id: line, name, quantity, priceCents, note }) => (
              <tr key={line} className="border-t border-line align-top">
                <td className="py-2.5">
                  <span>{name}</span>
                  {note && <span className="block text-sm text-ink-soft">{note}</span>}
                </td>
                <td className="py-2.5 pl-4 text-right whitespace-nowrap">{`${quantity} × ${formatMoney(priceCents)}`}</td>
                <td className="py-2.5 pl-4 text-right">{formatMoney(priceCents * quantity)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="mt-2 grid gap-x-12 gap-y-8 border-t border-line pt-6 sm:grid-cols-[minmax(0,1fr)_300px]">
        <dl className="order-last grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4 text-[15px] [overflow-wrap:anywhere] sm:order-first">
          <div>
            <dt className="text-ink-soft">Delivery address</dt>
            <dd className="whitespace-pre-line">{address.join("\n")}</dd>
          </div>
          <div>
            <dt className="text-ink-soft">Shipping</dt>
            <dd>{method}</dd>
          </div>
          <div>
            <dt className="text-ink-soft">Email</dt>
            <dd>{email}</dd>
          </div>
        </dl>
        <section aria-label="Total">
          <OrderSums order="placed" totals={totals} />
          <Payment order={order} />
        </section>
      </div>
    </PrintSheet>
  );
}
