/** Messages for better-auth's refusals. */
import { BusyError } from "#shop/accounts/passwords/password-hash.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";

export const SPENT_LINK = "This link has expired or was already used. Ask for a new one.";

const MESSAGES: Record<string, string> = {
  INVALID_EMAIL_OR_PASSWORD: "Invalid email or password",
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL:
    "This email already has an account. Sign in, or reset your password if you forgot it.",
  INVALID_TOKEN: SPENT_LINK,
  INVALID_CODE: "That code isn’t right. Codes change every 30 seconds.",
  CODE_ALREADY_USED: "That code was already used. Wait for the next one, then enter it.",
  INVALID_BACKUP_CODE: "That backup code isn’t right, or was used already.",
  INVALID_TWO_FACTOR_COOKIE: "This took too long. Please sign in again.",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Too many attempts. Please sign in again.",
  ACCOUNT_TEMPORARILY_LOCKED: "Too many wrong codes. Please wait 15 minutes, then try again.",
};

/** better-auth's error has no code if the same backup code is sent twice at once. */
const CONFLICT = { code: "INVALID_BACKUP_CODE", message: MESSAGES.INVALID_BACKUP_CODE ?? "", status: 409 };

type Refusal = { code: string; message: string; status: number };

/** The refusal in an error of better-auth or a BusyError; other errors are rethrown. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof BusyError) return { code: "BUSY", message: error.message, status: 503 };
  const { name, body, statusCode } = error as {
    name?: string;
    body?: { code?: string; message?: string };
    statusCode?: number;
  };
  if (name === "APIError" && statusCode === 409 && !body?.code) return CONFLICT;
  if (name !== "APIError" || !body?.code || !statusCode || statusCode >= 500) throw error;
  return {
    code: body.code,
    message: MESSAGES[body.code] ?? body.message ?? "Something went wrong",
    status: statusCode,
  };
}

export function withCookies(cookies: Headers | undefined): Headers {
  const headers = new Headers(NO_STORE);
  for (const cookie of cookies?.getSetCookie() ?? []) headers.append("Set-Cookie", cookie);
  return headers;
}

export function seeOther(location: string, cookies: Headers): Response {
  const headers = withCookies(cookies);
  headers.set("Location", location);
  return new Response(null, { status: 303, headers });
}

/**
 * Ends a session: clears the browser's cache and loads the next page as a document, so that no script holds former
 * data. Storage stays, because it holds nothing personal.
 */
export function endSessionInBrowser(response: Response): Response {
  response.headers.set("Clear-Site-Data", '"cache"');
  response.headers.set("X-Remix-Reload-Document", "true");
  return response;
}
