import { parseWithZod } from "@conform-to/zod/v4";
import { data, type HeadersArgs, type RouterContextProvider } from "react-router";
import { db } from "../../../database.server.ts";
import { forgotSchema, newPasswordSchema } from "../../../../shop/accounts/account-forms.ts";
import { findResetUser } from "../../../../shop/accounts/passwords/reset-token.server.ts";
import { getPerson, passwordProblem } from "../../../../shop/accounts/passwords/password-rules.server.ts";
import { enqueueEmail } from "../../../../shop/mail/enqueue-email.server.ts";
import { newDevice } from "../../../session/device.server.ts";
import { consumeAttempt, consumeMailFor, emailOwnerOf } from "../../../session/rate-limits.server.ts";
import { waitMessage } from "../../../../shop/rate-limits/rate-limits.server.ts";
import { getAuth, shopHost } from "../../../session/auth.server.ts";
import { readForm } from "../../../http/form.server.ts";
import { securityEvent } from "../../../http/log.server.ts";
import { addFlashMessage } from "../../../session/flash-message.server.ts";
import { pageMeta } from "../../../http/page-meta.ts";
import {
  respondWith,
  leaveNothing,
  refusalOf,
  seeOther,
  SPENT_LINK,
} from "../../../session/verification/refusal.server.ts";
import { writeToShop } from "../../../http/browser-write.ts";
import { CONNECTION_LOST } from "../../../session/auth-result.ts";
import type { Route } from "./+types/route.ts";
import type { ResetActionResult } from "./action-result.ts";
import { Forgot } from "./forgot.tsx";
import { NewPassword } from "./new-password.tsx";
import { FOR_GOING_BACK, NO_STORE } from "../../../http/cache-headers.ts";

export const meta: Route.MetaFunction = () => [
  ...pageMeta({ title: "Reset your password", description: "Set a new password.", path: "/reset-password" }),
  { name: "robots", content: "noindex" },
  // The address of this page may be a key. (With no-referrer, a form without JavaScript would not say where it comes from.)
  { name: "referrer", content: "same-origin" },
];

/** With a key in its address nobody keeps it. */
export const headers = ({ loaderHeaders, actionHeaders }: HeadersArgs) =>
  loaderHeaders.has("Cache-Control") && !actionHeaders.has("Cache-Control") ? loaderHeaders : NO_STORE;

const hideFields = ["password", "confirmPassword"];

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token");

/** With a token from a mail: a new password. Without one: the form that asks for the mail. */
export async function loader({ request }: Route.LoaderArgs) {
  const token = tokenOf(request);
  if (token === null) return data({ step: "ask" as const }, { headers: FOR_GOING_BACK });
  if (await findResetUser(db, token)) return data({ step: "set" as const });
  return data({ step: "expired" as const }, { status: 410 });
}

export async function action({ request, context }: Route.ActionArgs) {
  const token = tokenOf(request);
  const form = await readForm(request, Object.keys((token === null ? forgotSchema : newPasswordSchema).shape));
  return token === null ? sendLink(form, context) : setPassword(form, token, context);
}

/**
 * Known and unknown emails are answered alike, and take as long: the email is written later. So they are where the inbox
 * has had enough of the shop's emails, which would tell that somebody has an account.
 */
async function sendLink(form: URLSearchParams, context: Readonly<RouterContextProvider>) {
  const submission = parseWithZod(form, { schema: forgotSchema });
  if (submission.status !== "success") return respondWith({ result: submission.reply() }, 400);
  const { email } = submission.value;
  const refuse = (formMessage: string) => respondWith({ result: submission.reply(), formMessage }, 429);
  const { refusal } = await consumeAttempt(context, "email", email);
  if (refusal) return refuse(refusal);
  const decision = await consumeMailFor(context, email);
  if (decision.permit) await enqueueEmail(db, { template: "reset-password", email }, decision.permit);
  else if (!decision.isInboxFull) return refuse(waitMessage(decision.wait));
  securityEvent("password-reset-asked", { outcome: "ok", email });
  return data<ResetActionResult>({ result: submission.reply(), sentTo: email }, { headers: NO_STORE });
}

async function setPassword(form: URLSearchParams, token: string, context: Readonly<RouterContextProvider>) {
  const submission = parseWithZod(form, { schema: newPasswordSchema });
  const result = submission.reply({ hideFields });
  if (submission.status !== "success") return respondWith({ result }, 400);
  const { password } = submission.value;
  const userId = await findResetUser(db, token);
  if (!userId) {
    securityEvent("password-reset", { outcome: "refused", reason: "spent link" });
    return respondWith({ result, formMessage: SPENT_LINK }, 400);
  }
  const problem = await passwordProblem(password, await getPerson(db, userId), shopHost());
  if (problem)
    return respondWith({ result: submission.reply({ hideFields, fieldErrors: { password: [problem] } }) }, 400);
  const auth = await getAuth();
  try {
    const { headers } = await auth.api.resetPassword({
      body: { token, newPassword: password },
      returnHeaders: true,
    });
    securityEvent("password-reset", { outcome: "ok", userId });
    await emailOwnerOf(context, userId, "password");
    addFlashMessage(headers, "password-set");
    // Whoever has the mailbox signs in at once, whatever strangers have tried meanwhile.
    headers.append("Set-Cookie", newDevice(userId));
    return leaveNothing(seeOther("/auth", headers));
  } catch (error) {
    const { message, status } = refusalOf(error);
    return respondWith({ result, formMessage: message }, status);
  }
}

export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop<ResetActionResult>(call, {
    key: "result",
    lost: () => ({ result: { status: "error" }, formMessage: CONNECTION_LOST }),
  });

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const actionResult = actionData as ResetActionResult | undefined;
  return (
    <div className="page max-w-lg! pt-12 pb-24 lg:pt-24">
      {loaderData.step === "set" ? (
        <NewPassword actionResult={actionResult} />
      ) : (
        <Forgot actionResult={actionResult} expired={loaderData.step === "expired"} />
      )}
    </div>
  );
}
