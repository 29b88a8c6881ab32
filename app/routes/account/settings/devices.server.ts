/** Ending the sessions of other devices, for who proves that they are the customer. */
import { z } from "zod";
import { db } from "../../../database.server.ts";
import { endOtherSession, endOtherSessions } from "../../../../shop/accounts/sessions/sessions.server.ts";
import { refusedToOthers, securityEvent } from "../../../http/log.server.ts";
import { doubtIdentity } from "../../../session/verification/recent-verification.server.ts";
import { refused, type Call, type Reply } from "../reply.server.ts";

const doubtOf = ({ request, context, customer, form }: Call) =>
  doubtIdentity(request, context, customer, form.get("password"), form.get("code"));

export async function signOutOne(call: Call): Promise<Reply> {
  const { customer, form } = call;
  const session = form.get("session");
  const typed = { session: session ?? "" };
  if (!session) return { ok: false, message: "Choose a device first." };
  const doubt = await doubtOf(call);
  if (doubt) return { ...refused(doubt), typed };
  const known = z.uuid().safeParse(session);
  const isEnded = known.success && (await endOtherSession(db, customer.id, customer.sessionId, known.data));
  if (!isEnded) {
    refusedToOthers("session", customer.id);
    return { ok: false, status: 404, message: "That device is signed out already." };
  }
  securityEvent("sessions-ended", { outcome: "ok", way: "one", userId: customer.id });
  return { ok: true, title: "Signed out", message: "That device is signed out." };
}

export async function signOutOthers(call: Call): Promise<Reply> {
  const { customer } = call;
  const doubt = await doubtOf(call);
  if (doubt) return refused(doubt);
  await endOtherSessions(db, customer.id, customer.sessionId);
  securityEvent("sessions-ended", { outcome: "ok", way: "all others", userId: customer.id });
  return { ok: true, title: "Signed out", message: "You are signed in on this device only." };
}
