import { Link } from "react-router";
import { formatMoney } from "#shop/money.ts";
import { unitsKept } from "#shop/orders/order.ts";
import { PageHead, Section, Status } from "#app/ui/admin/page-head.tsx";
import { ActionMessage, useActionResult } from "#app/ui/form/form.tsx";
import { AdminTable, type Column } from "#app/ui/admin/table.tsx";
import { dayWords, When } from "#app/ui/admin/when.tsx";
import { notFound, requireId } from "../../guard.server.ts";
import type { Route } from "./+types/route.ts";
import { FailedRefunds } from "./failed-refunds.tsx";
import { loadOrder, type OrderData } from "./load.server.ts";
import { MoreActions, NextAction, NoteForm } from "./panels.tsx";
import { Parcels } from "./parcels.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const order = await loadOrder(context, requireId(params.orderId));
  if (!order) throw notFound();
  return { order };
}

export { action } from "./actions.server.ts";
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../../revalidate.ts";

export default function OrderScreen({ loaderData: { order } }: Route.ComponentProps) {
  const { number, placedAt, status, flags, next, isWithoutPayment } = order;
  const done = useDoneStep(order);
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
      </PageHead>
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="grid min-w-0 content-start gap-8">
          <FailedRefunds order={order} />
          {isWithoutPayment && (
            <p className="max-w-prose">
              Placed without payment. The terms promise that you contact the customer about it. The order ships once its
              payment is recorded or authorized.
              {order.hasBillingAddress && " The customer has another billing address: ask for it with the payment."}
            </p>
          )}
          {order.refundDueCents > 0 && (
            <p className="max-w-prose text-saving">
              The customer paid you directly. Send back {formatMoney(order.refundDueCents)}, then record the refund.
            </p>
          )}
          {(next || done) && (
            <section aria-label="Next step" className="grid gap-4 rounded-card border border-line bg-card p-4">
              {done && <ActionMessage result={done} />}
              {next && <NextAction order={order} />}
            </section>
          )}
          <Lines order={order} />
          <div className="grid gap-8 sm:grid-cols-2">
            <Customer order={order} />
            <Parcels order={order} />
          </div>
          <Returns order={order} />
          {order.money && <Money order={order} />}
          <Section title={next ? "More actions" : "Actions"}>
            <MoreActions order={order} />
          </Section>
        </div>
        <Section title="Timeline" className="gap-5">
          <NoteForm order={order} />
          <Timeline order={order} />
        </Section>
      </div>
    </>
  );
}

type Props = { order: OrderData };

/** The latest parcel with a label, once nothing is left to ship; before, what is left. */
const slipOf = ({ id, lines, parcels }: OrderData) =>
  (lines.every(({ unitsLeft }) => unitsLeft === 0) && parcels.findLast(({ hasLabel }) => hasLabel)?.id) || id;

/** The result of the last step that is not the next one anymore. The order's state changed where it was pressed. */
function useDoneStep({ id, next }: OrderData) {
  const results = {
    unhold: useActionResult(`unhold-${id}`),
    "ask-payment": useActionResult(`ask-payment-${id}`),
    "record-payment": useActionResult(`record-payment-${id}`),
    ship: useActionResult(`ship-${id}`),
    "buy-label": useActionResult(`buy-label-${id}`),
    deliver: useActionResult(`deliver-${id}`),
  };
  return Object.entries(results).findLast(([step, result]) => result?.message && step !== next)?.[1];
}

type Line = OrderData["lines"][number];

const lineColumns = (sums: boolean): (Column<Line> | false)[] => [
  { header: "Qty", cell: unitsKept, isNumber: true },
  {
    header: "Item",
    cell: ({ name, canceledQuantity }) => (
      <>
        {name}
        {canceledQuantity > 0 && <span className="text-ink-soft">, {canceledQuantity} canceled</span>}
      </>
    ),
  },
  { header: "To ship", cell: ({ unitsLeft }) => unitsLeft, isNumber: true },
  sums && { header: "Price", cell: ({ priceCents = 0 }) => formatMoney(priceCents), isNumber: true },
  sums && {
    header: "Total",
    cell: ({ priceCents = 0, ...line }) => formatMoney(priceCents * unitsKept(line)),
    isNumber: true,
  },
];

function Lines({ order: { lines, money } }: Props) {
  return (
    <Section title="Items" className="gap-2">
      <AdminTable
        label="Order items"
        columns={lineColumns(money !== undefined)}
        rows={lines}
        rowKey={({ id }) => id}
        isGrid
        empty="No items."
      />
    </Section>
  );
}

function Customer({ order: { address, method, promisedOn, isDayUnknown, termsVersion, money } }: Props) {
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
                {line}
              </span>
            ))
        ) : (
          <span className="text-ink-soft">This customer deleted their account.</span>
        )}
      </address>
      <p className="text-ink-soft">{method}</p>
      {promisedOn && (
        <p className="text-ink-soft">
          Promised by {dayWords(promisedOn)}
          {isDayUnknown && ", new day not known"}
        </p>
      )}
      <p className="text-ink-soft">Agreed to the terms of {dayWords(termsVersion)}</p>
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
  const { ordered, chargedCents, capturedCents, refundedCents, payments, status } = money;
  const rows = [
    ["Subtotal", ordered.subtotalCents],
    ["Shipping", ordered.shippingCents],
    ["Tax", ordered.taxCents],
    ["Total", ordered.totalCents],
    ...(chargedCents === ordered.totalCents ? [] : [["Total after cancellations", chargedCents]]),
    ["Charged", capturedCents],
    ...(refundedCents > 0 ? [["Refunded", refundedCents]] : []),
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
          {payments.map(({ id, words, captureBefore, problem, disputedUntil, dashboard }) => (
            <p key={id} className="[overflow-wrap:anywhere]">
              {words}
              {problem && <span className="block text-saving">{problem}</span>}
              {captureBefore && (
                <span className="block">
                  Capture by <When at={captureBefore} />
                </span>
              )}
              {disputedUntil && (
                <span className="block text-saving">
                  Respond to dispute by <When at={disputedUntil} />
                </span>
              )}
              {dashboard && (
                <a href={dashboard.url} className="admin-link block w-fit">
                  View in {dashboard.name}
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
            {who}, <When at={at} />
          </p>
        </li>
      ))}
    </ol>
  );
}
