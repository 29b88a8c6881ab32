import { data } from "react-router";
import { notify, notifyError } from "../../../ui/feedback/toast.ts";
import { WISHLIST_FAILURES, type WishlistAnswer } from "./answer.ts";

type Call = { request: Request; serverAction: () => Promise<unknown> };

/** The browser's half: says what came of it; a lost connection is an answer too. On home the title is enough (SPEC 8). */
export async function tell(
  { request, serverAction }: Call,
  kind: "add" | "remove",
  title: string,
  description: string,
) {
  const form = await request.clone().formData();
  try {
    const answer = (await serverAction()) as WishlistAnswer;
    if (answer.ok) notify(title, form.get("where") === "home" ? undefined : description);
    else notifyError(answer.message);
    return answer;
  } catch {
    const answer: WishlistAnswer = { ok: false, message: WISHLIST_FAILURES[kind].failed };
    // A newer press on the same heart cancels this one; that is no failure.
    if (!request.signal.aborted) notifyError(answer.message);
    return data(answer, { status: 503 });
  }
}
