/** Tells the owner of an account what changed in it, or that somebody is in: whoever it was, the owner should hear of it. */
import { eq } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { brand } from "../brand.ts";
import { consumeMail } from "../mail/mail-budget.server.ts";
import { queueMail } from "../mail/enqueue-email.server.ts";
import type { AccountChange } from "../mail/queues.ts";
import type { Letter } from "../mail/transport.server.ts";
import type { RateLimits } from "../rate-limits/rate-limits.server.ts";
import { letter } from "./account-emails.server.ts";
import { users } from "./account.tables.ts";

const WORDS: Record<AccountChange, { subject: string; intro: string }> = {
  password: {
    subject: "Your password was changed",
    intro: `The password of your ${brand.name} account was changed, and other devices were signed out.`,
  },
  "second-factor-on": {
    subject: "Two-step sign-in is on",
    intro: `Your ${brand.name} account now asks for a code beside the password, and other devices were signed out.`,
  },
  "second-factor-off": {
    subject: "Two-step sign-in is off",
    intro: `Your ${brand.name} account no longer asks for a code beside the password.`,
  },
  "new-device": {
    subject: "New sign-in to your account",
    intro: `Somebody, probably you, signed in to your ${brand.name} account in a browser that had not been used for it before.`,
  },
};

/** Queues the letter; where there is no email left for this inbox or network, the change stands without it. */
export async function tellOwner(
  db: Database,
  rateLimits: RateLimits,
  { userId, network }: { userId: string; network: string },
  change: AccountChange,
): Promise<void> {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  // Who signs up with somebody else's address causes them no mail but the one that asks.
  if (!user?.emailVerified) return;
  const { permit } = await consumeMail(rateLimits, { to: user.email, network });
  if (permit) await queueMail(db, { letter: "account-changed", userId, change }, permit);
}

/** The letter of such a job; null where the account is gone. */
export async function accountChangedLetter(
  db: Database,
  { userId, change }: { userId: string; change: AccountChange },
  baseUrl: string,
): Promise<Letter | null> {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  if (!user) return null;
  return letter(user.email, {
    ...WORDS[change],
    button: "Set a new password",
    link: `${baseUrl}/reset-password`,
    close:
      "If it was you, there is nothing to do. If not, set a new password now, which signs out every device, and reply to this mail.",
  });
}
