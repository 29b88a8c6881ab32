import { createContext, type RouterContextProvider } from "react-router";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { consumeMail } from "#shop/mail/enqueue-email.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { openSigner, STAFF_PURPOSE } from "#shop/purpose-key.server.ts";
import { may, type Permission } from "#shop/staff/permissions.ts";
import { readStaffSession, type StaffSession } from "#shop/staff/sessions.server.ts";
import { proveStaff } from "#shop/staff/sign-in.server.ts";
import { seenIn } from "#shop/text.ts";
import { callerContext } from "#platform/client-address.ts";
import { requestId } from "#platform/log.server.ts";
import { CODE_NEEDED } from "#app/ui/form/action-result.ts";
import { ownCookie } from "./cookies.server.ts";
import { getAuth } from "./auth.server.ts";
import { consumeAttempt, emailOwnerOf, rateLimits } from "./rate-limits.server.ts";

type Context = Readonly<RouterContextProvider>;

const MAX_USER_AGENT_CHARACTERS = 400;
/** Longer than a session, so that an expired one leads to sign-in instead of a 404. */
const COOKIE_SECONDS = 30 * 24 * 3600;

const cookie = ownCookie("polara_staff");
const signer = openSigner(config().secret, STAFF_PURPOSE);

/** The cookie names its member below a signature, so that requests are counted by member before any query. */
export function staffCookie(staffId: string, token: string): string {
  const held = `${staffId}.${token}`;
  return cookie.set(`${held}.${signer.sign(held)}`, COOKIE_SECONDS);
}

export const clearStaffCookie = (): string => cookie.set("", 0);

/** Member and token of the cookie, null if it is not signed. The session may have ended. */
export function heldSession(headers: Headers): { staffId: string; token: string } | null {
  const [staffId = "", token = "", signature = ""] = cookie.read(headers).split(".");
  return signature && signer.isSigned(`${staffId}.${token}`, signature) ? { staffId, token } : null;
}

/** The staff session of a request; the reason if it has ended, null if there is none. */
export async function readStaff(request: Request, options?: { watches?: boolean }) {
  const held = heldSession(request.headers);
  return held && readStaffSession(db, held.token, options);
}

const staffContext = createContext<StaffSession | null>(null);
const renewedContext = createContext<string | null>(null);

/** The Set-Cookie header of a session that this request renewed, or null. */
export const renewedStaffCookie = (context: Context): string | null => context.get(renewedContext);

export const setStaff = (context: Context, session: StaffSession): void => context.set(staffContext, session);

/** The session read by the layout's middleware; throws outside its routes. */
export function staffOf(context: Context): StaffSession {
  const session = context.get(staffContext);
  if (!session) throw new Error("a page of the back office was asked for without its middleware");
  return session;
}

/** Origin of a request, for the audit log. */
export const originOf = (request: Request, context: Context) => ({
  address: context.get(callerContext).address,
  userAgent: seenIn(request.headers.get("User-Agent") ?? "").slice(0, MAX_USER_AGENT_CHARACTERS),
  requestId: requestId(),
});

export const actingOf = (context: Context): Acting => {
  const { staffId, role } = staffOf(context);
  return { staffId, role, address: context.get(callerContext).address, requestId: requestId() };
};

/** Counts an email by staff member: a team shares one network and may send many in an hour. */
export const consumeStaffMail = (context: Context, to: string) =>
  consumeMail(rateLimits, { to, network: `staff ${staffOf(context).staffId}` });

export const staffMay = (context: Context, permission: Permission): boolean => may(staffOf(context).role, permission);

export const factorKey = async () => (await (await getAuth()).$context).secretConfig;

export const CODE_FIELD = "code";

/**
 * For actions that an unattended browser must not be able to do. Null if a code was shown within ten minutes or is
 * right now; otherwise the error message of the field.
 */
export async function requireFreshStaff(context: Context, typed: string | null): Promise<string | null> {
  const session = staffOf(context);
  if (session.isFresh) return null;
  const code = typed?.replaceAll(/\s/g, "");
  if (!code) return CODE_NEEDED;
  // Apart from codes at sign-in: a stranger with the password must not stop a member's work.
  const attempt = await consumeAttempt(context, "code", `${session.staffId} signed in`);
  if (attempt.refusal) return attempt.refusal;
  const proved = await proveStaff(db, await factorKey(), session, code);
  if (!proved.ok) {
    if (proved.isAlarming) await emailOwnerOf(context, session.staffId, "wrong-codes");
    return "That code is incorrect or already used. Codes change every 30 seconds.";
  }
  await attempt.refund();
  setStaff(context, proved.session);
  context.set(renewedContext, staffCookie(session.staffId, proved.token));
  return null;
}
