/** One order: what is to be done with it, what it is, and what happened to it. */
import { data, Link } from "react-router";
import { formatMoney } from "../../../../../shop/money.ts";
import { NO_STORE, privateHeaders } from "../../../../http/cache-headers.ts";
import { PageHead } from "../../../../ui/admin/page-head.tsx";
import { Status } from "../../../../ui/admin/status.tsx";
import { When } from "../../../../ui/admin/when.tsx";
import { UUID } from "../tracking-lines.ts";
import { actInBrowser } from "../../act-in-browser.ts";
import type { Route } from "./+types/route.ts";
import type { OrderData } from "./load.server.ts";
import { AskPaymentPanel, DeliverPanel, MoreActs, NoteForm, ShipPanel, UnholdPanel } from "./panels.tsx";

export const headers = privateHeaders;

const nothingHere = () => data(null, { status: 404 });

export async function loader({ params: { orderId }, context }: Route.LoaderArgs) {
  const { loadOrder } = await import("./load.server.ts");
  const order = UUID.test(orderId) ? await loadOrder(context, orderId) : null;
  if (!order) throw nothingHere();
  return data({ order }, { headers: NO_STORE });
}

export async function action({ request, params: { orderId }, context }: Route.ActionArgs) {
  const { orderAct } = await import("./acts.server.ts");
  const answer = UUID.test(orderId) ? await orderAct(request, context, orderId) : null;
  if (!answer) throw nothingHere();
  return answer;
}

export const clientAction = actInBrowser;

export default function OrderScreen({ loaderData: { order } }: Route.ComponentProps) {
  const { number, placedAt, status, flags, next, id } = order;
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
              placed <When at={placedAt} />
            </span>
          </span>
        }
      >
        <Link to={`/admin/orders/slips?ids=${id}`} className="act">
          Packing slip
        </Link>
      </PageHead>
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="grid min-w-0 content-start gap-8">
          {next && (
            <section aria-label="Next" className="rounded-card border border-line bg-card p-4">
              <Next order={order} />
            </section>
          )}
          <Lines order={order} />
          <div className="grid gap-8 sm:grid-cols-2">
            <Customer order={order} />
            <Parcels order={order} />
          </div>
          {order.money && <Money order={order} />}
          <section aria-labelledby="more" className="grid gap-3">
            <h2 id="more">{next ? "What else can be done" : "What can be done"}</h2>
            <MoreActs order={order} />
          </section>
        </div>
        <section aria-labelledby="timeline" className="grid min-w-0 content-start gap-5">
          <h2 id="timeline">Timeline</h2>
          <NoteForm order={order} />
          <Timeline order={order} />
        </section>
      </div>
    </>
  );
}

type Props = { order: OrderData };

function Next({ order }: Props) {
  const panels = {
    ship: <ShipPanel order={order} isNext />,
    deliver: <DeliverPanel order={order} isNext />,
    unhold: <UnholdPanel order={order} isNext />,
    "ask-payment": <AskPaymentPanel order={order} isNext />,
  };
  return order.next && order.next in panels ? panels[order.next as keyof typeof panels] : null;
}

