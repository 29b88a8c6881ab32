/**
 * The browser's half of a write. What comes back may be nobody's word: a proxy's 502, the page of a hotspot, an empty
 * body, no connection at all. All of it ends in the shop's own words, with what was typed still there.
 */
import { data } from "react-router";

type Write = { request: Request; serverAction: () => Promise<unknown> };

type Options<Result> = {
  /** A property that every result of this write has, or one of several. */
  key: string | string[];
  /** What the result is where the shop did not answer. `form` is what was sent. */
  lost: (form: FormData, error: unknown) => Result;
  /** Says what came of it; not called for a write that a newer one has replaced. */
  tell?: (result: Result, form: FormData) => void;
};

/** Whether something is a result of the shop, rather than what stood in its way. */
export const isResult = <Result extends object>(value: unknown, key: string | string[]): value is Result =>
  typeof value === "object" && value !== null && [key].flat().some((name) => name in value);

/** Sends a write on to the shop. Redirects go on; every other answer is a result. */
export async function writeToShop<Result extends object>(
  { request, serverAction }: Write,
  { key, lost, tell }: Options<Result>,
) {
  const sent = request.clone();
  let failure: unknown;
  try {
    const result = await serverAction();
    if (isResult<Result>(result, key)) {
      tell?.(result, await sent.formData());
      return result;
    }
  } catch (error) {
    if (error instanceof Response && error.status >= 300 && error.status < 400) throw error;
    failure = error;
  }
  const form = await sent.formData();
  const result = lost(form, failure);
  if (!request.signal.aborted) tell?.(result, form);
  return data(result, { status: 503 });
}
