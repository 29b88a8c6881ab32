/** A code of the customer's second factor: six digits from their app, or one of their backup codes. */
import type { RouterContextProvider } from "react-router";
import { getAuth } from "../auth.server.ts";
import { authHeaders } from "../customer.server.ts";

/** The cookies of the answer to a right code; throws better-auth's refusal of a wrong one. */
export async function enterCode(
  request: Request,
  context: Readonly<RouterContextProvider>,
  code: string,
): Promise<Headers> {
  const auth = await getAuth();
  const call = { headers: authHeaders(request, context), returnHeaders: true } as const;
  const digits = code.replaceAll(/\s/g, "");
  const { headers } = /^\d{6}$/.test(digits)
    ? await auth.api.verifyTOTP({ body: { code: digits }, ...call })
    : await auth.api.verifyBackupCode({ body: { code }, ...call });
  return headers;
}
