/** Checks a code of the second factor: six digits of an authenticator app, or a backup code. */
import type { RouterContextProvider } from "react-router";
import { getAuth } from "../auth.server.ts";
import { authHeaders } from "../customer.server.ts";
import { securityEvent } from "../../http/log.server.ts";
import { refusalOf } from "./refusal.server.ts";

/** Returns the cookies that a right code sets. Throws better-auth's refusal of a wrong one. */
export async function enterCode(
  request: Request,
  context: Readonly<RouterContextProvider>,
  code: string,
  event: "sign-in" | "step-up",
  userId?: string | null,
): Promise<Headers> {
  const auth = await getAuth();
  const call = { headers: authHeaders(request, context), returnHeaders: true } as const;
  const digits = code.replaceAll(/\s/g, "");
  const isDigits = /^\d{6}$/.test(digits);
  const way = isDigits ? "totp" : "backup-code";
  try {
    const { response, headers } = isDigits
      ? await auth.api.verifyTOTP({ body: { code: digits }, ...call })
      : await auth.api.verifyBackupCode({ body: { code }, ...call });
    securityEvent(event, { outcome: "ok", way, userId: response.user.id });
    return headers;
  } catch (error) {
    securityEvent(event, { outcome: "refused", way, userId: userId ?? undefined, reason: refusalOf(error).code });
    throw error;
  }
}
