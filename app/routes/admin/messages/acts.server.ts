/** What staff may do to a conversation, and what they are told of it. */
import type { RouterContextProvider } from "react-router";
import { z } from "zod";
import { db } from "../../../database.server.ts";
import {
  assignTo,
  linkOrder,
  sendReply,
  setStatus,
  type ThreadResult,
} from "../../../../shop/support/thread/act.server.ts";
import { replyBody } from "../../../../shop/support/thread/saved-reply.ts";
import { readThread } from "../../../../shop/support/thread/thread.server.ts";
import { actingOf, consumeStaffMail } from "../../../session/staff.server.ts";
import { done, invalid, readAct, refused, type Act } from "../act.server.ts";

type Context = Readonly<RouterContextProvider>;

const seen = z.coerce.number().int().min(0).catch(0);
const replySchema = z.object({ body: replyBody, replyId: z.uuid(), seen, closes: z.literal("yes").optional() });
const nobody = z.literal("").transform(() => null);
const assignSchema = z.object({
  staffId: z.union([nobody, z.uuid()], { error: "Choose somebody" }),
  was: z.union([nobody, z.uuid()]).catch(null),
});
const orderSchema = z.object({
  number: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^(?:[0-9a-f]{8})?$/, "An order's number has eight characters, 0 to 9 and a to f")
    .transform((number) => number || null),
});

const GONE = "This message is not here anymore.";

function whyNot(result: Extract<ThreadResult, { ok: false }>): { message: string; errors?: Record<string, string> } {
  switch (result.reason) {
    case "not-found":
      return { message: GONE };
    case "no-order":
      return { message: "", errors: { number: "There is no order with this number" } };
    case "not-staff":
      return { message: "", errors: { staffId: "They do not answer messages anymore" } };
    case "changed":
      return { message: `${result.by ?? "Nobody"} has it now. Look again, then choose.` };
    case "answered":
      return {
        message: `${result.by ?? "A colleague"} has answered meanwhile: it stands above. Nothing was done, and your words are still here.`,
      };
  }
}

const outcome = (act: Act, result: ThreadResult, message: (done: Extract<ThreadResult, { ok: true }>) => string) => {
  if (result.ok) return done(act, message(result));
  const { message: why, errors } = whyNot(result);
  return refused(act, why, { ...(errors && { errors }), ...(result.reason === "not-found" && { status: 404 }) });
};

async function reply(act: Act, context: Context, messageId: string) {
  const read = replySchema.safeParse(Object.fromEntries(act.form));
  if (!read.success) return invalid(act, read.error);
  const thread = await readThread(db, messageId);
  if (!thread) return refused(act, GONE, { status: 404 });
  const { permit } = await consumeStaffMail(context, thread.email);
  if (!permit) return refused(act, "Too many emails went to this address. Wait a quarter of an hour.", { status: 429 });
  const closes = read.data.closes === "yes";
  const sent = await sendReply(db, actingOf(context), { ...read.data, messageId, closes }, permit);
  return outcome(act, sent, ({ repeated, closedBy }) => {
    if (repeated) return "This was sent before, once.";
    if (closedBy) return `Sent. ${closedBy} had closed the conversation before: it stays closed.`;
    return closes ? "Sent, and closed." : "Sent.";
  });
}

export async function threadAct(request: Request, context: Context, messageId: string) {
  const act = await readAct(request, ["body", "replyId", "seen", "closes", "status", "staffId", "was", "number"]);
  const by = actingOf(context);
  const fields = Object.fromEntries(act.form);
  if (act.name === "reply") return reply(act, context, messageId);
  if (act.name === "assign") {
    const read = assignSchema.safeParse(fields);
    if (!read.success) return invalid(act, read.error);
    return outcome(act, await assignTo(db, by, { messageId, ...read.data }), () =>
      read.data.staffId ? "It is theirs now." : "It is nobody's now.",
    );
  }
  if (act.name === "order") {
    const read = orderSchema.safeParse(fields);
    if (!read.success) return invalid(act, read.error);
    return outcome(act, await linkOrder(db, by, { messageId, ...read.data }), () =>
      read.data.number ? "The order stands beside it." : "It is about no order now.",
    );
  }
  const status = fields.status === "closed" ? "closed" : "open";
  const changed = await setStatus(db, by, { messageId, status, seen: seen.parse(fields.seen) });
  return outcome(act, changed, ({ repeated, closedBy }) => {
    if (repeated && closedBy) return `${closedBy} has done that before.`;
    return status === "closed" ? "Closed." : "Open again.";
  });
}
