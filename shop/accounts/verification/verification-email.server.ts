/** The email that asks whose an address is: one for a new account, and one whenever somebody signs in before it is verified. */
import type { BetterAuthOptions } from "better-auth";
import { APIError } from "better-auth/api";
import type { Database } from "../../../db/connection.server.ts";
import { consumeMail, type MailPermit } from "../../mail/mail-budget.server.ts";
import { enqueueEmail } from "../../mail/enqueue-email.server.ts";
import { networkOf } from "../../rate-limits/network.ts";
import { waitMessage, type RateLimits } from "../../rate-limits/rate-limits.server.ts";

type Hooks = NonNullable<BetterAuthOptions["databaseHooks"]>;
type Call = { headers?: Headers | undefined } | null | undefined;

const networkBehind = (call: Call) => networkOf(call?.headers?.get("x-caller-address") ?? "");

/**
 * Counts each email before it is queued. A new account is refused with TOO_MANY_EMAILS where there is no email left for
 * it, because nobody could verify it; a sign-in is told of the email that it has, or had a little while ago.
 */
export function verificationMail(db: Database, rateLimits: RateLimits) {
  /** Of the account that a call is about to make. */
  const permits = new WeakMap<object, MailPermit>();
  const consume = (to: string, call: Call) => consumeMail(rateLimits, { to, network: networkBehind(call) });
  return {
    user: {
      create: {
        async before(user, call) {
          if (user.emailVerified) return;
          const decision = await consume(user.email, call);
          if (!decision.permit) {
            const message = waitMessage(decision.wait);
            throw new APIError("TOO_MANY_REQUESTS", { code: "TOO_MANY_EMAILS", message });
          }
          if (call) permits.set(call, decision.permit);
        },
        async after(user, call) {
          const permit = call && permits.get(call);
          if (permit) await enqueueEmail(db, { template: "verify-email", userId: user.id }, permit);
        },
      },
    },
    session: {
      create: {
        async before(session, call) {
          if (call?.path !== "/sign-in/email") return;
          const user = await call.context.internalAdapter.findUserById(session.userId);
          if (!user || user.emailVerified) return;
          const { permit } = await consume(user.email, call);
          if (permit) await enqueueEmail(db, { template: "verify-email", userId: user.id }, permit);
          throw new APIError("FORBIDDEN", { code: "EMAIL_NOT_VERIFIED", message: "Email not confirmed" });
        },
      },
    },
  } satisfies Hooks;
}
