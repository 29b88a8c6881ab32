import { Link } from "react-router";
import { z } from "#shop/zod.ts";
import { listPersonOrders } from "#shop/orders/history.server.ts";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { fillSavedReply, replyBody } from "#shop/support/contact-form.ts";
import {
  assignTo,
  keepMessage,
  linkOrder,
  sendReply,
  setStatus,
  type ThreadResult,
} from "#shop/support/thread/answer.server.ts";
import { listWaitingMessages } from "#shop/support/thread/list-messages.server.ts";
import { listSavedReplies } from "#shop/support/thread/saved-replies.server.ts";
import { listRepliers, otherMessages, readThread } from "#shop/support/thread/thread.server.ts";
import { consumeStaffMail, staffMay } from "#app/session/staff.server.ts";
import { done, refused } from "#app/http/form.server.ts";
import { Submit } from "#app/ui/form/form.tsx";
import { AdminForm, AdminSelect, AdminText } from "#app/ui/admin/field.tsx";
import { PageHead, Status } from "#app/ui/admin/page-head.tsx";
import { MessageRows, OrderRows, Part } from "../customers/history.tsx";
import { actions, handle, TOO_MANY_EMAILS, type Action } from "../action.server.ts";
import { notFound, requireId } from "../guard.server.ts";
import type { Route } from "./+types/thread.ts";
import { Doubts, Entries, SentFrom } from "./entries.tsx";
import { ReplyForm } from "./reply-form.tsx";

const ORDERS = 8;

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const thread = await readThread(db, requireId(params.messageId));
  if (!thread) throw notFound();
  const [orders, others, answering, saved, waiting] = await Promise.all([
    thread.email ? listPersonOrders(db, thread.email, ORDERS) : [],
    thread.email ? otherMessages(db, thread) : [],
    listRepliers(db),
    listSavedReplies(db),
    thread.status === "closed" ? listWaitingMessages(db) : null,
  ]);
  const chosen = new URL(request.url).searchParams.get("saved");
  const inserted = saved.find(({ id }) => id === chosen);
  return {
    thread,
    orders,
    others,
    answering,
    saved: saved.map(({ id, title, body }) => ({ id, title, body })),
    begins: inserted ? fillSavedReply(inserted.body, thread.name) : "",
    replyId: crypto.randomUUID(),
    hasInbox: config().inbox !== null,
    mayReply: staffMay(context, "messages:reply"),
    next: waiting?.oldest[0]?.id ?? null,
  };
}

const GONE = { message: "This message no longer exists.", status: 404 };

type Refusal = { message?: string; status?: number; errors?: Record<string, string> };

function refusalOf(result: Extract<ThreadResult, { ok: false }>): Refusal {
  switch (result.reason) {
    case "not-found":
      return GONE;
    case "no-order":
      return { errors: { number: "No order has this number" } };
    case "not-staff":
      return { errors: { staffId: "This person can no longer reply to messages" } };
    case "changed":
      return { message: `${result.by ?? "No one"} is assigned now. Check before you reassign.` };
    case "customer-wrote":
      return { message: "The customer wrote again in the meantime. Read it above, then try again." };
    case "answered":
      return {
        message: `${result.by ?? "A colleague"} replied in the meantime. Yours was not sent: read theirs above, then send again.`,
      };
  }
}

function outcome(action: Action, result: ThreadResult, message: string) {
  if (result.ok) return done(action, message, { clears: true });
  const { message: why = "", ...refusal } = refusalOf(result);
  return refused(action, why, refusal);
}

