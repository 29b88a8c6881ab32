/** Packing slips, one order or parcel per sheet, without prices; a label that was bought here follows its slip. */
import { Fragment } from "react";
import { Link } from "react-router";
import { supportEmail } from "#shop/contact-addresses.server.ts";
import { listSlips } from "#shop/fulfillment/shipments.server.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { db } from "#platform/database.server.ts";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import { EmptyState } from "#app/ui/admin/table.tsx";
import { Wordmark } from "#app/ui/chrome/wordmark.tsx";
import { dayWords } from "#app/ui/admin/when.tsx";
import { isId } from "../guard.server.ts";
import type { Route } from "./+types/slips.ts";

const MAX_SLIPS = 100;

export async function loader({ request }: Route.LoaderArgs) {
  const ids = (new URL(request.url).searchParams.get("ids") ?? "").split(",").filter(isId);
  return { slips: await listSlips(db, ids.slice(0, MAX_SLIPS)), from: supportEmail() };
}

export default function SlipsScreen({ loaderData: { slips, from } }: Route.ComponentProps) {
  return (
    <>
      <div className="print:hidden">
        <PageHead title="Packing slips" note={slips.length}>
          <Link to="/admin/orders?view=to-ship" className="btn">
            Back to orders
          </Link>
          <button type="button" onClick={() => print()} className="btn btn-primary noscript:hidden">
            Print
          </button>
        </PageHead>
      </div>
      {slips.length === 0 && <EmptyState>Select orders in the list, then print their packing slips.</EmptyState>}
      <div className="grid gap-6 print:block">
        {slips.map((slip) => (
          <Fragment key={slip.id}>
            <Sheet slip={slip} from={from} />
            {slip.hasLabel && (
              <img
                src={`/admin/orders/label/${slip.id}`}
                alt={`Label of order ${orderNumber(slip.orderId)}`}
                width={384}
                height={576}
                className="border border-line print:h-[6in] print:w-[4in] print:break-after-page print:border-0"
              />
            )}
          </Fragment>
        ))}
      </div>
    </>
  );
}

const STOPS = { "on-hold": "On hold: do not ship.", canceled: "Canceled: do not ship." };

type SheetProps = { slip: Route.ComponentProps["loaderData"]["slips"][number]; from: string };

function Sheet({ slip, from }: SheetProps) {
  const { orderId, placedAt, methodName, isFast, address, giftMessage, lines, stop } = slip;
  return (
    <article
      aria-label={`Order ${orderNumber(orderId)}`}
      className="max-w-[720px] border border-line bg-white p-8 text-[15px] text-black print:max-w-none print:break-after-page print:border-0 print:p-0 print:last:break-after-auto"
    >
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-b border-black pb-4">
        <div>
          <Wordmark className="h-6" />
          <p className="mt-1 text-[13px]">{from}</p>
        </div>
        <div className="text-right">
          <h2 className="!text-[20px] tabular-nums">{orderNumber(orderId)}</h2>
          <p className="text-[13px]">
            {`Placed ${placedAt.toLocaleDateString("en-US", { dateStyle: "medium", timeZone: "America/New_York" })}`}
          </p>
        </div>
      </header>
      {stop && <p className="mt-4 border-2 border-black p-2 font-semibold">{STOPS[stop]}</p>}
      <address className="mt-6 text-[17px] leading-6 not-italic">
        {address.map((line) => (
          <span key={line} className="block">
            {line}
          </span>
        ))}
      </address>
      <p className={`mt-2 ${isFast ? "w-fit border-2 border-black px-2 text-[20px] font-semibold" : ""}`}>
        {methodName}
      </p>
      <table className="mt-6 w-full text-left">
        <thead>
          <tr className="border-b border-black">
            <th scope="col" className="w-20 py-1.5 font-medium">
              Qty
            </th>
            <th scope="col" className="py-1.5 font-medium">
              Item
            </th>
            <th scope="col" className="w-20 py-1.5 text-right font-medium">
              Packed
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, units, shipsFrom }) => (
            <tr key={name} className="border-b border-[#999]">
              <td className="py-2 font-semibold tabular-nums">{units}</td>
              <td className="py-2">
                <span>{name}</span>
                {shipsFrom && <span className="block font-semibold">{`Not yet: ships ${dayWords(shipsFrom)}`}</span>}
              </td>
              <td className="py-2 text-right text-[20px]">{shipsFrom ? "" : "☐"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length === 0 && <p className="mt-4">Nothing left to ship.</p>}
      {giftMessage && (
        <section aria-label="Gift message" className="mt-8">
          <h3 className="text-[13px] font-medium">A message for you</h3>
          <p className="mt-1 text-[17px] leading-7 [overflow-wrap:anywhere] whitespace-pre-line">{giftMessage}</p>
        </section>
      )}
    </article>
  );
}
