/** What an email leads to: orders, messages, requests. Shown of customers and of guests alike. */
import type { ReactNode } from "react";
import { Link } from "react-router";
import { KIND_WORDS, type RequestKind, type RequestState } from "../../../../shop/privacy/request.ts";
import type { PersonOrder } from "../../../../shop/orders/person-orders.server.ts";
import { When } from "../../../ui/admin/when.tsx";
import { OrderRows } from "./order-rows.tsx";

export type Traces = {
  orders: PersonOrder[];
  messages: { id: string; begins: string; status: string; createdAt: Date }[];
  requests: { id: string; kind: RequestKind; state: RequestState; dueAt: Date }[];
};

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="content-start">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export const None = ({ children }: { children: string }) => <p className="text-ink-soft">{children}</p>;

export function TracesOf({ email, orders, messages, requests }: Traces & { email: string }) {
  const own = orders.filter(({ isGuest }) => !isGuest);
  const asGuest = orders.filter(({ isGuest }) => isGuest);
  return (
    <>
      {own.length > 0 && (
        <Part title="Orders">
          <OrderRows orders={own} empty="" />
        </Part>
      )}
      {(asGuest.length > 0 || own.length === 0) && (
        <Part title={own.length > 0 ? "Orders as a guest" : "Orders"}>
          <OrderRows orders={asGuest} empty="None yet." />
        </Part>
      )}
      <Part title="Messages">
        {messages.length === 0 && <None>None.</None>}
        <ul className="mt-1">
          {messages.map(({ id, begins, status, createdAt }) => (
            <li key={id} className="border-t border-line py-2">
              <Link to={`/admin/messages/${id}`} className="admin-link line-clamp-1">
                {begins}
              </Link>
              <span className="text-ink-soft">
                <When at={createdAt} />, {status}
              </span>
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Privacy">
        {requests.map(({ id, kind, state, dueAt }) => (
          <p key={id} className="border-t border-line py-2">
            <Link to={`/admin/privacy/${id}`} className="admin-link">
              {KIND_WORDS[kind]}
            </Link>
            <span className="text-ink-soft">
              , {state === "open" ? "due " : state} {state === "open" && <When at={dueAt} />}
            </span>
          </p>
        ))}
        <p className="mt-1">
          <Link to={`/admin/privacy?email=${encodeURIComponent(email)}#register`} className="admin-link">
            Register a request
          </Link>
        </p>
      </Part>
    </>
  );
}
