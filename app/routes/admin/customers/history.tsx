/** History of an email, for customers and guests alike. */
import { counted } from "#shop/units.ts";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { formatMoney } from "#shop/money.ts";
import { orderNumber } from "#shop/orders/order.ts";
import type { PersonOrder } from "#shop/orders/history.server.ts";
import { KIND_WORDS } from "#shop/privacy/request.ts";
import type { PrivacyRequest } from "#shop/privacy/requests.server.ts";
import { KIND_WORDS as RETURN_KINDS, STATE_WORDS } from "#shop/returns/return.ts";
import type { ReturnRow } from "#shop/returns/returns.server.ts";
import { Status } from "#app/ui/admin/page-head.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { statusWordsOf } from "../orders/order-table.tsx";

type HistoryProps = {
  email: string;
  orders: PersonOrder[];
  returns: Pick<ReturnRow, "id" | "number" | "kind" | "state" | "createdAt">[];
  spentCents: number;
  messages: { id: string; begins: string; status: string; createdAt: Date }[];
  requests: Pick<PrivacyRequest, "id" | "kind" | "state" | "dueAt">[];
};

/** The record of a person: of their account, or of a guest by email. */
export const customerPath = ({ userId, email }: { userId: string | null; email: string }): string =>
  userId ? `/admin/customers/${userId}` : `/admin/customers/by-email?${new URLSearchParams({ email })}`;

/** A new order for a person, with the address of their newest one. */
export const newOrderPath = (email: string, [newest]: Pick<PersonOrder, "id">[]): string =>
  `/admin/orders/new?${new URLSearchParams(newest ? { from: newest.id } : { email })}`;

export function Part({ title, empty, children }: { title: string; empty?: string | false; children?: ReactNode }) {
  return (
    <section className="content-start">
      <h2>{title}</h2>
      {empty ? <p className="text-ink-soft">{empty}</p> : children}
    </section>
  );
}

export function OrderRows({ orders }: Pick<HistoryProps, "orders">) {
  return (
    <ul className="mt-1">
      {orders.map(({ id, totalCents, createdAt, ...sent }) => (
        <li key={id} className="grid gap-0.5 border-t border-line py-2">
          <span className="flex justify-between gap-4">
            <Link to={`/admin/orders/${id}`} className="admin-link">
              {orderNumber(id)}
            </Link>
            <span className="tabular-nums">{formatMoney(totalCents)}</span>
          </span>
          <span className="flex justify-between gap-4 text-ink-soft">
            <Status tone={statusWordsOf(sent).tone}>{statusWordsOf(sent).word}</Status>
            <When at={createdAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}

export function MessageRows({ messages }: Pick<HistoryProps, "messages">) {
  return (
    <ul className="mt-1">
      {messages.map(({ id, begins, status, createdAt }) => (
        <li key={id} className="border-t border-line py-2">
          <Link to={`/admin/messages/${id}`} className="admin-link line-clamp-1">
            {begins}
          </Link>
          <span className="text-ink-soft">
            <When at={createdAt} />
            <span>{`, ${status}`}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function ReturnRows({ returns }: Pick<HistoryProps, "returns">) {
  return (
    <ul className="mt-1">
      {returns.map(({ id, number, kind, state, createdAt }) => (
        <li key={id} className="grid gap-0.5 border-t border-line py-2">
          <span className="flex justify-between gap-4">
            <Link to={`/admin/returns/${id}`} className="admin-link tabular-nums">
              {number}
            </Link>
            <span>{RETURN_KINDS[kind]}</span>
          </span>
          <span className="flex justify-between gap-4 text-ink-soft">
            <span>{STATE_WORDS[state]}</span>
            <When at={createdAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}

export function History({ email, orders, spentCents, returns, messages, requests }: HistoryProps) {
  const own = orders.filter(({ isGuest }) => !isGuest);
  const asGuest = orders.filter(({ isGuest }) => isGuest);
  return (
    <>
      {orders.length > 0 && (
        <Part title="Total spent">
          <p className="text-xl font-medium tabular-nums">{formatMoney(spentCents)}</p>
          <p className="text-ink-soft">{`Charged and not refunded, in ${counted(orders.length, "order")}.`}</p>
        </Part>
      )}
      {own.length > 0 && (
        <Part title="Orders">
          <OrderRows orders={own} />
        </Part>
      )}
      {(asGuest.length > 0 || own.length === 0) && (
        <Part title={own.length > 0 ? "Guest orders" : "Orders"} empty={asGuest.length === 0 && "No orders yet."}>
          <OrderRows orders={asGuest} />
        </Part>
      )}
      {returns.length > 0 && (
        <Part title="Returns">
          <ReturnRows returns={returns} />
        </Part>
      )}
      {messages.length > 0 && (
        <Part title="Messages">
          <MessageRows messages={messages} />
        </Part>
      )}
      <Part title="Privacy requests">
        {requests.map(({ id, kind, state, dueAt }) => (
          <p key={id} className="border-t border-line py-2">
            <Link to={`/admin/legal/${id}`} className="admin-link">
              {KIND_WORDS[kind]}
            </Link>
            <span className="text-ink-soft">
              ,{" "}
              {state === "open" ? (
                <span>
                  due <When at={dueAt} isDay />
                </span>
              ) : (
                <span>{state === "done" ? "completed" : state}</span>
              )}
            </span>
          </p>
        ))}
        <p className="mt-1">
          <Link to={`/admin/legal?email=${encodeURIComponent(email)}#register`} className="admin-link">
            Add request
          </Link>
        </p>
      </Part>
    </>
  );
}
