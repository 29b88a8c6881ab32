/** The slip that goes into the box of a return. */
import { renderSVG } from "uqr";
import { config } from "#platform/config.server.ts";
import { privateHeaders } from "#platform/cache-headers.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { privateMeta } from "#app/http/page-meta.ts";
import { Wordmark } from "#app/ui/chrome/wordmark.tsx";
import { NotShown } from "../order-page.tsx";
import { PrintSheet } from "../print-sheet.tsx";
import type { Route } from "./+types/slip.ts";
import { loadReturn } from "./load.server.ts";
import type { ReturnView } from "./return-view.ts";

export const headers = privateHeaders;

export const meta: Route.MetaFunction = () => privateMeta("Return slip");

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const found = await loadReturn(request, params, context);
  if (!found.data.order) return found;
  // Staff scan it, which opens the return.
  const svg = renderSVG(`${config().baseUrl}/admin/returns?q=${found.data.orderReturn.number}`, { border: 1 });
  return { ...found.data, qr: `data:image/svg+xml,${encodeURIComponent(svg)}` };
}

export default function Slip({ loaderData }: Route.ComponentProps) {
  if (!("qr" in loaderData) || !loaderData.order) return <NotShown wait={loaderData.wait} />;
  return <Sheet orderReturn={loaderData.orderReturn} orderId={loaderData.order.id} qr={loaderData.qr} />;
}

function Sheet({ orderReturn, orderId, qr }: { orderReturn: ReturnView; orderId: string; qr: string }) {
  const { number, kind, lines, shipping, reason } = orderReturn;
  return (
    <PrintSheet back={orderReturn.path} backLabel="Back to your return">
      <header className="flex flex-wrap items-start justify-between gap-x-10 gap-y-5 border-b border-line pb-7">
        <div>
          <Wordmark />
          <h1 className="mt-5 text-[15px] text-ink-soft">Return slip</h1>
          <p className="text-4xl font-semibold tracking-tight tabular-nums">{number}</p>
          <p className="mt-1 text-[15px] text-ink-soft">{`${kind}, order ${orderNumber(orderId)}`}</p>
        </div>
        <img src={qr} alt={`QR code of ${number}`} width="128" height="128" className="size-32" />
      </header>
      <table className="mt-6 w-full text-left">
        <thead className="text-[15px] text-ink-soft">
          <tr>
            <th className="w-20 py-2 font-normal">Units</th>
            <th className="py-2 font-normal">Item</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ id, name, units }) => (
            <tr key={id} className="border-t border-line">
              <td className="py-2.5 tabular-nums">{units}</td>
              <td className="py-2.5">{name}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-2 border-t border-line pt-4">{`Reason: ${reason}`}</p>
      {shipping && (
        <div className="mt-8 grid gap-8 sm:grid-cols-2">
          <section aria-labelledby="to">
            <h2 id="to" className="text-[15px] text-ink-soft">
              Send it to
            </h2>
            <address className="mt-1 text-lg not-italic">
              {shipping.address.map((line) => (
                <span key={line} className="block">
                  {line}
                </span>
              ))}
            </address>
          </section>
          <ol className="list-decimal pl-5">
            <li>Remove all food, then clean and dry everything.</li>
            <li>Pack it well, with everything that came with it and this slip.</li>
            <li>{`Write ${number} on the outside of the box.`}</li>
          </ol>
        </div>
      )}
    </PrintSheet>
  );
}
