/** The email that confirms a place on the waitlist: its link verifies the silent account that keeps the place. */
import { verifyLink, type VerifyLink } from "../accounts/verification/verify-link.server.ts";
import { brand } from "../brand.ts";
import { emailTemplate } from "../mail/email.ts";
import { linkEmail } from "../mail/link-email.tsx";

declare module "../mail/email.ts" {
  interface EmailJobs {
    "waitlist-welcome": { userId: string };
  }
}

export const waitlistEmails = {
  "waitlist-welcome": emailTemplate({
    load: (db, { userId }: { userId: string }, shop) => verifyLink(db, userId, shop),
    render: ({ to, link }: VerifyLink, shop) =>
      linkEmail(
        to,
        {
          subject: "Welcome to the waitlist",
          intro: `Please verify that ${to} is your email address. Your place on the ${brand.name} waitlist is then confirmed.`,
          button: "Verify email",
          link,
          close:
            "The link works for 24 hours and once, and signs you in to the account that keeps your place. If you did not join, ignore this mail, or open the link and delete the account.",
        },
        shop,
      ),
    samples: {
      "of a new place": { to: "ada@example.com", link: "http://localhost:3000/auth/verify?token=sample" },
    },
  }),
};
