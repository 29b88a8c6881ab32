import { discountLabel } from "#shop/cart/totals.ts";
import { Link, useSearchParams } from "react-router";
import { formatMoney } from "#shop/money.ts";
import { PageHead, Section, Status } from "#app/ui/admin/page-head.tsx";
import { filtersOf } from "#app/ui/admin/table.tsx";
import { dayWords, When } from "#app/ui/admin/when.tsx";
import { notFound, requireId } from "../../guard.server.ts";
import type { Route } from "./+types/route.ts";
import { FailedRefunds } from "./failed-refunds.tsx";
import { Lines } from "./lines.tsx";
import { loadOrder, type OrderData } from "./load.server.ts";
import { Outcome } from "./outcome.tsx";
import { Actions, NextAction, NoteForm } from "./panels.tsx";
import { Parcels } from "./parcels.tsx";

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const order = await loadOrder(context, requireId(params.orderId), new URL(request.url).searchParams);
  if (!order) throw notFound();
  return { order };
}

export { action } from "./actions.server.ts";
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../../revalidate.ts";

/** Nothing that was typed stays for the next order. */
export default function OrderScreen({ loaderData: { order } }: Route.ComponentProps) {
  return <Order key={order.id} order={order} />;
}

type Props = { order: OrderData };

function Order({ order }: Props) {
  const { number, placedAt, status, flags, next, isWithoutPayment, cardNote } = order;
  return (
    <>
      <PageHead
        title={`Order ${number}`}
        note={
          <span className="flex flex-wrap items-center gap-x-4 text-ink">
            <Status tone={status.tone}>{status.word}</Status>
            {flags.map((flag) => (
              <Status key={flag.word} tone={flag.tone}>
                {flag.word}
              </Status>
            ))}
            <span className="text-ink-soft">
              Placed <When at={placedAt} />
            </span>
          </span>
        }
      >
        <Link to={`/admin/orders/slips?ids=${slipOf(order)}`} className="btn">
          Packing slip
        </Link>
        <Neighbors order={order} />
      </PageHead>
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="grid min-w-0 content-start gap-8">
          <Outcome order={order} />
          <FailedRefunds order={order} />
          <Disputes order={order} />
          {cardNote && <p className="max-w-prose">{cardNote}</p>}
          {isWithoutPayment && (
            <p className="max-w-prose">
              Placed without payment. The terms promise that you contact the customer about it. The order ships once its
              payment is recorded or authorized.
              {order.hasBillingAddress && (
                <span> The customer has another billing address: ask for it with the payment.</span>
              )}
            </p>
          )}
          {order.toPay && (
            <p className="max-w-prose">
              <span>
                Waiting for the customer to pay. The items are reserved until <When at={order.toPay.until} />.
              </span>{" "}
              <span>
                They pay at <span className="break-all select-all">{order.toPay.url}</span>
              </span>
            </p>
          )}
          {next && (
            <section aria-label="Next step" className="rounded-card border border-line bg-card p-4">
              <NextAction order={order} />
            </section>
          )}
          <Actions order={order} />
          <Lines order={order} />
          <div className="grid gap-8 sm:grid-cols-2">
            <Customer order={order} />
            <Parcels order={order} />
          </div>
          <Returns order={order} />
          {order.money && <Money order={order} />}
        </div>
        <Section title="Timeline" className="gap-5">
          <NoteForm order={order} />
          <Timeline order={order} />
        </Section>
      </div>
    </>
  );
}

/** Disputes that are lost, or wait for evidence, which only the provider's pages take. */
const Disputes = ({ order: { money } }: Props) =>
  money?.payments.map(
    ({ id, disputedUntil, isLost, dashboard }) =>
      (isLost && (
        <p key={id} className="max-w-prose text-saving">
          The bank decided a dispute for the customer, and took this payment back. Nothing more of it can be refunded.
        </p>
      )) ||
      (disputedUntil && (
        <p key={id} className="max-w-prose text-saving">
          The customer disputes this payment. Respond{" "}
          {dashboard && (
            <span>
              in{" "}
              <a href={dashboard.url} className="admin-link">
                {dashboard.name}
              </a>{" "}
            </span>
          )}
          <span>
            by <When at={disputedUntil} />, with the tracking number and your emails. It can’t be refunded meanwhile.
          </span>
        </p>
      )),
  );

/** The latest parcel with a label, once nothing is left to ship; before, what is left. */
const slipOf = ({ id, lines, parcels }: OrderData) =>
  (lines.every(({ unitsLeft }) => unitsLeft === 0) && parcels.findLast(({ hasLabel }) => hasLabel)?.id) || id;

/** The orders beside this one in the list that it was opened from. */
function Neighbors({ order: { previous, following } }: Props) {
  const query = filtersOf(useSearchParams()[0]).toString();
  const link = (id: string | null, label: string, sign: string, rel: string) =>
    id && (
      <Link
        to={`/admin/orders/${id}${query && `?${query}`}`}
        aria-label={label}
        title={label}
        rel={rel}
        className="btn"
      >
        {sign}
      </Link>
    );
  return (
    <>
      {link(previous, "Previous order", "←", "prev")}
      {link(following, "Next order", "→", "next")}
    </>
  );
}