function Lines({ order: { lines, money } }: Props) {
  return (
    <section aria-labelledby="lines">
      <h2 id="lines" className="mb-2">
        Lines
      </h2>
      <div className="admin-scroll">
        <table className="admin-table">
          <thead>
            <tr>
              <th scope="col" className="number">
                Units
              </th>
              <th scope="col">Item</th>
              <th scope="col" className="number">
                Not sent
              </th>
              {money && (
                <th scope="col" className="number">
                  Price
                </th>
              )}
              {money && (
                <th scope="col" className="number">
                  Sum
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {lines.map(({ id, name, quantity, canceledQuantity, unitsLeft, priceCents }) => (
              <tr key={id}>
                <td className="number font-medium">{quantity - canceledQuantity}</td>
                <td>
                  {name}
                  {canceledQuantity > 0 && <span className="text-ink-soft">, {canceledQuantity} canceled</span>}
                </td>
                <td className="number">{unitsLeft}</td>
                {priceCents !== undefined && <td className="number">{formatMoney(priceCents)}</td>}
                {priceCents !== undefined && (
                  <td className="number">{formatMoney(priceCents * (quantity - canceledQuantity))}</td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Customer({ order: { address, method, shipsBy, money } }: Props) {
  const name = `${address.shippingFirstName} ${address.shippingLastName}`.trim();
  return (
    <section aria-labelledby="to">
      <h2 id="to" className="mb-2">
        Ship to
      </h2>
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
          <span className="text-ink-soft">Its customer has deleted the account.</span>
        )}
      </address>
      <p className="mt-2 text-ink-soft">{method}</p>
      {shipsBy && <p className="text-ink-soft">Promised by {shipsBy}</p>}
      {money?.email && (
        <p className="mt-2 [overflow-wrap:anywhere]">
          <a href={`mailto:${money.email}`} className="admin-link">
            {money.email}
          </a>
          <span className="block">{money.phone}</span>
        </p>
      )}
    </section>
  );
}

const PARCEL_WORDS = {
  capturing: { word: "Waits for its money", tone: "soon" },
  failed: { word: "Not sent", tone: "late" },
  shipped: { word: "On its way", tone: "open" },
  delivered: { word: "Delivered", tone: "done" },
  refused: { word: "Refused", tone: "late" },
  lost: { word: "Lost", tone: "late" },
} as const;

function Parcels({ order: { parcels } }: Props) {
  return (
    <section aria-labelledby="parcels">
      <h2 id="parcels" className="mb-2">
        Parcels
      </h2>
      {parcels.length === 0 && <p className="text-ink-soft">Nothing was sent yet.</p>}
      <ul className="grid gap-3">
        {parcels.map(({ id, carrier, trackingNumber, url, state, shippedAt }) => (
          <li key={id}>
            <Status tone={PARCEL_WORDS[state].tone}>{PARCEL_WORDS[state].word}</Status>
            <span className="block [overflow-wrap:anywhere]">
              {carrier}{" "}
              {url && (
                <a href={url} className="admin-link tabular-nums">
                  {trackingNumber}
                </a>
              )}
            </span>
            {shippedAt && (
              <span className="text-ink-soft">
                <When at={shippedAt} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Money({ order: { money } }: Props) {
  if (!money) return null;
  const { ordered, chargedCents, capturedCents, refundedCents, payments, status } = money;
  const rows = [
    ["Items", ordered.subtotalCents],
    ["Shipping", ordered.shippingCents],
    ["Tax", ordered.taxCents],
    ["Ordered", ordered.totalCents],
    ...(chargedCents === ordered.totalCents ? [] : [["After what was canceled", chargedCents]]),
    ["Charged", capturedCents],
    ...(refundedCents > 0 ? [["Refunded", refundedCents]] : []),
  ] as const;
  return (
    <section aria-labelledby="money" className="grid gap-3">
      <h2 id="money">Payment</h2>
      <div className="grid gap-8 sm:grid-cols-2">
        <dl className="grid content-start gap-1.5">
          {rows.map(([label, cents]) => (
            <div key={label} className={`flex justify-between gap-6 ${label === "Ordered" ? "font-medium" : ""}`}>
              <dt className="text-ink-soft">{label}</dt>
              <dd className="tabular-nums">{formatMoney(Number(cents))}</dd>
            </div>
          ))}
        </dl>
        <div className="grid content-start gap-3">
          <Status tone={status.tone}>{status.word}</Status>
          {payments.map(({ id, state, amountCents, method, captureBefore, problem, disputedUntil, reference }) => (
            <p key={id} className="[overflow-wrap:anywhere]">
              {formatMoney(amountCents)}, {state}
              {method && `, ${method}`}
              {problem && <span className="text-saving">, {problem}</span>}
              {captureBefore && (
                <span className="block">
                  Charge before <When at={captureBefore} />
                </span>
              )}
              {disputedUntil && (
                <span className="block text-saving">
                  Answer the dispute before <When at={disputedUntil} />
                </span>
              )}
              {reference && <span className="block text-ink-soft">{reference}</span>}
            </p>
          ))}
        </div>
      </div>
    </section>
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
