import { data } from "react-router";
import type { CartAnswer } from "./answer.ts";

type Call = { request: Request; serverAction: () => Promise<unknown> };

/** The browser's half of a cart action: a lost connection is an answer too, never an error page. */
export async function settle({ request, serverAction }: Call, failure: string, tell?: (answer: CartAnswer) => void) {
  try {
    const answer = (await serverAction()) as CartAnswer;
    tell?.(answer);
    return answer;
  } catch {
    const answer: CartAnswer = { ok: false, message: failure };
    // A newer change of the same line cancels this one; that is no failure.
    if (!request.signal.aborted) tell?.(answer);
    return data(answer, { status: 503 });
  }
}
