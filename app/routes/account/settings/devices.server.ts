/** Ending the sessions of other devices, for who proves that they are the customer. */
import { z } from "zod";
import { db } from "../../../database.server.ts";
import { endOtherSession, endOtherSessions } from "../../../../shop/accounts/sessions/sessions.server.ts";
import { refusedToOthers, securityEvent } from "../../../http/log.server.ts";
import { requireRecentVerification } from "../../../session/verification/recent-verification.server.ts";
import { refused, type Call, type HandlerResult } from "../handler.server.ts";

const verify = ({ request, context, customer, form }: Call) =>
  requireRecentVerification(request, context, customer, form.get("password"), form.get("code"));

export async function signOutOne(call: Call): Promise<HandlerResult> {
  const { customer, form } = call;
  const session = form.get("session");
  const typed = { session: session ?? "" };
  if (!session) return { ok: false, message: "Choose a device first." };
  const refusal = await verify(call);
  if (refusal) return { ...refused(refusal), typed };
  const known = z.uuid().safeParse(session);
  const isEnded = known.success && (await endOtherSession(db, customer.id, customer.sessionId, known.data));
  if (!isEnded) {
    refusedToOthers("session", customer.id);
    return { ok: false, status: 404, message: "That device is signed out already." };
  }
  securityEvent("sessions-ended", { outcome: "ok", way: "one", userId: customer.id });
  return { ok: true, title: "Signed out", message: "That device is signed out." };
}

export async function signOutOthers(call: Call): Promise<HandlerResult> {
  const { customer } = call;
  const refusal = await verify(call);
  if (refusal) return refused(refusal);
  await endOtherSessions(db, customer.id, customer.sessionId);
  securityEvent("sessions-ended", { outcome: "ok", way: "all others", userId: customer.id });
  return { ok: true, title: "Signed out", message: "You are signed in on this device only." };
}