function Customer({
  order: { address, giftMessage, customerPath, method, methodName, days, termsVersion, termsPath, money },
}: Props) {
  const name = `${address.shippingFirstName} ${address.shippingLastName}`.trim();
  return (
    <Section title="Ship to" className="gap-2">
      <address className="not-italic [overflow-wrap:anywhere]">
        {name ? (
          [
            name,
            address.shippingAddressLine1,
            address.shippingAddressLine2,
            `${address.shippingCity}, ${address.shippingState} ${address.shippingPostalCode}`,
          ]
            .filter(Boolean)
            .map((line) => (
              <span key={line} className="block">
                {line === name && customerPath ? (
                  <Link to={customerPath} className="admin-link">
                    {name}
                  </Link>
                ) : (
                  line
                )}
              </span>
            ))
        ) : (
          <span className="text-ink-soft">The customer’s name and address were erased.</span>
        )}
      </address>
      {giftMessage && (
        <p className="[overflow-wrap:anywhere] whitespace-pre-line">
          <span className="text-ink-soft">Gift message: </span>
          <span>{giftMessage}</span>
        </p>
      )}
      <p className="text-ink-soft">{method}</p>
      {days && (
        <>
          <p>{`${days.shipBy ? `Ship by ${dayWords(days.shipBy)}` : "New ship date not known"} (${methodName})`}</p>
          <p className="text-ink-soft">
            {days.told.arrives ? `Arrives ${days.told.arrives}` : `The customer reads “${days.told.ships}”`}
          </p>
        </>
      )}
      <p className="text-ink-soft">
        Under the{" "}
        <a href={termsPath} className="admin-link">
          {`terms of ${dayWords(termsVersion)}`}
        </a>
      </p>
      {money?.email && (
        <p className="[overflow-wrap:anywhere]">
          <a href={`mailto:${money.email}`} className="admin-link">
            {money.email}
          </a>
          <span className="block">{money.phone}</span>
        </p>
      )}
    </Section>
  );
}

function Returns({ order: { returns } }: Props) {
  if (returns.length === 0) return null;
  return (
    <Section title="Returns" className="gap-2">
      <ul className="grid gap-2">
        {returns.map(({ id, number, words, tone }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4">
            <Link to={`/admin/returns/${id}`} className="admin-link tabular-nums">
              {number}
            </Link>
            <Status tone={tone}>{words}</Status>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Money({ order: { money } }: Props) {
  if (!money) return null;
  const { ordered, chargedCents, capturedCents, refundedCents, otherwiseCents, payments, status } = money;
  const rows = [
    ["Subtotal", ordered.subtotalCents],
    ...(ordered.discountCents > 0 ? [[discountLabel(ordered), -ordered.discountCents]] : []),
    ["Shipping", ordered.shippingCents],
    ["Tax", ordered.taxCents],
    ...(chargedCents === ordered.totalCents ? [] : [["Canceled items", chargedCents - ordered.totalCents]]),
    ["Total", chargedCents],
    ["Charged", capturedCents],
    ...(refundedCents > 0 ? [["Refunded", refundedCents]] : []),
    ...(otherwiseCents > 0 ? [["Refunded another way", otherwiseCents]] : []),
  ] as const;
  return (
    <Section title="Payment">
      <div className="grid gap-8 sm:grid-cols-2">
        <dl className="grid content-start gap-1.5">
          {rows.map(([label, cents]) => (
            <div key={label} className={`flex justify-between gap-6 ${label === "Total" ? "font-medium" : ""}`}>
              <dt className="text-ink-soft">{label}</dt>
              <dd className="tabular-nums">{formatMoney(Number(cents))}</dd>
            </div>
          ))}
        </dl>
        <div className="grid content-start gap-3">
          <Status tone={status.tone}>{status.word}</Status>
          {payments.map(({ id, words, captureBefore, problem, dashboard }) => (
            <p key={id} className="[overflow-wrap:anywhere]">
              <span>{words}</span>
              {problem && <span className="block text-saving">{problem}</span>}
              {captureBefore && (
                <span className="block">
                  Charge by <When at={captureBefore} />
                </span>
              )}
              {dashboard && (
                <a href={dashboard.url} className="admin-link block w-fit">
                  {`View in ${dashboard.name}`}
                </a>
              )}
            </p>
          ))}
        </div>
      </div>
    </Section>
  );
}

function Timeline({ order: { timeline } }: Props) {
  return (
    <ol className="grid border-l border-line">
      {timeline.map(({ key, at, who, title, text, isNote, isTrouble }) => (
        <li key={key} className="relative pb-5 pl-5">
          <span
            aria-hidden="true"
            className={`absolute top-1.5 -left-[4.5px] size-2 rounded-full ${isTrouble ? "bg-saving" : isNote ? "bg-copper" : "bg-ink"}`}
          />
          <span className={`font-medium ${isTrouble ? "text-saving" : ""}`}>{title}</span>
          {text && <p className="[overflow-wrap:anywhere] whitespace-pre-line">{text}</p>}
          <p className="text-ink-soft">
            <span>{`${who}, `}</span>
            <When at={at} />
          </p>
        </li>
      ))}
    </ol>
  );
}
