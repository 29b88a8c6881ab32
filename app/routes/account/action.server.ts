/** The forms of the account page: each names its intent, and is answered in the page. */
import { data, redirect, type RouterContextProvider } from "react-router";
import { readCustomer, requireCustomer } from "../../session/customer.server.ts";
import { renewProved } from "../../session/verification/verify-code.server.ts";
import { readForm } from "../../http/form.server.ts";
import { refusedToOthers } from "../../http/log.server.ts";
import { BusyError } from "../../../shop/accounts/passwords/password-queue.ts";
import { changePasswordSchema, profileSchema } from "../../../shop/accounts/settings-forms.ts";
import { withCookies } from "../../session/verification/refusal.server.ts";
import { INTENTS, type AccountActionResult, type Intent } from "./action-result.ts";
import { keepRenewed } from "./renewed.server.ts";
import type { Call, HandlerResult } from "./handler.server.ts";
import { deleteAccount } from "./settings/delete.server.ts";
import { signOutOne, signOutOthers } from "./settings/devices.server.ts";
import { changePassword, sendPasswordLink } from "./settings/password.server.ts";
import { changeProfile } from "./settings/profile.server.ts";
import { newBackupCodes, removeFactor, startFactor, verifyFactor } from "./settings/second-factor.server.ts";
import { NO_STORE } from "../../http/cache-headers.ts";

const handlers: Record<Intent, (call: Call) => Promise<HandlerResult | Response>> = {
  profile: changeProfile,
  password: changePassword,
  "set-password": sendPasswordLink,
  "factor-start": startFactor,
  "factor-verify": verifyFactor,
  "factor-remove": removeFactor,
  "factor-codes": newBackupCodes,
  "sign-out-one": signOutOne,
  "sign-out-others": signOutOthers,
  delete: deleteAccount,
};

/** Of all forms of the page; `username` is there for password managers. */
const FIELDS = [
  "intent",
  "username",
  "uri",
  "code",
  "confirmation",
  "session",
  ...Object.keys(profileSchema.shape),
  ...Object.keys(changePasswordSchema.shape),
];

/** Where too many sign in for a password to be looked at. */
function busyResult(error: unknown): HandlerResult {
  if (error instanceof BusyError) return { ok: false, status: 503, message: error.message };
  throw error;
}

export async function accountAction(request: Request, context: Readonly<RouterContextProvider>) {
  const form = await readForm(request, FIELDS);
  const intent = INTENTS.find((known) => known === form.get("intent"));
  const customer = await readCustomer(request);
  if (!customer && intent === "profile") {
    refusedToOthers("account");
    const message = "You must be logged in to update your profile";
    return data<AccountActionResult>({ intent, ok: false, message }, { status: 401, headers: NO_STORE });
  }
  const known = customer ?? (await requireCustomer(request));
  if (!intent) throw redirect("/account", { status: 303 });
  const handled = await handlers[intent]({ request, context, form, customer: known }).catch(busyResult);
  if (handled instanceof Response) return handled;
  const { status = handled.ok ? 200 : 400, cookies = await renewed(request, context), ...actionResult } = handled;
  return data<AccountActionResult>({ intent, ...actionResult }, { status, headers: withCookies(cookies) });
}

/** Where somebody has proved who they are, their session goes on under another token, for this page already. */
async function renewed(request: Request, context: Readonly<RouterContextProvider>): Promise<Headers | undefined> {
  const cookies = await renewProved(request, context);
  if (cookies) keepRenewed(context, cookies);
  return cookies;
}
