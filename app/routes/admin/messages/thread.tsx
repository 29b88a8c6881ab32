/** A conversation: what was asked, what was answered, and beside it who asks. */
import { data, Link } from "react-router";
import { db } from "../../../database.server.ts";
import { orderNumber } from "../../../../shop/orders/order.ts";
import { NO_STORE, privateHeaders } from "../../../http/cache-headers.ts";
import { staffMay, staffOf } from "../../../session/staff.server.ts";
import { ActForm } from "../../../ui/admin/act-form.tsx";
import { AdminSelect, AdminText } from "../../../ui/admin/field.tsx";
import { PageHead } from "../../../ui/admin/page-head.tsx";
import { Status } from "../../../ui/admin/status.tsx";
import { When } from "../../../ui/admin/when.tsx";
import { actInBrowser } from "../act-in-browser.ts";
import { OrderRows } from "../customers/order-rows.tsx";
import { isId } from "../row-id.ts";
import type { Route } from "./+types/thread.ts";
import { ReplyForm } from "./reply-form.tsx";

export const headers = privateHeaders;
/** What a colleague did meanwhile must be seen, too. */
export const shouldRevalidate = () => true;

const ORDERS = 8;
const nothingHere = () => data(null, { status: 404 });

export async function loader({ params: { messageId }, request, context }: Route.LoaderArgs) {
  if (!isId(messageId)) throw nothingHere();
  const [{ listAnswering, otherMessages, readThread }, { listSavedReplies }, { listPersonOrders }, { fillSavedReply }] =
    await Promise.all([
      import("../../../../shop/support/thread/thread.server.ts"),
      import("../../../../shop/support/thread/saved-replies.server.ts"),
      import("../../../../shop/orders/person-orders.server.ts"),
      import("../../../../shop/support/thread/fill-saved-reply.ts"),
    ]);
  const thread = await readThread(db, messageId);
  if (!thread) throw nothingHere();
  const [orders, others, answering, saved] = await Promise.all([
    listPersonOrders(db, thread.email, ORDERS),
    otherMessages(db, thread),
    listAnswering(db),
    listSavedReplies(db),
  ]);
  const chosen = new URL(request.url).searchParams.get("saved");
  const inserted = saved.find(({ id }) => id === chosen);
  return data(
    {
      thread,
      orders,
      others,
      answering,
      saved: saved.map(({ id, title, body }) => ({ id, title, body })),
      begins: inserted ? fillSavedReply(inserted.body, thread.name) : "",
      replyId: crypto.randomUUID(),
      own: thread.replies.filter(({ staffId }) => staffId === staffOf(context).staffId).length,
      mayReply: staffMay(context, "messages:reply"),
    },
    { headers: NO_STORE },
  );
}

export async function action({ params: { messageId }, request, context }: Route.ActionArgs) {
  if (!isId(messageId)) throw nothingHere();
  const { threadAct } = await import("./acts.server.ts");
  return threadAct(request, context, messageId);
}

export const clientAction = actInBrowser;

type Thread = Route.ComponentProps["loaderData"]["thread"];

function Words({ by, at, state, children }: { by: string; at: Date; state?: string; children: string }) {
  return (
    <article className="grid gap-1 border-t border-line py-4">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2>{by}</h2>
        <p className="text-ink-soft">
          <When at={at} />
          {state && <span className={state === "not delivered" ? "font-medium text-error" : ""}>, {state}</span>}
        </p>
      </header>
      <p className="max-w-prose wrap-anywhere whitespace-pre-wrap">{children}</p>
    </article>
  );
}

