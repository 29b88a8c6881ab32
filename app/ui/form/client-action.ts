import { data } from "react-router";
import { notify, notifyError, notifySignedOut } from "#app/ui/feedback/toast.ts";
import { isActionResult, type ActionResult } from "./action-result.ts";

const isRedirect = (error: unknown) => error instanceof Response && error.status >= 300 && error.status < 400;

/**
 * Client action of every route. Anything but a response of the shop (a proxy's error, a lost connection) becomes a
 * refusal without a message. Toasts show here, because the form may have unmounted by then.
 */
export async function clientAction({ serverAction }: { serverAction: () => Promise<unknown> }) {
  const result = await serverAction().catch((error: unknown) => {
    if (isRedirect(error)) throw error;
  });
  if (!isActionResult(result)) return data<ActionResult>({ ok: false }, { status: 503 });
  const { ok, title, message, toast, isSignedOut } = result;
  if (title && ok) notify(title, message, toast);
  else if (isSignedOut) notifySignedOut(message ?? "");
  else if (title) notifyError(message ?? "", title);
  return result;
}
