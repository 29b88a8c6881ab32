import { counted } from "#shop/units.ts";
import { Link } from "react-router";
import { orderNumber, orderPath } from "#shop/orders/order.ts";
import { Picture } from "#app/ui/product/picture.tsx";
import { Entry } from "../order-page.tsx";
import { Timeline } from "../timeline.tsx";
import type { ReturnView } from "./return-view.ts";
import { ReturnActions, ReturnRefusal, Withdraw } from "./return-actions.tsx";

type Props = { orderReturn: ReturnView };

export function ReturnPage({ orderId, orderReturn }: Props & { orderId: string }) {
  return (
    <div className="page pt-8 pb-24 lg:pt-14 lg:pb-32">
      <Link to={orderPath(orderId)} className="text-link mb-4 inline-flex min-h-11 items-center">
        {`Order ${orderNumber(orderId)}`}
      </Link>
      <ReturnRefusal />
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)] xl:gap-x-24">
        <header className="lg:sticky lg:top-28 lg:self-start">
          <p className="mb-3 font-semibold text-leaf tabular-nums">{`${orderReturn.kind} ${orderReturn.number}`}</p>
          <h1 className="display">{orderReturn.title}</h1>
          <p className="mt-5 max-w-[30em] text-lg text-ink-soft lg:text-xl">{orderReturn.lead}</p>
          <div className="mt-8 flex flex-wrap gap-3 empty:hidden">
            <ReturnActions orderReturn={orderReturn} />
          </div>
          <Shipping orderReturn={orderReturn} />
        </header>
        <Timeline steps={orderReturn.steps} isEnded={orderReturn.isEnded} />
      </div>
      <div className="mt-14 grid gap-x-16 gap-y-10 border-t border-line pt-10 lg:mt-20 lg:grid-cols-[minmax(0,1fr)_400px] lg:pt-14 xl:gap-x-24">
        <section aria-labelledby="sent">
          <h2 id="sent" className="text-2xl font-semibold">
            What you’re sending back
          </h2>
          <ReturnLines lines={orderReturn.lines} />
        </section>
        <div className="grid content-start gap-6">
          <dl className="grid gap-6">
            <Entry label="Reason">{orderReturn.reason}</Entry>
            {orderReturn.exchange && <Entry label="You’d like instead">{orderReturn.exchange}</Entry>}
            {orderReturn.description && (
              <Entry label="In your words">
                <span className="whitespace-pre-line">{orderReturn.description}</span>
              </Entry>
            )}
          </dl>
          <Photos photos={orderReturn.photos} />
          <div className="grid border-t border-line pt-4">
            <Link
              to={`/support?order=${orderNumber(orderId)}#contact`}
              className="text-link inline-flex min-h-11 items-center"
            >
              Ask about this return
            </Link>
            <Withdraw orderReturn={orderReturn} />
          </div>
        </div>
      </div>
    </div>
  );
}

function Shipping({ orderReturn: { shipping } }: Props) {
  if (!shipping) return null;
  return (
    <dl className="mt-8 grid gap-5 rounded-card bg-card p-6 sm:grid-cols-2">
      <Entry label="Send it to">
        {shipping.address.map((line) => (
          <span key={line} className="block">
            {line}
          </span>
        ))}
      </Entry>
      <Entry label="Shipping">
        {!shipping.isPaidByUs
          ? "You choose and pay for it. Use a trackable service, and keep the receipt."
          : shipping.labelUrl
            ? "We pay. Put the prepaid label on the box."
            : "We pay. We’ll email you a label, and your time to send it starts then."}
      </Entry>
    </dl>
  );
}

type ReturnLine = { id: string; name: string; thumbnail: string | null; units: number };

export function ReturnLines({ lines }: { lines: ReturnLine[] }) {
  return (
    <ul className="mt-3 divide-y divide-line">
      {lines.map(({ id, name, thumbnail, units }) => (
        <li
          key={id}
          className="grid grid-cols-[64px_1fr_auto] items-center gap-4 py-4 sm:grid-cols-[84px_1fr_auto] sm:gap-6"
        >
          <Picture
            name={thumbnail ?? ""}
            alt=""
            sizes="84px"
            imgClassName="aspect-square w-full rounded-[10px] object-cover"
          />
          <p className="font-medium">{name}</p>
          <p className="text-ink-soft tabular-nums">{counted(units, "unit")}</p>
        </li>
      ))}
    </ul>
  );
}

function Photos({ photos }: { photos: string[] }) {
  if (photos.length === 0) return null;
  return (
    <ul aria-label="Your photos" className="flex flex-wrap gap-3">
      {photos.map((src, i) => (
        <li key={src}>
          <a href={src} target="_blank" rel="noreferrer">
            <img
              src={src}
              alt={`Sent by you, ${i + 1} of ${photos.length}`}
              className="size-28 rounded-[10px] object-cover"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}
