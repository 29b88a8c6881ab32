import type { ReactNode } from "react";
import { Link } from "react-router";
import { Alert } from "#app/ui/feedback/alert.tsx";
import { MessagePage } from "#app/ui/feedback/message-page.tsx";
import { OrderLines } from "#app/ui/order/order-lines.tsx";
import { OrderSums } from "#app/ui/order/order-sums.tsx";
import { LocalTime } from "#app/ui/time/local-time.tsx";
import { formatMoney } from "#shop/money.ts";
import { ConfirmHere, ConfirmLink, OrderActions } from "./action-forms.tsx";
import type { Opened } from "./action-result.ts";
import { AddressForm } from "./address-form.tsx";
import type { OrderPageData } from "./load.server.ts";
import { requestPath } from "./returns/paths.ts";
import { Returns } from "./returns/returns-section.tsx";
import { Timeline } from "./timeline.tsx";

type OrderPageProps = { order: OrderPageData; opened: Opened | null; refusal: string | undefined };

export function OrderPage({ order, opened, refusal }: OrderPageProps) {
  const { number, timeline, placedAt, isOwner, lines } = order;
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
      {opened === "address"
        ? order.actions.mayChangeAddress && <AddressForm order={order} />
        : opened && <ConfirmHere order={order} intent={opened} />}
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)] lg:grid-rows-[auto_1fr] xl:gap-x-24">
        <header>
          <p className="mb-3 font-semibold text-leaf tabular-nums">{`Order ${number}`}</p>
          <h1 className="display">{timeline.title}</h1>
          <p className="mt-5 max-w-[30em] text-lg text-ink-soft lg:text-xl">{timeline.lead}</p>
          <OrderActions order={order} />
        </header>
        <div className="lg:row-span-2">
          <Timeline steps={timeline.steps} isEnded={order.isEnded} />
        </div>
        <section aria-labelledby="ordered" className="max-lg:border-t max-lg:border-line max-lg:pt-10">
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
      </div>
      <Returns returns={order.returns} />
      <Details order={order} />
    </div>
  );
}

/** Shown for missing and forbidden orders alike. */
export function NotShown({ wait }: { wait: string | null }) {
  return (
    <MessagePage
      heading={wait ? "Too many attempts" : "We can’t show this order here"}
      text={wait ?? "Open it from the link in our latest email, or find it in your account."}
      picture="in-the-box"
    >
      <Link to="/orders/find" className="button button-primary">
        Email me the link
      </Link>
      <Link to="/account?tab=orders" className="button button-quiet">
        My Orders
      </Link>
    </MessagePage>
  );
}

const LINK = "text-link inline-flex min-h-11 items-center";

function Details({ order }: { order: OrderPageData }) {
  const { id, number, totals, method, address, giftMessage, email, actions, privacyNote, termsPath, isReadOnly } =
    order;
  return (
    <div className="mt-14 grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-8 border-t border-line pt-10 lg:mt-20 lg:grid-cols-[400px_minmax(0,1fr)_minmax(0,1fr)] lg:pt-14 xl:gap-x-24">
      <section aria-labelledby="total" className="self-start rounded-card bg-card p-6 sm:p-8">
        <h2 id="total" className="mb-5 text-xl font-semibold">
          Total
        </h2>
        <OrderSums order="placed" totals={totals} />
        <Payment order={order} />
      </section>
      <dl className="grid content-start gap-6">
        <Entry label="Shipping">{method}</Entry>
        <Entry label="Delivery address">
          {address.map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </Entry>
        {giftMessage && (
          <Entry label="Gift message">
            <span className="[overflow-wrap:anywhere] whitespace-pre-line">{giftMessage}</span>
          </Entry>
        )}
        <Entry label="Emails go to">{email}</Entry>
      </dl>
      <div>
        {privacyNote && <p className="mb-4 text-[15px] text-ink-soft">{privacyNote}</p>}
        <ul className="grid max-lg:border-t max-lg:border-line max-lg:pt-4">
          {!isReadOnly && (
            <li>
              <a href={`/orders/${id}/receipt`} className={LINK}>
                Print a receipt
              </a>
            </li>
          )}
          <li>
            <Link to={`/support?order=${number}#contact`} className={LINK}>
              Ask about this order
            </Link>
          </li>
          {order.mayReturn && (
            <li>
              <Link to={requestPath(id)} className={LINK}>
                Return, exchange, or report a problem
              </Link>
            </li>
          )}
          {order.whyNoReturn && <li className="py-2.5 text-[15px] text-ink-soft">{`Returns: ${order.whyNoReturn}`}</li>}
          {actions.mayChangeAddress && (
            <li>
              <Link to="?intent=address" className={LINK}>
                Change address
              </Link>
            </li>
          )}
          {actions.mayChangeCard && (
            <li>
              <ConfirmLink order={order} intent="card" className={LINK} />
            </li>
          )}
          {actions.mayCancel && !actions.mustAnswerDelay && (
            <li>
              <ConfirmLink order={order} intent="cancel" className={LINK} />
            </li>
          )}
          <li>
            <Link to={termsPath} className={LINK}>
              Terms for this order
            </Link>
          </li>
        </ul>
      </div>
    </div>
  );
}

export function Entry({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-[15px] text-ink-soft">{label}</dt>
      <dd className="mt-0.5 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

export function Payment({ order: { payment, chargedCents, totals } }: { order: OrderPageData }) {
  return (
    <dl className="mt-5 grid gap-2.5 border-t border-line pt-5 tabular-nums">
      {chargedCents < totals.totalCents && (
        <>
          <Fact label="Canceled items" amount={`−${formatMoney(totals.totalCents - chargedCents)}`} />
          <Fact label="You pay" amount={formatMoney(chargedCents)} />
        </>
      )}
      {payment.method && <Fact label={payment.method} />}
      {payment.facts.map(({ label, cents, at }) => (
        <Fact
          key={`${label} ${at?.toISOString()}`}
          label={
            <>
              <span>{`${label} `}</span>
              {at && <LocalTime date={at} as="day" />}
            </>
          }
          amount={cents === undefined ? undefined : cents < 0 ? `−${formatMoney(-cents)}` : formatMoney(cents)}
        />
      ))}
    </dl>
  );
}

function Fact({ label, amount }: { label: ReactNode; amount?: string }) {
  return (
    <div className="flex items-baseline justify-between gap-6">
      <dt className="min-w-0 text-ink-soft">{label}</dt>
      <dd className="whitespace-nowrap">{amount}</dd>
    </div>
  );
}
