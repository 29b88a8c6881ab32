/** What an owner may do to who works here. All of it asks who is there. */
import type { RouterContextProvider } from "react-router";
import { z } from "zod";
import { db } from "../../../database.server.ts";
import { emailField } from "../../../../shop/email-field.ts";
import { inviteStaff, revokeInvitation } from "../../../../shop/staff/invitations.server.ts";
import { ROLES } from "../../../../shop/staff/roles.ts";
import {
  changeRole,
  disableStaff,
  enableStaff,
  endStaffSessions,
  forgetFactor,
  type StaffResult,
} from "../../../../shop/staff/staff.server.ts";
import { config } from "../../../config.server.ts";
import { consumeMailFor } from "../../../session/rate-limits.server.ts";
import { actingOf, requireFreshStaff } from "../../../session/staff.server.ts";
import { done, invalid, readAct, refused, unproved, type Act } from "../act.server.ts";

type Context = Readonly<RouterContextProvider>;

const inviteSchema = z.object({
  email: emailField().toLowerCase(),
  role: z.enum(ROLES, { error: "Choose a role" }),
});
const memberSchema = z.object({ key: z.uuid() });
const roleSchema = memberSchema.extend({ role: z.enum(ROLES, { error: "Choose a role" }) });

const REFUSALS = {
  "not-found": "They do not work here anymore.",
  "last-owner": "There is no other owner. Make somebody else one first.",
} as const;

const outcome = (act: Act, result: StaffResult, message: string) =>
  result.ok ? done(act, message) : refused(act, REFUSALS[result.reason]);

async function invite(act: Act, context: Context) {
  const read = inviteSchema.safeParse(Object.fromEntries(act.form));
  if (!read.success) return invalid(act, read.error);
  const mail = await consumeMailFor(context, read.data.email);
  if (!mail.permit)
    return refused(act, "Too many emails went out. Wait a few minutes, then invite again.", { status: 429 });
  const invited = await inviteStaff(db, actingOf(context), read.data, config().secret, mail.permit);
  if (!invited.ok) return refused(act, "They work here already.", { errors: { email: "They work here already" } });
  return done(act, `${read.data.email} has a link to join.`);
}

export async function staffAct(request: Request, context: Context) {
  const act = await readAct(request, ["email", "role"]);
  const problem = await requireFreshStaff(context, act.form.get("code"));
  if (problem) return unproved(act, problem);
  if (act.name === "invite") return invite(act, context);
  const by = actingOf(context);
  const member = memberSchema.safeParse({ key: act.key });
  if (!member.success) return refused(act, REFUSALS["not-found"], { status: 404 });
  const { key } = member.data;
  if (act.name === "uninvite") {
    await revokeInvitation(db, by, key);
    return done(act, "The link works no more.");
  }
  if (act.name === "role") {
    const read = roleSchema.safeParse({ ...Object.fromEntries(act.form), key });
    if (!read.success) return invalid(act, read.error);
    return outcome(act, await changeRole(db, by, key, read.data.role), "The new role counts from now on.");
  }
  if (act.name === "disable") return outcome(act, await disableStaff(db, by, key), "They are signed out and kept out.");
  if (act.name === "enable") return outcome(act, await enableStaff(db, by, key), "They may sign in again.");
  if (act.name === "factor") {
    const message = "They are signed out. Once a new second factor is set up, invite them again.";
    return outcome(act, await forgetFactor(db, by, key), message);
  }
  return outcome(act, await endStaffSessions(db, by, key), "They are signed out everywhere.");
}
