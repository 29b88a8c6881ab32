/** The emails about an account. Their links are made when they are written, so that no token waits in the outbox. */
import { eq } from "drizzle-orm";
import { brand } from "../brand.ts";
import { emailTemplate } from "../mail/email.ts";
import { linkEmail } from "../mail/link-email.tsx";
import { accountChanged } from "./account-changed-email.server.ts";
import { users } from "./account.tables.ts";
import { makeResetToken } from "./passwords/reset-token.server.ts";
import { verifyLink, type VerifyLink } from "./verification/verify-link.server.ts";

declare module "../mail/email.ts" {
  interface EmailJobs {
    "verify-email": { userId: string };
    /** Queued for every address that asks, so that the answer tells nobody which ones have an account. */
    "reset-password": { email: string };
    /** Carries the address, because nothing else remembers it. */
    "account-deleted": { email: string };
  }
}

const ada = "ada@example.com";

export const accountEmails = {
  "verify-email": emailTemplate({
    load: (db, { userId }: { userId: string }, shop) => verifyLink(db, userId, shop),
    render: ({ to, link }: VerifyLink, shop) =>
      linkEmail(
        to,
        {
          subject: "Verify your email",
          intro: `Welcome to ${brand.name}. Please verify that ${to} is your email address.`,
          button: "Verify email",
          link,
          close:
            "The link works for 24 hours. If you did not sign up, ignore this mail, or open the link to close the account to whoever did.",
        },
        shop,
      ),
    samples: { "of a new account": { to: ada, link: "http://localhost:3000/auth/verify?token=sample" } },
  }),

  "reset-password": emailTemplate({
    async load(db, { email }: { email?: string }, { baseUrl }) {
      // It was delivered, and its address taken away, before the queue heard of it.
      if (!email) return null;
      const [user] = await db.select({ id: users.id, email: users.email }).from(users).where(eq(users.email, email));
      if (!user) return null;
      return { to: user.email, link: `${baseUrl}/reset-password?token=${await makeResetToken(db, user.id)}` };
    },
    render: ({ to, link }: { to: string; link: string }, shop) =>
      linkEmail(
        to,
        {
          subject: "Set a new password",
          intro: "Somebody, probably you, asked for a new password.",
          button: "Set a new password",
          link,
          close:
            "The link works for one hour and once. If you did not ask, ignore this mail: your password stays as it is.",
        },
        shop,
      ),
    samples: { "of an account": { to: ada, link: "http://localhost:3000/reset-password?token=sample" } },
  }),

  "account-changed": accountChanged,

  "account-deleted": emailTemplate({
    // Without an address: as above.
    load: async (_db, { email }: { email?: string }) => (email ? { to: email } : null),
    render: ({ to }: { to: string }, shop) =>
      linkEmail(
        to,
        {
          subject: "Your account is deleted",
          intro: `As you asked, your ${brand.name} account and everything in it are deleted. Orders that had not shipped are canceled, and nothing was charged for them.`,
          button: "Visit the shop",
          link: `${shop.baseUrl}/shop`,
          close:
            "We keep a record of past orders without your name, address, phone number, and email, as tax rules require. If it was not you who asked, please reply to this mail.",
        },
        shop,
      ),
    samples: { "of an account": { to: ada } },
  }),
};