function StatusForm({ thread: { status, statusBy, replies }, path }: { thread: Thread; path: string }) {
  const isOpen = status === "open";
  return (
    <section className="grid gap-2">
      <Status tone={isOpen ? "open" : "done"}>{isOpen ? "Open" : `Closed${statusBy ? ` by ${statusBy}` : ""}`}</Status>
      <ActForm act="status" path={path} className="grid justify-items-start gap-2">
        <input type="hidden" name="status" value={isOpen ? "closed" : "open"} />
        <input type="hidden" name="seen" value={replies.length} />
        <button type="submit" className="act">
          {isOpen ? "Close without an answer" : "Open again"}
        </button>
      </ActForm>
    </section>
  );
}

function AssignForm({
  thread,
  answering,
  path,
}: {
  thread: Thread;
  answering: { id: string; name: string }[];
  path: string;
}) {
  return (
    <ActForm act="assign" path={path} className="grid gap-2">
      <input type="hidden" name="was" value={thread.assignedTo ?? ""} />
      <div className="flex items-end gap-2">
        <AdminSelect
          key={thread.assignedTo}
          name="staffId"
          label="Answered by"
          defaultValue={thread.assignedTo ?? ""}
          className="min-w-0 flex-1"
        >
          <option value="">Nobody yet</option>
          {answering.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </AdminSelect>
        <button type="submit" className="act">
          Give
        </button>
      </div>
    </ActForm>
  );
}

function OrderForm({ thread, path }: { thread: Thread; path: string }) {
  const number = thread.orderId && orderNumber(thread.orderId);
  return (
    <ActForm act="order" path={path} className="grid gap-2">
      <div className="flex items-end gap-2">
        <AdminText
          key={number}
          name="number"
          label="About the order"
          defaultValue={number ?? ""}
          autoComplete="off"
          className="min-w-0 flex-1"
        />
        <button type="submit" className="act">
          Link
        </button>
      </div>
      {number && (
        <p>
          <Link to={`/admin/orders/${thread.orderId}`} className="admin-link">
            Open order {number}
          </Link>
        </p>
      )}
    </ActForm>
  );
}

export default function ThreadScreen({ loaderData }: Route.ComponentProps) {
  const { thread, orders, others, answering, saved, begins, replyId, own, mayReply } = loaderData;
  const path = `/admin/messages/${thread.id}`;
  return (
    <>
      <PageHead title={thread.name} note={thread.email}>
        <Link to="/admin/messages" className="act">
          All messages
        </Link>
      </PageHead>
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_300px]">
        <div className="grid content-start">
          <Words by={thread.name} at={thread.createdAt}>
            {thread.message}
          </Words>
          {thread.replies.map(({ id, by, body, createdAt, state }) => (
            <Words key={id} by={by ?? "Somebody who worked here"} at={createdAt} state={state}>
              {body}
            </Words>
          ))}
          {mayReply && (
            <ReplyForm
              path={path}
              name={thread.name}
              email={thread.email}
              isOpen={thread.status === "open"}
              seen={thread.replies.length}
              {...{ own, replyId, saved, begins }}
            />
          )}
        </div>
        <aside className="grid content-start gap-6" aria-label="About this message">
          {mayReply && (
            <>
              <StatusForm thread={thread} path={path} />
              <AssignForm {...{ thread, answering, path }} />
              <OrderForm thread={thread} path={path} />
            </>
          )}
          <section>
            <h2>Orders of this email</h2>
            <OrderRows orders={orders} empty="None: anybody can write." />
            <p className="mt-2">
              <Link to={`/admin/customers/by-email?email=${encodeURIComponent(thread.email)}`} className="admin-link">
                Everything of this email
              </Link>
            </p>
          </section>
          {others.length > 0 && (
            <section>
              <h2>Other messages of this email</h2>
              <ul className="mt-1">
                {others.map((other) => (
                  <li key={other.id} className="border-t border-line py-2">
                    <Link to={`/admin/messages/${other.id}`} className="admin-link line-clamp-1">
                      {other.begins}
                    </Link>
                    <span className="text-ink-soft">
                      <When at={other.createdAt} />, {other.status}
                    </span>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </aside>
      </div>
    </>
  );
}
