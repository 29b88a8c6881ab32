/** Remembers in a browser the code by which somebody of the waitlist was invited to order early. */
import { policy } from "../../shop/policies.ts";
import { codeHash } from "../../shop/waitlist/invitation-code.server.ts";
import { ownCookie } from "./cookie.server.ts";

const cookie = ownCookie("polara_early");

/** The Set-Cookie header that keeps a code. */
export const keepInvitation = (code: string): string => cookie.set(code, policy.invitationDays * 86_400);

/** What the code of a request is known by; null where it brings none. */
export function readInvitation(headers: Headers): string | null {
  const code = cookie.read(headers);
  return code === "" ? null : codeHash(code);
}
