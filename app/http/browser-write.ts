/**
 * The browser's half of a write. The response may not be the shop's: a proxy's 502, the sign-in page of a public network,
 * an empty body, no connection at all. Then the shop's own message is shown, and everything typed is still there.
 */
import { data } from "react-router";

type Write = { request: Request; serverAction: () => Promise<unknown> };

type Options<Result> = {
  /** A property that every result of this write has, or one of several. */
  key: string | string[];
  /** Whether the server answers this write without the router: those of server/direct-writes.ts. */
  isDirect?: true;
  /** The result where the shop did not answer. `form` is what was sent. */
  lost: (form: FormData) => Result;
  /** Shows the result; not called for a write that a newer one has replaced. */
  onResult?: (result: Result, form: FormData) => void;
};

/** Whether a value is a result of the shop, and not something that a proxy or network sent in its place. */
export const isResult = <Result extends object>(value: unknown, key: string | string[]): value is Result =>
  typeof value === "object" && value !== null && [key].flat().some((name) => name in value);

const post = ({ url, signal }: Request, form: FormData) =>
  fetch(url, {
    method: "POST",
    headers: { Accept: "application/json" },
    body: new URLSearchParams(form as unknown as Record<string, string>),
    signal,
  });

/** Sends a write to the shop. Redirects are followed; every other response becomes a result. */
export async function writeToShop<Result extends object>(
  { request, serverAction }: Write,
  { key, isDirect, lost, onResult }: Options<Result>,
) {
  // Read first: of a write that a newer one replaces, nothing can be read later.
  const form = await request
    .clone()
    .formData()
    .catch(() => new FormData());
  try {
    const response = isDirect && (await post(request, form));
    const result: unknown = await (response ? response.json() : serverAction());
    if (isResult<Result>(result, key)) {
      onResult?.(result, form);
      return response ? data(result, { status: response.status }) : result;
    }
  } catch (error) {
    if (error instanceof Response && error.status >= 300 && error.status < 400) throw error;
  }
  const result = lost(form);
  if (!request.signal.aborted) onResult?.(result, form);
  return data(result, { status: 503 });
}
