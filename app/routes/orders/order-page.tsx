import { Link } from "react-router";
import { Alert } from "../../ui/feedback/alert.tsx";
import { LocalTime } from "../../ui/time/local-time.tsx";
import { OrderLines } from "../../ui/order/order-lines.tsx";
import { Picture } from "../../ui/product/picture.tsx";
import type { Confirmed } from "./action-result.ts";
import { Acts, ConfirmHere } from "./acts.tsx";
import type { OrderPageData } from "./load.server.ts";
import { Details } from "./details.tsx";
import { Timeline } from "./timeline.tsx";

type OrderPageProps = { order: OrderPageData; confirming: Confirmed | null; refusal: string | undefined };

/** Where an order stands, above all; then what is in it, what it costs, and what can be done about it. */
export function OrderPage({ order, confirming, refusal }: OrderPageProps) {
  const { number, story, placedAt, isOwner, lines } = order;
  return (
    <div className="page pt-8 pb-24 lg:pt-14 lg:pb-32">
      {isOwner && (
        <Link to="/account?tab=orders" className="text-link mb-4 inline-flex min-h-11 items-center">
          All orders
        </Link>
      )}
      {refusal && (
        <Alert tone="error" focusFor={refusal} className="mb-8 px-5 py-4 font-medium text-error">
          {refusal}
        </Alert>
      )}
      {confirming && <ConfirmHere order={order} act={confirming} />}
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)] xl:gap-x-24">
        <header className="lg:sticky lg:top-28 lg:self-start">
          <p className="mb-3 font-semibold text-leaf tabular-nums">Order {number}</p>
          <h1 className="display">{story.title}</h1>
          <p className="mt-5 max-w-[30em] text-lg text-ink-soft lg:text-xl">{story.lead}</p>
          <Acts order={order} />
          <Pictures order={order} />
        </header>
        <Timeline steps={story.steps} isEnded={order.isEnded} />
      </div>
      <div className="mt-14 grid gap-x-16 gap-y-10 border-t border-line pt-10 lg:mt-20 lg:grid-cols-[minmax(0,1fr)_400px] lg:pt-14 xl:gap-x-24">
        <section aria-labelledby="ordered">
          <h2 id="ordered" className="text-2xl font-semibold">
            What you ordered
          </h2>
          <p className="mt-2 text-ink-soft">
            Placed <LocalTime date={placedAt} as="day" />
          </p>
          <div className="mt-3">
            <OrderLines order="placed" lines={lines} />
          </div>
        </section>
        <Details order={order} />
      </div>
    </div>
  );
}

const MAX_PICTURES = 3;

/** Where there is room beside a long timeline: what it is all about. */
function Pictures({ order: { lines } }: { order: OrderPageData }) {
  return (
    <div aria-hidden="true" className="mt-10 flex gap-4 max-lg:hidden">
      {lines.slice(0, MAX_PICTURES).map(({ id, thumbnail }) => (
        <Picture
          key={id}
          name={thumbnail ?? ""}
          alt=""
          sizes="144px"
          className="w-36"
          imgClassName="aspect-square w-full rounded-card object-cover"
        />
      ))}
    </div>
  );
}