const seen = z.coerce.number().int().min(0).catch(0);
const nobody = z.literal("").transform(() => null);
const replySchema = z.object({ body: replyBody, replyId: z.uuid(), seen, closes: z.literal("yes").optional() });
const assignSchema = z.object({
  staffId: z.union([nobody, z.uuid()], { error: "Choose a team member" }),
  was: z.union([nobody, z.uuid()]).catch(null),
});
const orderSchema = z.object({
  number: z
    .string()
    .trim()
    .toLowerCase()
    .overwrite((typed) => typed.replace(/^#\s*/, ""))
    .regex(/^(?:[0-9a-f]{8})?$/, "An order number has 8 characters, 0 to 9 and a to f")
    .transform((number) => number || null),
});

async function reply(action: Action<z.output<typeof replySchema>>) {
  const { id: messageId, by, value, context } = action;
  const thread = await readThread(db, messageId);
  if (!thread?.email) return refused(action, GONE.message, GONE);
  const { permit } = await consumeStaffMail(context, thread.email);
  if (!permit) return refused(action, TOO_MANY_EMAILS, { status: 429 });
  const closes = value.closes === "yes";
  const sent = await sendReply(db, by, { ...value, messageId, closes }, permit);
  if (sent.ok && sent.isOther)
    return done(action, "Your earlier reply was already sent. This one was not: send it again.");
  if (sent.ok && sent.repeated) return outcome(action, sent, "Already sent.");
  if (sent.ok && sent.closedBy)
    return outcome(action, sent, `Sent. ${sent.closedBy} already closed this conversation.`);
  return outcome(action, sent, closes ? "Sent and closed." : "Sent.");
}

export const action = actions({
  reply: handle(replySchema, reply),
  keep: handle(z.object({}), async (action) =>
    outcome(action, await keepMessage(db, action.by, action.id), "Moved to the messages of people."),
  ),
  assign: handle(assignSchema, async (action) => {
    const result = await assignTo(db, action.by, { messageId: action.id, ...action.value });
    return outcome(action, result, action.value.staffId ? "Assigned." : "Unassigned.");
  }),
  order: handle(orderSchema, async (action) => {
    const result = await linkOrder(db, action.by, { messageId: action.id, ...action.value });
    return outcome(action, result, action.value.number ? "Order linked." : "Order unlinked.");
  }),
  status: handle(z.object({ status: z.enum(["open", "closed"]), seen }), async (action) => {
    const changed = await setStatus(db, action.by, { messageId: action.id, ...action.value });
    const alreadyBy = changed.ok && changed.repeated && changed.closedBy;
    if (alreadyBy) return outcome(action, changed, `Already closed by ${alreadyBy}.`);
    return outcome(action, changed, action.value.status === "closed" ? "Closed." : "Reopened.");
  }),
});
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

type Thread = Route.ComponentProps["loaderData"]["thread"];

const optOutAddress = ({ email, createdAt }: Thread) =>
  `/admin/legal?${new URLSearchParams({ kind: "arbitration-opt-out", email, on: newYorkDay(createdAt) })}#register`;

function StatusForm({ id, status, statusBy, seen, isAutomatic }: Thread) {
  const isOpen = status === "open";
  return (
    <section className="grid gap-2">
      <AdminForm intent="keep" of={id}>
        {isAutomatic && <Submit className="btn">Move to messages</Submit>}
      </AdminForm>
      <Status tone={isOpen ? "open" : "done"}>{isOpen ? "Open" : `Closed${statusBy ? ` by ${statusBy}` : ""}`}</Status>
      <AdminForm intent="status" of={id}>
        <input type="hidden" name="status" value={isOpen ? "closed" : "open"} />
        <input type="hidden" name="seen" value={seen} />
        <Submit className="btn">{isOpen ? "Close without replying" : "Reopen"}</Submit>
      </AdminForm>
    </section>
  );
}

function AssignForm({ thread: { id, assignedTo }, staff }: { thread: Thread; staff: { id: string; name: string }[] }) {
  return (
    <AdminForm intent="assign" of={id} className="grid gap-2">
      <input type="hidden" name="was" value={assignedTo ?? ""} />
      <div className="flex items-end gap-2">
        <AdminSelect
          name="staffId"
          label="Assignee"
          defaultValue={assignedTo ?? ""}
          className="min-w-0 flex-1"
          options={[["", "Unassigned"], ...staff.map((member) => [member.id, member.name] as const)]}
        />
        <Submit className="btn">Assign</Submit>
      </div>
    </AdminForm>
  );
}

function OrderForm({ id, orderId }: Thread) {
  const number = orderId && orderNumber(orderId);
  return (
    <AdminForm intent="order" of={id} className="grid gap-2">
      <div className="flex items-end gap-2">
        <AdminText
          key={number}
          name="number"
          label="Order number"
          defaultValue={number ?? ""}
          autoComplete="off"
          className="min-w-0 flex-1"
        />
        <Submit className="btn">Link</Submit>
      </div>
      {number && (
        <p>
          <Link to={`/admin/orders/${orderId}`} className="admin-link">
            {`View order ${number}`}
          </Link>
        </p>
      )}
    </AdminForm>
  );
}

export default function ThreadScreen({ loaderData }: Route.ComponentProps) {
  const { thread, orders, others, answering, saved, begins, replyId, hasInbox, mayReply, next } = loaderData;
  return (
    <>
      <PageHead title={thread.name} note={thread.email || "No address to reply to"}>
        <Link to="/admin/messages" className="btn">
          All messages
        </Link>
      </PageHead>
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_300px]">
        <div className="grid content-start">
          <Doubts {...thread} />
          {thread.subject && <h2 className="mb-2">{thread.subject}</h2>}
          <SentFrom {...thread} />
          <Entries thread={thread} />
          {mayReply && thread.email && <ReplyForm {...{ thread, hasInbox, replyId, saved, begins, next }} />}
        </div>
        <aside className="grid content-start gap-6" aria-label="About this message">
          {mayReply && (
            <>
              <StatusForm {...thread} />
              <AssignForm thread={thread} staff={answering} />
              <OrderForm {...thread} />
            </>
          )}
          <div>
            {thread.email && (
              <>
                <Part title="Orders from this email" empty={orders.length === 0 && "No orders."}>
                  <OrderRows orders={orders} />
                </Part>
                <p className="mt-2">
                  <Link
                    to={`/admin/customers/by-email?email=${encodeURIComponent(thread.email)}`}
                    className="admin-link"
                  >
                    View customer
                  </Link>
                </p>
              </>
            )}
            <p className="mt-2">
              <Link to={optOutAddress(thread)} className="admin-link">
                Record arbitration opt-out
              </Link>
            </p>
          </div>
          {others.length > 0 && (
            <Part title="Other messages from this email">
              <MessageRows messages={others} />
            </Part>
          )}
        </aside>
      </div>
    </>
  );
}
