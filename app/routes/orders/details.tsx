import type { ReactNode } from "react";
import { Link } from "react-router";
import { formatMoney } from "../../../shop/money.ts";
import { OrderSums } from "../../ui/order/order-sums.tsx";
import { LocalTime } from "../../ui/time/local-time.tsx";
import { Asking } from "./acts.tsx";
import type { OrderPageData } from "./load.server.ts";

const LINK = "text-link inline-flex min-h-11 items-center";

/** What it comes to, how it is paid, where it goes; and the quiet things that can be done. */
export function Details({ order }: { order: OrderPageData }) {
  const { id, number, totals, method, address, email, acts, isOwner } = order;
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-8">
      <section aria-labelledby="total" className="rounded-card bg-card p-6 sm:p-8">
        <h2 id="total" className="mb-5 text-xl font-semibold">
          Total
        </h2>
        <OrderSums order="placed" totals={totals} />
        <Payment order={order} />
      </section>
      <dl className="grid gap-6 px-1">
        <Entry label="Shipping">{method}</Entry>
        <Entry label="Delivery address">
          {address.map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </Entry>
        <Entry label="Emails go to">{email}</Entry>
      </dl>
      {!isOwner && (
        <p className="px-1 text-[15px] text-ink-soft">
          Name and address are shown in full to the signed-in owner only.
        </p>
      )}
      <ul className="grid border-t border-line px-1 pt-4">
        <li>
          <a href={`/orders/${id}/receipt`} className={LINK}>
            Print a receipt
          </a>
        </li>
        <li>
          <Link to={`/support?order=${number}#contact`} className={LINK}>
            Ask about this order
          </Link>
        </li>
        {acts.mayCancel && !acts.mustAnswerDelay && (
          <li>
            <Asking order={order} act="cancel" className={LINK} />
          </li>
        )}
      </ul>
    </div>
  );
}

function Entry({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-[15px] text-ink-soft">{label}</dt>
      <dd className="mt-0.5 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

/** What was charged and given back when. */
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
              {label} {at && <LocalTime date={at} as="day" />}
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
      <dt className="text-ink-soft">{label}</dt>
      <dd className="whitespace-nowrap">{amount}</dd>
    </div>
  );
}
