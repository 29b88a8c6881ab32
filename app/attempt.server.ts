import type { RouterContextProvider } from "react-router";
import { callerContext } from "../server/client-address.ts";
import { waitMessage, type AttemptKind } from "../shop/accounts/attempts.server.ts";
import { attempts } from "./auth.server.ts";

/** Counts one try of whoever calls. `refusal` is what they are told who have tried too often; `forgive` a try that was right. */
export async function countAttempt(context: Readonly<RouterContextProvider>, kind: AttemptKind, account: string) {
  const who = { account, address: context.get(callerContext).address };
  const wait = await attempts.take(kind, who);
  return { refusal: wait === null ? null : waitMessage(wait), forgive: () => attempts.forgive(kind, who) };
}
