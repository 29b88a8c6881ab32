/** The member of the staff behind a request: a session of its own kind, in its own cookie. */
import { createContext, type RouterContextProvider } from "react-router";
import { db } from "../database.server.ts";
import { consumeMail } from "../../shop/mail/mail-budget.server.ts";
import type { Acting } from "../../shop/staff/audit.server.ts";
import { may, type Permission } from "../../shop/staff/permissions.ts";
import { proveStaff, readStaffSession, type StaffSession } from "../../shop/staff/sessions.server.ts";
import { seenIn } from "../../shop/text.ts";
import { callerContext } from "../http/client-address.ts";
import { requestId } from "../http/log.server.ts";
import { ownCookie } from "./cookie.server.ts";
import { getAuth } from "./auth.server.ts";
import { consumeAttempt, rateLimits } from "./rate-limits.server.ts";

type Context = Readonly<RouterContextProvider>;

const MAX_USER_AGENT_CHARACTERS = 400;
/** Longer than a session, so that whoever comes back the next day is asked to sign in and not told that nothing is there. */
const COOKIE_SECONDS = 30 * 24 * 3600;

const cookie = ownCookie("polara_staff");

export const staffCookie = (token: string): string => cookie.set(token, token === "" ? 0 : COOKIE_SECONDS);

/** As readStaffSession, of the request's cookie. */
export const readStaff = (request: Request, options?: { watches?: boolean }) =>
  readStaffSession(db, cookie.read(request.headers), options);

const staffContext = createContext<StaffSession | null>(null);

export const setStaff = (context: Context, session: StaffSession): void => context.set(staffContext, session);

/** The session that the layout's middleware has found. Only for routes below it. */
export function staffOf(context: Context): StaffSession {
  const session = context.get(staffContext);
  if (!session) throw new Error("a page of the back office was asked for without its middleware");
  return session;
}

/** From where a request comes, for the audit log. */
export const originOf = (request: Request, context: Context) => ({
  address: context.get(callerContext).address,
  userAgent: seenIn(request.headers.get("User-Agent") ?? "").slice(0, MAX_USER_AGENT_CHARACTERS),
  requestId: requestId(),
});

/** Who acts, for the functions of the shop. */
export const actingOf = (context: Context): Acting => {
  const { staffId, role } = staffOf(context);
  return { staffId, role, address: context.get(callerContext).address, requestId: requestId() };
};

/** Counts an email that staff cause by who causes it: a team shares one network, and may answer many in an hour. */
export const consumeStaffMail = (context: Context, to: string) =>
  consumeMail(rateLimits, { to, network: `staff ${staffOf(context).staffId}` });

/** Whether the signed-in member may do it: for what a page shows to some and not to others. */
export const staffMay = (context: Context, permission: Permission): boolean => may(staffOf(context).role, permission);

/** The key of the second factors' secrets. */
export const factorKey = async () => (await (await getAuth()).$context).secretConfig;

/** The field of a form that asks for a code. */
export const CODE_FIELD = "code";

/**
 * For acts that an open browser alone must not be able to do. Null where a code was shown within ten minutes, or is right
 * now; else what to say beside the field.
 */
export async function requireFreshStaff(context: Context, typed: string | null): Promise<string | null> {
  const session = staffOf(context);
  if (session.isFresh) return null;
  const code = typed?.replaceAll(/\s/g, "");
  if (!code) return "Enter the code of your app: this asks who is there";
  const attempt = await consumeAttempt(context, "code", session.staffId);
  if (attempt.refusal) return attempt.refusal;
  if (!(await proveStaff(db, await factorKey(), session, code))) {
    return "That code is not right, or was used already. Codes change every 30 seconds.";
  }
  await attempt.refund();
  setStaff(context, { ...session, isFresh: true });
  return null;
}
