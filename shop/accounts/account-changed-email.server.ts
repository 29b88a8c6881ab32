/** The email that tells the owner of an account what changed in it, or that somebody is in. */
import { eq } from "drizzle-orm";
import { brand } from "../brand.ts";
import { emailTemplate } from "../mail/email.ts";
import { linkEmail } from "../mail/link-email.tsx";
import { users } from "./account.tables.ts";

export type AccountChange = "password" | "second-factor-on" | "second-factor-off" | "new-device";

type Job = { userId: string; change: AccountChange };

declare module "../mail/email.ts" {
  interface EmailJobs {
    "account-changed": Job;
  }
}

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

const changes = Object.keys(WORDS) as AccountChange[];

/** None where the account is gone. */
export const accountChanged = emailTemplate({
  async load(db, { userId, change }: Job) {
    const [user] = await db.select({ to: users.email }).from(users).where(eq(users.id, userId));
    return user ? { ...user, change } : null;
  },
  render: ({ to, change }: { to: string; change: AccountChange }, shop) =>
    linkEmail(
      to,
      {
        ...WORDS[change],
        button: "Set a new password",
        link: `${shop.baseUrl}/reset-password`,
        close:
          "If it was you, there is nothing to do. If not, set a new password now, which signs out every device, and reply to this mail.",
      },
      shop,
    ),
  samples: Object.fromEntries(changes.map((change) => [change, { to: "ada@example.com", change }])),
});
