/** What staff may do to a request, and what they are told of it. */
import type { RouterContextProvider } from "react-router";
import { z } from "zod";
import { deleteSchema } from "../../../../shop/accounts/settings-forms.ts";
import { eraseRequested, type FulfillRefusal } from "../../../../shop/privacy/fulfill-request.server.ts";
import { noteField } from "../../../../shop/privacy/request-form.ts";
import { REQUEST_PROOFS } from "../../../../shop/privacy/request.ts";
import {
  closeRequest,
  extendRequest,
  noteRequest,
  proveRequest,
  readRequest,
  type RequestResult,
} from "../../../../shop/privacy/requests.server.ts";
import { db } from "../../../database.server.ts";
import { actingOf, consumeStaffMail, requireFreshStaff } from "../../../session/staff.server.ts";
import { done, invalid, readAct, refused, unproved, type Act } from "../act.server.ts";

type Context = Readonly<RouterContextProvider>;

const proofSchema = z.object({ proof: z.enum(REQUEST_PROOFS, { error: "Choose how you know" }) });
const noteSchema = z.object({ note: noteField("Write what there is to note") });
const extendSchema = z.object({ reason: noteField("Write why: they are told") });
const closeSchema = z.object({
  outcome: z.enum(["done", "refused"], { error: "Choose what came of it" }),
  note: z.union([z.literal("").transform(() => null), noteField("")]).optional(),
});

export const REFUSALS: Record<FulfillRefusal["reason"] | "extended", string> = {
  "not-found": "This request is not here anymore.",
  closed: "This request was answered before. Nothing was done.",
  extended: "The further time was taken before.",
  "not-proven": "First say how you know that it is they who ask.",
  "is-staff": "They work here: an owner ends that under Staff first.",
};

const outcome = (act: Act, result: RequestResult | FulfillRefusal, message: string) =>
  result.ok ? done(act, message) : refused(act, REFUSALS[result.reason]);

const MANY_MAILS = "Too many emails went to this address. Wait a quarter of an hour.";

async function permitFor(context: Context, id: string) {
  const email = (await readRequest(db, id))?.email;
  return email ? (await consumeStaffMail(context, email)).permit : "no-email";
}

async function erase(act: Act, context: Context, id: string) {
  const read = deleteSchema.safeParse(Object.fromEntries(act.form));
  if (!read.success) return invalid(act, read.error);
  const problem = await requireFreshStaff(context, act.form.get("code"));
  if (problem) return unproved(act, problem);
  const permit = await permitFor(context, id);
  if (permit === "no-email") return refused(act, REFUSALS.closed);
  if (!permit) return refused(act, MANY_MAILS, { status: 429 });
  return outcome(act, await eraseRequested(db, actingOf(context), id, permit), "Erased. They are told by mail.");
}

async function extend(act: Act, context: Context, id: string) {
  const read = extendSchema.safeParse(Object.fromEntries(act.form));
  if (!read.success) return invalid(act, read.error);
  const permit = await permitFor(context, id);
  if (permit === "no-email") return refused(act, REFUSALS.closed);
  if (!permit) return refused(act, MANY_MAILS, { status: 429 });
  const extended = await extendRequest(db, actingOf(context), id, read.data.reason, permit);
  return outcome(act, extended, "They are told why by mail, and the clock has moved.");
}

export async function requestAct(request: Request, context: Context, id: string) {
  const act = await readAct(request, ["proof", "note", "reason", "outcome", "confirmation"]);
  const by = actingOf(context);
  const fields = Object.fromEntries(act.form);
  if (act.name === "erase") return erase(act, context, id);
  if (act.name === "extend") return extend(act, context, id);
  if (act.name === "prove") {
    const read = proofSchema.safeParse(fields);
    if (!read.success) return invalid(act, read.error);
    return outcome(act, await proveRequest(db, by, id, read.data.proof), "Noted.");
  }
  if (act.name === "note") {
    const read = noteSchema.safeParse(fields);
    if (!read.success) return invalid(act, read.error);
    return outcome(act, await noteRequest(db, by, id, read.data.note), "Noted.");
  }
  const read = closeSchema.safeParse(fields);
  if (!read.success) return invalid(act, read.error);
  const { outcome: state, note = null } = read.data;
  return outcome(act, await closeRequest(db, by, id, { state, note }), "Closed.");
}
